import type { TurnEvent } from '../../../engine/index';
import type { ChatDelta, ChatItem } from '../../../protocol/chat';
import type { Translate } from '../../l10n/translate';
import { localiseError } from '../../l10n/localise-error';
import { overBudgetAnswers, overBudgetOptions, permissionOptions } from '../../l10n/permission';
import { changedFiles } from './changed-files';
import { errorNotice, itemIds, retryNotice, turnNotice } from './notices';
import type { BranchView } from './project-branch';
import { callItem, choiceItem, closed, isOpen, replyItems, saidItem, stepItems, userItem } from './project-branch';
import { proposalItem } from './proposal-cards';
import { summaryItem } from './summaries';
import { toolNote, toolState, toolTitle } from './tool-cards';

/** What the reduction of one turn needs to know. */
export interface TurnView {
  readonly t: Translate;
  /** Empty until the turn's user entry is written. */
  readonly turnId: string;
  /** The newest round that anything was streamed in. */
  readonly round: number;
  readonly get: (id: string) => ChatItem | undefined;
  readonly variantOf?: BranchView['variantOf'];
  readonly ofTurn: (turnId: string) => readonly ChatItem[];
}

const put = (item: ChatItem): ChatDelta => ({ op: 'put', item });
const putAll = (items: readonly ChatItem[]): ChatDelta[] => items.map(put);

/** One event of a running turn as changes of the list. Pure; events that do not concern the list give none. */
export function reduceTurn(event: TurnEvent, view: TurnView): ChatDelta[] {
  const { t, turnId, get } = view;
  const dropRetry = get(itemIds.retry(turnId)) === undefined ? [] : [{ op: 'remove' as const, ids: [itemIds.retry(turnId)] }];
  switch (event.type) {
    case 'text':
    case 'reasoning':
      return [...dropRetry, ...streamed(event, view)];
    case 'textWasReasoning': {
      const item = get(itemIds.assistant(turnId, event.round));
      return item?.kind === 'assistant' ? [put({ ...item, reasoning: item.reasoning + item.text, text: '' })] : [];
    }
    case 'toolStart':
      if (event.name === 'ask') return dropRetry;
      return [
        ...dropRetry,
        put({ kind: 'tool', id: event.callId, turnId, name: event.name, ...toolTitle(t, event.name, {}), state: 'streaming', note: '', args: '', result: '' }),
      ];
    case 'toolPreview':
      return previewed(event, view);
    case 'toolRun': {
      if (event.name === 'ask') return [];
      const args = typeof event.args === 'string' ? event.args : JSON.stringify(event.args ?? {});
      const preview = previewOf(get(event.callId));
      return [put({ ...callItem({ callId: event.callId, name: event.name, args }, turnId, t), ...preview })];
    }
    case 'toolDone': {
      const item = get(event.callId);
      if (item?.kind !== 'tool') return [];
      return [put({ ...withoutPreview(item), state: toolState(event.result, event.ok), note: toolNote(t, event.name, event.result, event.ok), result: event.result })];
    }
    case 'ask':
      return [put({ kind: 'ask', id: event.callId, turnId, question: event.question, options: [...event.options], state: 'open' })];
    case 'confirm': {
      const question = [t('May the agent change {path}? This file holds the rules the agent itself works by.', { path: event.path }), event.change].filter((part) => part !== '').join('\n');
      return [put({ kind: 'ask', id: event.askId, turnId, question, options: [...permissionOptions(t)], state: 'open' })];
    }
    case 'confirmed': {
      const item = get(event.askId);
      return item?.kind === 'ask' ? [put({ ...item, state: 'answered', answer: permissionOptions(t)[event.agreed ? 0 : 1] })] : [];
    }
    case 'overBudget':
      return [put({ kind: 'ask', id: event.askId, turnId, question: localiseError(event.error, t), options: [...overBudgetOptions(t)], state: 'open' })];
    case 'overBudgetAnswered': {
      const item = get(event.askId);
      return item?.kind === 'ask' ? [put({ ...item, state: 'answered', answer: overBudgetOptions(t)[overBudgetAnswers.indexOf(event.answer)] })] : [];
    }
    case 'entry':
      return entryWritten(event, view);
    case 'retry':
      return [put(retryNotice(turnId, event, t))];
    case 'changes': {
      const files = changedFiles(event.changes.files);
      return files.length === 0 ? [] : [put({ kind: 'changes', id: itemIds.changes(turnId), turnId, files, undone: false })];
    }
    case 'proposals':
      return [put(proposalItem(event.turnId, event.files))];
    case 'notice':
      return [put(turnNotice(turnId, event.error, t))];
    case 'ended':
      return [...dropRetry, ...closedCards(event.turnId ?? turnId, view), ...endedItems(event, view)];
    case 'started':
    case 'phase':
    case 'usage':
    case 'checkpoint':
    case 'steered':
      return [];
  }
}

