/** Time and waiting. Tests use a hand-driven double; nothing else calls `Date.now` or `setTimeout`. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `f` after `ms`; the returned function cancels it. */
  after(ms: number, f: () => void): () => void;
}
