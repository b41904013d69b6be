/**
 * What a worker says, one JSON line each: first what it is about to do, then, once that is durable, that it is done. Whatever was
 * announced may or may not have happened when it is killed; whatever is done must be there.
 */
export type Said =
  | { readonly kind: 'ready' }
  | { readonly kind: 'append'; readonly texts: readonly string[]; readonly under: string | null }
  | { readonly kind: 'appended'; readonly ids: readonly string[] }
  | { readonly kind: 'leaf'; readonly id: string | null }
  | { readonly kind: 'leaf-set' }
  | { readonly kind: 'title'; readonly title: string }
  | { readonly kind: 'title-set' }
  /** The author's own change; `null` deletes. */
  | { readonly kind: 'write'; readonly path: string; readonly text: string | null }
  | { readonly kind: 'written' }
  /** The agent's change of a whole file. */
  | { readonly kind: 'edit'; readonly turn: string; readonly path: string; readonly text: string }
  /** Its journal has it; the file does not yet. */
  | { readonly kind: 'journalled' }
  | { readonly kind: 'edited' }
  | { readonly kind: 'take' }
  | { readonly kind: 'taken'; readonly id: string | null }
  | { readonly kind: 'end'; readonly turn: string }
  | { readonly kind: 'ended'; readonly ids: readonly string[] }
  | { readonly kind: 'restore'; readonly target: string }
  | { readonly kind: 'restored'; readonly pre: string; readonly result: string }
  | { readonly kind: 'draft'; readonly text: string }
  | { readonly kind: 'drafted' };

export interface WorkerOrder {
  readonly root: string;
  readonly seed: string;
  /** Number of this life, from 1; ids and times follow from it. */
  readonly life: number;
  readonly sessionId: string;
  /** The worker kills itself at this change of the disk (from 1); `undefined`: someone else kills it. */
  readonly killAt: number | undefined;
  /** Files that a restore sets are written in place, so that a kill can cut them in half. */
  readonly tornPuts: boolean;
}
