import type { Entry, EntryOf } from './entries';
import { isKnown } from './entry-index';
import type { Session } from './session';

/** One model call that asked for tools, with the answers that have been written. */
export interface TurnStep {
  readonly entry: EntryOf<'step'>;
  /** In the order of the calls; a call without its answer (the host went away) has none. */
  readonly tools: readonly EntryOf<'tool'>[];
  /** Ids of calls that have no answer. */
  readonly unanswered: readonly string[];
}

/** One user input until its end. Plain grouping of what lies on the branch; nothing is left out. */
export interface Turn {
  /** The id of its `user` entry. */
  readonly id: string;
  readonly user: EntryOf<'user'>;
  /** What was put before the user's words in the same message. */
  readonly context: EntryOf<'context'> | undefined;
  readonly steps: readonly TurnStep[];
  readonly choices: readonly EntryOf<'choice'>[];
  readonly replies: readonly EntryOf<'reply'>[];
  /** The last of `replies`. */
  readonly reply: EntryOf<'reply'> | undefined;
  readonly checkpoints: readonly EntryOf<'checkpoint'>[];
  /** The turn's end; a last turn without one was interrupted. */
  readonly end: EntryOf<'end'> | undefined;
  /** Everything of the turn, the `user` entry first, in the order of the branch. */
  readonly entries: readonly Entry[];
}

export interface History {
  /** What lies before the first user entry (or, for a part of a branch, what belongs to a turn that is not shown). */
  readonly preface: readonly Entry[];
  readonly turns: readonly Turn[];
}

const all = <T extends Entry['type']>(entries: readonly Entry[], type: T): readonly EntryOf<T>[] =>
  entries.filter((entry) => entry.type === type) as unknown as readonly EntryOf<T>[];

function stepsOf(entries: readonly Entry[]): readonly TurnStep[] {
  const answers = new Map<string, EntryOf<'tool'>>();
  const steps: TurnStep[] = [];
  // From the end, so that an answer belongs to the nearest step before it even if a model used a call id twice.
  for (const entry of [...entries].reverse()) {
    if (entry.type === 'tool') answers.set(entry.data.callId, entry);
    if (entry.type !== 'step') continue;
    const { calls } = entry.data;
    const tools = calls.flatMap(({ callId }) => answers.get(callId) ?? []);
    steps.push({ entry, tools, unanswered: calls.map(({ callId }) => callId).filter((id) => !answers.has(id)) });
    for (const { callId } of calls) answers.delete(callId);
  }
  return steps.reverse();
}

function turnOf(user: EntryOf<'user'>, entries: readonly Entry[]): Turn {
  const replies = all(entries, 'reply');
  return {
    id: user.id,
    user,
    context: all(entries, 'context')[0],
    steps: stepsOf(entries),
    choices: all(entries, 'choice'),
    replies,
    reply: replies.at(-1),
    checkpoints: all(entries, 'checkpoint'),
    end: all(entries, 'end').at(-1),
    entries,
  };
}

/** Groups a branch (root first) into turns. */
export function historyOf(branch: readonly Entry[]): History {
  const preface: Entry[] = [];
  const groups: { readonly user: EntryOf<'user'>; readonly entries: Entry[] }[] = [];
  for (const entry of branch) {
    if (entry.type === 'user') groups.push({ user: entry, entries: [entry] });
    else (groups.at(-1)?.entries ?? preface).push(entry);
  }
  return { preface, turns: groups.map(({ user, entries }) => turnOf(user, entries)) };
}

/** The last turn of a branch if it has no `end`. */
export function openTurn(branch: readonly Entry[]): Turn | undefined {
  const start = branch.findLastIndex((entry) => entry.type === 'user');
  const user = branch[start];
  if (user?.type !== 'user') return undefined;
  const entries = branch.slice(start);
  return entries.some((entry) => entry.type === 'end') ? undefined : turnOf(user, entries);
}

/** Ids of entries that are left out of prompts at the end of a branch: the last `hide` or `unhide` of each counts. */
export function hiddenOn(branch: readonly Entry[]): ReadonlySet<string> {
  const hidden = new Set<string>();
  for (const entry of branch) {
    if (entry.type === 'hide') hidden.add(entry.data.targetId);
    if (entry.type === 'unhide') hidden.delete(entry.data.targetId);
  }
  return hidden;
}

/**
 * The last `turns` turns of a branch, root first, parsing no more than those: what a view shows first. `earlier` says how
 * many ids of the path lie before.
 */
export function recentBranch(
  session: Pick<Session, 'path' | 'stub' | 'get' | 'leaf'>,
  turns: number,
  leaf: string | null = session.leaf(),
): { readonly branch: readonly Entry[]; readonly earlier: number } {
  const path = session.path(leaf);
  let from = path.length;
  for (let found = 0; from > 0 && found < turns; ) {
    from -= 1;
    if (session.stub(path[from] ?? '')?.type === 'user') found += 1;
  }
  const branch = path.slice(from).flatMap((id) => {
    const entry = session.get(id);
    return entry === undefined || !isKnown(entry) ? [] : entry;
  });
  return { branch, earlier: from };
}
