/** Scheme of read-only documents that show a stored text. */
export const objectScheme = 'liyuan-object';

/** What a stored document is, by identity: bytes by hash, a path at a checkpoint, or nothing (the side where there is no file). */
export type ObjectIdentity =
  | { readonly kind: 'object'; readonly sha: string }
  | { readonly kind: 'checkpoint'; readonly id: string }
  | { readonly kind: 'nothing' };

/** The query part of a document's address. The address's path is the file's own, for its title and language. */
export function identityQuery(identity: ObjectIdentity): string {
  switch (identity.kind) {
    case 'object':
      return `sha=${identity.sha}`;
    case 'checkpoint':
      return `checkpoint=${identity.id}`;
    case 'nothing':
      return 'nothing';
  }
}

/** `undefined`: not an address of ours. */
export function parseIdentity(query: string): ObjectIdentity | undefined {
  const sha = /^sha=([0-9a-f]{64})$/.exec(query)?.[1];
  if (sha !== undefined) return { kind: 'object', sha };
  const id = /^checkpoint=([\w-]+)$/.exec(query)?.[1];
  if (id !== undefined) return { kind: 'checkpoint', id };
  return query === 'nothing' ? { kind: 'nothing' } : undefined;
}