function streamed(event: Extract<TurnEvent, { type: 'text' | 'reasoning' }>, view: TurnView): ChatDelta[] {
  const id = itemIds.assistant(view.turnId, event.round);
  const there = view.get(id);
  if (there?.kind === 'assistant') return [{ op: 'append', id, field: event.type, text: event.text }];
  const fresh = { kind: 'assistant' as const, id, turnId: view.turnId, text: '', reasoning: '', state: 'streaming' as const };
  return [put({ ...fresh, [event.type]: event.text })];
}

function previewed(event: Extract<TurnEvent, { type: 'toolPreview' }>, view: TurnView): ChatDelta[] {
  const item = view.get(event.callId);
  if (item?.kind !== 'tool') return [];
  if (item.preview !== undefined && item.path === event.path) {
    return event.contentDelta === '' ? [] : [{ op: 'append', id: event.callId, field: 'preview', text: event.contentDelta }];
  }
  return [put({ ...item, ...toolTitle(view.t, item.name, { path: event.path }), preview: (item.preview ?? '') + event.contentDelta })];
}

function previewOf(item: ChatItem | undefined): { readonly preview?: string } {
  return item?.kind === 'tool' && item.preview !== undefined ? { preview: item.preview } : {};
}

/** Not there yet, or still arriving: what the log says of it is newer. */
const isStreaming = (item: ChatItem | undefined): boolean => item === undefined || (item.kind === 'tool' && item.state === 'streaming');

/** Calls that no answer will come for any more: their stream was stopped, or their turn failed before it reached them. */
const closedCards = (turnId: string, { t, ofTurn }: TurnView): ChatDelta[] =>
  putAll(ofTurn(turnId).filter(isOpen).map((item) => closed(withoutPreview(item), t)));

function withoutPreview(item: Extract<ChatItem, { kind: 'tool' }>): Extract<ChatItem, { kind: 'tool' }> {
  const { preview: _, ...rest } = item;
  return rest;
}

/** What is on the disk replaces what was streamed, under the same id. */
function entryWritten(event: Extract<TurnEvent, { type: 'entry' }>, view: TurnView): ChatDelta[] {
  const { entry } = event;
  const { t, turnId, round, get } = view;
  switch (entry.type) {
    case 'user':
      return [put(userItem(entry, view))];
    case 'steer':
      return [put(saidItem(entry, turnId))];
    case 'step': {
      const items = stepItems(entry, turnId, round, view).filter((item) => item.kind === 'assistant' || isStreaming(get(item.id)));
      return [...emptied(items, view), ...putAll(items.map((item) => ({ ...item, ...previewOf(get(item.id)) })))];
    }
    case 'reply': {
      const items = replyItems(entry, turnId, round, t);
      return [...emptied(items, view), ...putAll(items)];
    }
    case 'choice':
      return [put(choiceItem(entry, turnId))];
    case 'summary':
      return [put(summaryItem(entry, turnId))];
    case 'tool': {
      const item = get(entry.data.callId);
      if (item?.kind !== 'tool' || !isOpen(item)) return [];
      return [put({ ...withoutPreview(item), state: toolState(entry.data.result, entry.data.ok), note: toolNote(t, item.name, entry.data.result, entry.data.ok), result: entry.data.result })];
    }
    default:
      return [];
  }
}

/** A streamed message whose entry turned out to have no words goes away. */
function emptied(items: readonly ChatItem[], view: TurnView): ChatDelta[] {
  const id = itemIds.assistant(view.turnId, view.round);
  return view.get(id) === undefined || items.some((item) => item.id === id) ? [] : [{ op: 'remove', ids: [id] }];
}

function endedItems(event: Extract<TurnEvent, { type: 'ended' }>, view: TurnView): ChatDelta[] {
  if (event.error === undefined || event.error.code === 'turn.aborted') return [];
  const turnId = event.turnId ?? (view.turnId === '' ? undefined : view.turnId);
  const id = turnId === undefined ? `refused:${event.error.code}` : itemIds.error(turnId);
  return [put(errorNotice(id, turnId, event.error, view.t, turnId !== undefined))];
}

/** The turn and round after an event. */
export function advance(event: TurnEvent, place: { readonly turnId: string; readonly round: number }): { readonly turnId: string; readonly round: number } {
  switch (event.type) {
    case 'started':
      return { turnId: event.turnId, round: place.round };
    case 'entry':
      if (event.entry.type === 'user') return { turnId: event.entry.id, round: 1 };
      return event.entry.type === 'step' ? { ...place, round: place.round + 1 } : place;
    case 'text':
    case 'reasoning':
      return { ...place, round: event.round };
    default:
      return place;
  }
}

