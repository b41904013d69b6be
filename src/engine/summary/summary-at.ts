import type { Entry, EntryOf } from '../session/entries';
import { hiddenOn } from '../session/history';

/** A branch as later prompts see it. */
export interface Compacted {
  /** The summary in force: the newest on the branch that is not hidden. */
  readonly summary: EntryOf<'summary'> | undefined;
  /** What comes after the turns it covers: whole turns, the first one's `user` entry first. Without a summary the whole branch. */
  readonly entries: readonly Entry[];
}

/**
 * The summary at the end of a branch and the turns that stand beside it. A fold over the branch alone: at any place before the summary,
 * and once it is hidden, the history is the uncompacted one. A summary whose last turn is not on the branch counts for nothing.
 */
export function compactedBranch(branch: readonly Entry[]): Compacted {
  const hidden = hiddenOn(branch);
  for (let at = branch.length - 1; at >= 0; at -= 1) {
    const entry = branch[at];
    if (entry?.type !== 'summary' || hidden.has(entry.id)) continue;
    const through = branch.findIndex(({ id }) => id === entry.data.covers.through);
    if (through === -1) continue;
    const next = branch.findIndex(({ type }, index) => index > through && type === 'user');
    return { summary: entry, entries: next === -1 ? [] : branch.slice(next) };
  }
  return { summary: undefined, entries: branch };
}
