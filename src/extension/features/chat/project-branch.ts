import type { EngineError, Entry, EntryOf } from '../../../engine/index';
import { errorTexts } from '../../l10n/error-texts';
import type { Translate } from '../../l10n/translate';
import type { ChatItem } from '../../../protocol/chat';
import { chatMention } from '../../../protocol/mentions';
import type { ChangedFile } from './changed-files';
import { uncountedFiles } from './changed-files';
import { errorNotice, itemIds, turnNotice } from './notices';
import { failedSummaryId, summaryItem, withSummaries } from './summaries';
import { parseFields, toolNote, toolState, toolTitle } from './tool-cards';

type UserItem = Extract<ChatItem, { kind: 'user' }>;
type ToolItem = Extract<ChatItem, { kind: 'tool' }>;
type AskItem = Extract<ChatItem, { kind: 'ask' }>;

export interface BranchView {
  readonly t: Translate;
  /** Counted files of a checkpoint, when they are known already. */
  readonly filesOf: (checkpointId: string) => readonly ChangedFile[] | undefined;
  /** The turn that is running: its calls without an answer are still under way. */
  readonly runningTurn?: string | undefined;
  /** Place of a turn among those that begin where it does, when there are several. */
  readonly variantOf?: ((turnId: string) => UserItem['variant']) | undefined;
  /** Whether what a turn did has been taken back. */
  readonly isUndone?: ((turnId: string) => boolean) | undefined;
}

/** A conversation as it is shown: a pure function of the branch. */
export function itemsOfBranch(entries: readonly Entry[], view: BranchView): ChatItem[] {
  const items: ChatItem[] = [];
  let turnId = '';
  let round = 0;
  for (const entry of entries) {
    switch (entry.type) {
      case 'user':
        turnId = entry.id;
        round = 0;
        items.push(userItem(entry, view));
        break;
      case 'steer':
        items.push(saidItem(entry, turnId));
        break;
      case 'step':
        round += 1;
        items.push(...stepItems(entry, turnId, round, view));
        break;
      case 'tool':
        update(items, entry.data.callId, (item) => (item.kind === 'tool' ? answered(item, entry, view.t) : item));
        break;
      case 'choice':
        putChoice(items, choiceItem(entry, turnId));
        break;
      case 'reply':
        round += 1;
        items.push(...replyItems(entry, turnId, round, view.t));
        break;
      case 'summary':
        items.push(summaryItem(entry, turnId));
        break;
      case 'side':
        if (entry.data.job === 'summary' && entry.data.outcome === 'failed') items.push(summaryFailed(entry, turnId, view.t));
        break;
      case 'checkpoint': {
        const item = changesItem(entry, turnId, view);
        if (item !== undefined && !update(items, item.id, () => item)) items.push(item);
        break;
      }
      case 'end':
        if (entry.data.status === 'undone') update(items, itemIds.changes(turnId), (item) => (item.kind === 'changes' ? { ...item, undone: true } : item));
        break;
      default:
        break;
    }
  }
  return withSummaries(items, entries).map((item) => (isOpen(item) && item.turnId !== view.runningTurn ? closed(item, view.t) : item));
}

function summaryFailed({ data }: EntryOf<'side'>, turnId: string, t: Translate): ChatItem {
  return errorNotice(failedSummaryId(turnId), turnId, { code: 'summary.failed', args: { because: data.error ?? '' } }, t);
}

/** The author's words. */
export function userItem(entry: EntryOf<'user'>, view: Pick<BranchView, 'variantOf'>): UserItem {
  const variant = view.variantOf?.(entry.id);
  return { ...(saidItem(entry, entry.id) as UserItem), ...(variant === undefined ? {} : { variant }) };
}

/** Replaces the newest item with this id; false when there is none. */
function update(items: ChatItem[], id: string, change: (item: ChatItem) => ChatItem): boolean {
  const at = items.findLastIndex((item) => item.id === id);
  const item = items[at];
  if (item === undefined) return false;
  items[at] = change(item);
  return true;
}

function putChoice(items: ChatItem[], item: AskItem): void {
  if (!update(items, item.id, () => item)) items.push(item);
}

