/** Scheme of read-only documents that show a stored text. */
export const objectScheme = 'liyuan-object';

/** What a stored document is, by identity: bytes by hash, or nothing (the side where there is no file). */
export type ObjectIdentity = { readonly kind: 'object'; readonly sha: string } | { readonly kind: 'nothing' };

/** The query part of a document's address. The address's path is that of the file itself: so both sides of a diff have one name, and one language. */
export function identityQuery(identity: ObjectIdentity): string {
  return identity.kind === 'object' ? `sha=${identity.sha}` : 'nothing';
}

/** `undefined`: not an address of ours. */
export function parseIdentity(query: string): ObjectIdentity | undefined {
  const sha = /^sha=([0-9a-f]{64})$/.exec(query)?.[1];
  if (sha !== undefined) return { kind: 'object', sha };
  return query === 'nothing' ? { kind: 'nothing' } : undefined;
}
