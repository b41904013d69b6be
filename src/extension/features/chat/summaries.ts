import type { Entry, EntryOf } from '../../../engine/index';
import type { ChatDelta, ChatItem } from '../../../protocol/chat';

type SummaryItem = Extract<ChatItem, { kind: 'summary' }>;

/** Id of what is said of a summary that did not come, in a turn. */
export const failedSummaryId = (turnId: string): string => `${turnId}:notice:summary.failed`;
const isFailed = (item: ChatItem): boolean => item.kind === 'notice' && item.id.endsWith(failedSummaryId(''));

/** The row of a summary where it was written. */
export function summaryItem(entry: EntryOf<'summary'>, turnId: string): SummaryItem {
  const { text, covers, tokens, by } = entry.data;
  return { kind: 'summary', id: entry.id, ...(turnId === '' ? {} : { turnId }), floors: covers.floors ?? [1, 1], tokens: tokens ?? 0, text, ...(by === 'author' ? { own: true } : {}), state: 'active' };
}

/** Which of a branch's summaries is in force, which turns it covers; what is said of summaries that did not come is dropped once one has. */
export function withSummaries(items: readonly ChatItem[], entries: readonly Entry[]): ChatItem[] {
  const marks = marksOf(entries);
  if (marks.states.size === 0) return [...items];
  const last = items.findLastIndex((item) => item.kind === 'summary');
  return items.flatMap((item, at) => (at < last && isFailed(item) ? [] : [marked(item, marks)]));
}

/** What changes in a list when a summary has been written at the end of its branch. */
export function summaryWritten(items: readonly ChatItem[], entries: readonly Entry[]): ChatDelta[] {
  const marks = marksOf(entries);
  const changed = items.filter((item) => marked(item, marks) !== item).map((item): ChatDelta => ({ op: 'put', item: marked(item, marks) }));
  const failed = items.filter(isFailed).map(({ id }) => id);
  return [...(failed.length === 0 ? [] : [{ op: 'remove' as const, ids: failed }]), ...changed];
}

interface Marks {
  readonly states: ReadonlyMap<string, SummaryItem['state']>;
  readonly covered: ReadonlySet<string>;
}

/** A fold over a branch, or over the end of one: what lies before it is left as it is shown. */
function marksOf(entries: readonly Entry[]): Marks {
  const states = new Map<string, SummaryItem['state']>();
  const order: EntryOf<'summary'>[] = [];
  const undone = new Set<string>();
  for (const entry of entries) {
    if (entry.type === 'summary') order.push(entry);
    if (entry.type === 'hide') undone.add(entry.data.targetId);
    if (entry.type === 'unhide') undone.delete(entry.data.targetId);
  }
  const active = order.findLast(({ id }) => !undone.has(id));
  for (const { id } of order) states.set(id, undone.has(id) ? 'undone' : id === active?.id ? 'active' : 'merged');
  const users = entries.flatMap(({ id, type }) => (type === 'user' ? [id] : []));
  const through = active === undefined ? -1 : users.indexOf(active.data.covers.through);
  return { states, covered: new Set(users.slice(0, through + 1)) };
}

function marked(item: ChatItem, { states, covered }: Marks): ChatItem {
  if (item.kind === 'summary') {
    const state = states.get(item.id);
    return state === undefined || state === item.state ? item : { ...item, state };
  }
  return item.kind === 'user' && covered.has(item.turnId) && item.summarised !== true ? { ...item, summarised: true } : item;
}
