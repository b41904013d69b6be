import { foldedPath } from './names-on-disk';

export interface RenameStep {
  readonly from: string;
  readonly to: string;
}

/**
 * The steps that carry out renames which may want one another's names: each finds its target free. A ring (a swap is one) is opened by
 * one name in between. Names that differ in case or normal form alone are one name. `between` makes such a name from a path.
 */
export function renameSteps(renames: readonly RenameStep[], between: (path: string) => string): readonly RenameStep[] {
  const waiting = new Map(renames.filter(({ from, to }) => from !== to).map((rename) => [foldedPath(rename.from), rename]));
  const steps: RenameStep[] = [];
  /** Follows who stands in the way until somebody can go, then lets all behind go. */
  const free = (start: string): void => {
    const chain: string[] = [];
    let key = start;
    for (let rename = waiting.get(key); rename !== undefined && !chain.includes(key); rename = waiting.get(key)) {
      chain.push(key);
      key = foldedPath(rename.to);
    }
    // Somebody of the chain stands there, and it is not a new case of its own name.
    const ring = key === chain.at(-1) ? undefined : waiting.get(key);
    if (ring !== undefined) {
      const place = between(ring.from);
      steps.push({ from: ring.from, to: place });
      waiting.set(key, { from: place, to: ring.to });
    }
    for (const link of chain.reverse()) {
      const next = waiting.get(link);
      if (next !== undefined) steps.push(next);
      waiting.delete(link);
    }
  };
  for (const key of [...waiting.keys()]) if (waiting.has(key)) free(key);
  return steps;
}