/** What the user said, to begin a turn or in the middle of it, with what it points at. */
export function saidItem(entry: EntryOf<'user' | 'steer'>, turnId: string): Extract<ChatItem, { kind: 'user' | 'steer' }> {
  const mentions = (entry.data.attachments ?? []).flatMap((one) => chatMention.safeParse(one).data ?? []);
  return { kind: entry.type, id: entry.id, turnId, text: entry.data.text, ts: entry.ts, ...(mentions.length === 0 ? {} : { mentions }) };
}

/** What the model said in a call that asked for tools, then a card for each tool. An `ask` shows as its question alone. */
export function stepItems(entry: EntryOf<'step'>, turnId: string, round: number, view: Pick<BranchView, 't'>): ChatItem[] {
  const { text = '', reasoning = '', calls } = entry.data;
  const words: ChatItem[] =
    text.trim() === '' && reasoning.trim() === '' ? [] : [{ kind: 'assistant', id: itemIds.assistant(turnId, round), turnId, text, reasoning, state: 'done' }];
  return [...words, ...calls.filter((call) => call.name !== 'ask').map((call) => callItem(call, turnId, view.t))];
}

export function callItem(call: { readonly callId: string; readonly name: string; readonly args: string }, turnId: string, t: Translate): ToolItem {
  return {
    kind: 'tool',
    id: call.callId,
    turnId,
    name: call.name,
    ...toolTitle(t, call.name, parseFields(call.args)),
    state: 'running',
    note: '',
    args: call.args,
    result: '',
  };
}

function answered(item: ToolItem, entry: EntryOf<'tool'>, t: Translate): ToolItem {
  const { result, ok } = entry.data;
  return { ...item, state: toolState(result, ok), note: toolNote(t, item.name, result, ok), result };
}

export function choiceItem(entry: EntryOf<'choice'>, turnId: string): AskItem {
  const { callId, question, options, answer, stopped } = entry.data;
  return {
    kind: 'ask',
    id: callId ?? entry.id,
    turnId,
    question,
    options,
    state: stopped === true || answer === undefined ? 'stopped' : 'answered',
    ...(answer === undefined ? {} : { answer }),
  };
}

const replyState = { sealed: 'done', unsealed: 'done', stopped: 'stopped', error: 'error' } as const;

export function replyItems(entry: EntryOf<'reply'>, turnId: string, round: number, t: Translate): ChatItem[] {
  const { text, reasoning = '', status, error } = entry.data;
  const empty = text.trim() === '' && reasoning.trim() === '';
  const words: ChatItem[] =
    empty && status !== 'stopped' ? [] : [{ kind: 'assistant', id: itemIds.assistant(turnId, round), turnId, text, reasoning, state: replyState[status], reply: true }];
  const known = error === undefined ? undefined : knownError(error);
  const told = (entry.data.notices ?? []).map((notice) => turnNotice(turnId, knownError(notice), t));
  return [...words, ...told, ...(known === undefined ? [] : [errorNotice(itemIds.error(turnId), turnId, known, t, true)])];
}

/** A recorded error; a code of a newer version is shown as an internal one. */
function knownError(error: { readonly code: string; readonly args?: unknown }): EngineError {
  const args = typeof error.args === 'object' && error.args !== null ? { args: error.args as NonNullable<EngineError['args']> } : {};
  return Object.hasOwn(errorTexts, error.code) ? { code: error.code as EngineError['code'], ...args } : { code: 'internal' };
}

/** 「本轮改动」 of the agent's checkpoint; the author's own are not the turn's changes. */
export function changesItem(entry: EntryOf<'checkpoint'>, turnId: string, view: Pick<BranchView, 'filesOf' | 'isUndone'>): ChatItem | undefined {
  if (entry.data.author !== 'agent' || turnId === '') return undefined;
  const files = view.filesOf(entry.data.id) ?? uncountedFiles(entry.data.changed);
  return files.length === 0 ? undefined : { kind: 'changes', id: itemIds.changes(turnId), turnId, files: [...files], undone: view.isUndone?.(turnId) === true };
}

/** A card whose call has no answer. */
export function isOpen(item: ChatItem): item is ToolItem {
  return item.kind === 'tool' && (item.state === 'running' || item.state === 'streaming');
}

/** A call that never got its answer: one that was still arriving was not run, of any other nobody knows how far it came. */
export const closed = (item: ToolItem, t: Translate): ToolItem => ({
  ...item,
  state: 'failed',
  note: item.state === 'streaming' ? t(errorTexts['tool.not-run']) : t('Interrupted'),
});
