/** Scheme of the documents that show what is proposed, for the author to change. */
export const proposalScheme = 'liyuan-proposal';

export const proposalQuery = (id: string): string => `proposal=${id}`;

/** The proposal that a document of ours shows; `undefined`: another document. */
export function proposalIdOf(uri: { readonly scheme: string; readonly query: string }): string | undefined {
  return uri.scheme === proposalScheme ? /^proposal=([\w-]+)$/.exec(uri.query)?.[1] : undefined;
}
