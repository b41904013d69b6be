/** The day's limit on what model calls may take, where the person has set one; `usage.over-budget` refuses what would go over it. */
export interface Budget {
  /** Lets the calls of one turn go over it, or all calls until midnight, in other windows too. */
  allow(scope: { readonly kind: 'turn'; readonly turnId: string } | { readonly kind: 'today' }): Promise<void>;
}
