import type { EntryIndex } from './entry-index';
import { isLoose, NONE } from './entry-index';

/** A `head` entry: where someone put the leaf. */
export interface Head {
  readonly id: string;
  readonly ts: number;
  readonly leaf: string | null;
  readonly machine: string;
}

/** By time, and at the same time by id: the same for all who read. */
export const newer = (a: { readonly ts: number; readonly id: string }, b: { readonly ts: number; readonly id: string }): boolean =>
  a.ts !== b.ts ? a.ts > b.ts : a.id > b.id;

/** This machine's newest head, else the newest of all; only heads whose leaf is there. */
function headOf(index: EntryIndex, heads: readonly Head[], machine: string): Head | undefined {
  let best: Head | undefined;
  for (const head of heads) {
    if (head.leaf !== null && index.find(head.leaf) === undefined) continue;
    if (best === undefined) best = head;
    else if ((head.machine === machine) !== (best.machine === machine)) best = head.machine === machine ? head : best;
    else if (newer(head, best)) best = head;
  }
  return best;
}

/**
 * The current position of a session that was just read. Appending moves the leaf without a `head`, so the leaf is the newest
 * entry that grew from the head's leaf after the head was written; without any head it is the newest tip.
 */
export function leafOf(index: EntryIndex, heads: readonly Head[], machine: string): string | null {
  const head = headOf(index, heads, machine);
  return head === undefined ? newestTip(index) : grownFrom(index, head);
}

function newestTip(index: EntryIndex): string | null {
  const { ids, parents, types } = index.columns;
  const inner = new Uint8Array(index.size);
  for (let i = 0; i < index.size; i += 1) {
    const parent = parents[i] ?? NONE;
    if (parent >= 0 && !index.dead(i)) inner[parent] = 1;
  }
  let best: number | undefined;
  for (let i = 0; i < index.size; i += 1) {
    if (inner[i] === 1 || index.dead(i) || isLoose(types[i] ?? '')) continue;
    if (best === undefined || index.compare(i, best) > 0) best = i;
  }
  return best === undefined ? null : (ids[best] ?? null);
}

function grownFrom(index: EntryIndex, head: Head): string | null {
  const { ids, parents, types } = index.columns;
  const root = head.leaf === null ? NONE : index.find(head.leaf);
  const at = index.find(head.id);
  if (root === undefined || at === undefined) return head.leaf;
  /** Whether an entry newer than the head grew from its leaf, through entries that are newer too. */
  const grown = new Map<number, boolean>();
  const grew = (from: number): boolean => {
    const walked: number[] = [];
    let answer = false;
    for (let i = from; ; ) {
      const known = grown.get(i);
      if (known !== undefined) {
        answer = known;
        break;
      }
      walked.push(i);
      grown.set(i, false); // also ends a circle, which only a damaged file can hold
      const parent = parents[i] ?? NONE;
      if (parent === root) {
        answer = true;
        break;
      }
      if (parent < 0 || index.compare(parent, at) <= 0) break;
      i = parent;
    }
    for (const i of walked) grown.set(i, answer);
    return answer;
  };
  let best: number | undefined;
  for (let i = 0; i < index.size; i += 1) {
    if (index.dead(i) || isLoose(types[i] ?? '') || index.compare(i, at) <= 0) continue;
    if ((best === undefined || index.compare(i, best) > 0) && grew(i)) best = i;
  }
  return best === undefined ? head.leaf : (ids[best] ?? null);
}
