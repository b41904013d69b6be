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
  const take = (key: string, rename: RenameStep): void => {
    steps.push(rename);
    waiting.delete(key);
  };
  /** Follows who stands in the way until somebody can go, then lets all behind go. */
  const free = (start: string): void => {
    const chain: string[] = [];
    for (let key: string | undefined = start; key !== undefined; ) {
      const rename = waiting.get(key);
      if (rename === undefined) break;
      chain.push(key);
      const blocker = foldedPath(rename.to);
      if (blocker === key) break;
      if (!chain.includes(blocker)) {
        key = blocker;
        continue;
      }
      const ring = waiting.get(blocker);
      if (ring !== undefined) {
        const place = between(ring.from);
        steps.push({ from: ring.from, to: place });
        waiting.delete(blocker);
        for (const link of chain.reverse()) {
          const next = waiting.get(link);
          if (next !== undefined) take(link, next);
        }
        steps.push({ from: place, to: ring.to });
      }
      return;
    }
    for (const link of chain.reverse()) {
      const next = waiting.get(link);
      if (next !== undefined) take(link, next);
    }
  };
  for (const key of [...waiting.keys()]) if (waiting.has(key)) free(key);
  return steps;
}
