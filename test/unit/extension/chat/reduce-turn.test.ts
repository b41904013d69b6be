import { describe, expect, test } from 'vitest';
import type { Entry, TurnEvent } from '../../../../src/engine/index';
import { chatDelta } from '../../../../src/protocol/chat';
import type { ChatItem } from '../../../../src/protocol/chat';
import { createItemList } from '../../../../src/extension/features/chat/item-list';
import { itemsOfBranch } from '../../../../src/extension/features/chat/project-branch';
import { advance, reduceTurn } from '../../../../src/extension/features/chat/reduce-turn';
import { fillMessage } from '../../../../src/extension/l10n/translate';
import { branchOf, entry } from './entries';

/** Runs events as the chat does and gives what is shown after each. */
function play(events: readonly TurnEvent[]): { readonly items: readonly ChatItem[]; readonly steps: readonly (readonly ChatItem[])[] } {
  const list = createItemList();
  let place = { turnId: '', round: 1 };
  const steps: (readonly ChatItem[])[] = [];
  for (const event of events) {
    const next = advance(event, place);
    const at = event.type === 'entry' && event.entry.type === 'step' ? place : next;
    for (const delta of reduceTurn(event, { t: fillMessage, ...at, get: (id) => list.get(id), ofTurn: (id) => list.ofTurn(id) })) list.apply(chatDelta.parse(delta));
    place = next;
    steps.push(list.items());
  }
  return { items: list.items(), steps };
}

const written = (one: Entry): TurnEvent => ({ type: 'entry', entry: one });

const entries = branchOf(
  entry('u1', 'user', { text: '改一处' }),
  entry('s1', 'step', { text: '先看。', reasoning: '嗯', calls: [{ callId: 'c1', name: 'edit', args: '{"edits":[{"path":"正文/1.md","old":"a","new":"b"}]}' }], model: 'm' }),
  entry('t1', 'tool', { callId: 'c1', result: '{"matches":[{"path":"正文/1.md","line":1,"level":"exact"}],"files":[]}', ok: true }),
  entry('r1', 'reply', { text: '改好了。', model: 'm', status: 'sealed' }),
);
const [u1, s1, t1, r1] = entries as readonly [Entry, Entry, Entry, Entry];

const turn: readonly TurnEvent[] = [
  { type: 'started', turnId: 'u1', sessionId: 's', model: 'm', rehearsal: false },
  written(u1),
  { type: 'phase', phase: 'generating' },
  { type: 'reasoning', round: 1, text: '嗯' },
  { type: 'text', round: 1, text: '先' },
  { type: 'text', round: 1, text: '看。' },
  { type: 'toolStart', round: 1, callId: 'c1', name: 'edit' },
  written(s1),
  { type: 'toolRun', callId: 'c1', name: 'edit', args: { edits: [{ path: '正文/1.md', old: 'a', new: 'b' }] } },
  written(t1),
  { type: 'toolDone', callId: 'c1', name: 'edit', ok: true, result: '{"matches":[{"path":"正文/1.md","line":1,"level":"exact"}],"files":[]}' },
  { type: 'text', round: 2, text: '改好了。' },
  written(r1),
  { type: 'ended', turnId: 'u1', status: 'done' },
];

describe('a running turn', () => {
  test('moves text that was thinking to the thinking', () => {
    const { steps } = play([
      ...turn.slice(0, 2),
      { type: 'text', round: 1, text: '先想' },
      { type: 'textWasReasoning', round: 1 },
      { type: 'text', round: 1, text: '好。' },
    ]);
    expect(steps.slice(-2).map((items) => items.at(-1))).toMatchObject([{ kind: 'assistant', text: '', reasoning: '先想' }, { text: '好。', reasoning: '先想' }]);
  });

  test('asks for a permission as a question, with what would change, and shows what was decided', () => {
    const { steps } = play([
      ...turn.slice(0, 2),
      { type: 'confirm', askId: 'c1:confirm', path: 'AGENTS.md', change: '− 短句\n+ 长句' },
      { type: 'confirmed', askId: 'c1:confirm', agreed: false },
    ]);
    expect(steps[2]?.at(-1)).toMatchObject({
      kind: 'ask',
      id: 'c1:confirm',
      question: 'May the agent change AGENTS.md? This file holds the rules the agent itself works by.\n− 短句\n+ 长句',
      options: ['Allow this change', 'Leave it as it is'],
      state: 'open',
    });
    expect(steps[3]?.at(-1)).toMatchObject({ state: 'answered', answer: 'Leave it as it is' });
  });

  test('ends as what the log says', () => {
    expect(play(turn).items).toEqual(itemsOfBranch(entries, { t: fillMessage, filesOf: () => undefined }));
  });

  test('grows a message in place, by appends', () => {
    const { steps } = play(turn.slice(0, 6));
    expect(steps[3]?.at(-1)).toMatchObject({ id: 'u1:1', text: '', reasoning: '嗯', state: 'streaming' });
    expect(steps[5]?.at(-1)).toMatchObject({ id: 'u1:1', text: '先看。', reasoning: '嗯', state: 'streaming' });
    expect(reduceTurn({ type: 'text', round: 1, text: '看。' }, { t: fillMessage, turnId: 'u1', round: 1, get: (id) => steps[4]?.find((item) => item.id === id), ofTurn: () => [] })).toEqual([
      { op: 'append', id: 'u1:1', field: 'text', text: '看。' },
    ]);
  });

  test('gives every item one id from its first delta to the end', () => {
    const ids = play(turn).steps.map((items) => items.map((item) => item.id));
    for (const [index, now] of ids.entries()) expect(now.slice(0, ids[index - 1]?.length ?? 0)).toEqual(ids[index - 1] ?? []);
  });

  test('shows a chapter while it is being written, and drops the preview when it stands in the file', () => {
    const { steps } = play([
      turn[0] as TurnEvent,
      { type: 'toolStart', round: 1, callId: 'w', name: 'write' },
      { type: 'toolPreview', callId: 'w', path: '正文/9.md', contentDelta: '# 雾\n' },
      { type: 'toolPreview', callId: 'w', path: '正文/9.md', contentDelta: '起雾了。' },
      { type: 'toolRun', callId: 'w', name: 'write', args: { path: '正文/9.md', content: '# 雾\n起雾了。' } },
      { type: 'toolDone', callId: 'w', name: 'write', ok: true, result: '{"path":"正文/9.md","done":"created","words":4}' },
    ]);
    expect(steps[3]?.[0]).toMatchObject({ state: 'streaming', title: 'Write 正文/9.md', path: '正文/9.md', preview: '# 雾\n起雾了。' });
    expect(steps[4]?.[0]).toMatchObject({ state: 'running', preview: '# 雾\n起雾了。' });
    expect(steps[5]?.[0]).toMatchObject({ state: 'done', note: 'New file' });
    expect(steps[5]?.[0]).not.toHaveProperty('preview');
  });

  test('shows a question open, then answered, and no card for the tool behind it', () => {
    const choice = branchOf(entry('c', 'choice', { callId: 'q', question: '？', options: ['甲', '乙'], answer: '乙', by: 'user' }))[0] as Entry;
    const { steps } = play([
      turn[0] as TurnEvent,
      { type: 'toolStart', round: 1, callId: 'q', name: 'ask' },
      { type: 'toolRun', callId: 'q', name: 'ask', args: {} },
      { type: 'ask', callId: 'q', question: '？', options: ['甲', '乙'] },
      written(choice),
      { type: 'toolDone', callId: 'q', name: 'ask', ok: true, result: '{}' },
    ]);
    expect(steps[3]).toEqual([{ kind: 'ask', id: 'q', turnId: 'u1', question: '？', options: ['甲', '乙'], state: 'open' }]);
    expect(steps[5]).toEqual([{ kind: 'ask', id: 'q', turnId: 'u1', question: '？', options: ['甲', '乙'], state: 'answered', answer: '乙' }]);
  });

  test('says that it tries again, until something comes', () => {
    const { steps } = play([
      turn[0] as TurnEvent,
      { type: 'retry', error: { code: 'model.overloaded' }, afterMs: 1500, until: 9_500, attempt: 1 },
      { type: 'text', round: 1, text: '好' },
    ]);
    expect(steps[1]).toMatchObject([
      {
        kind: 'notice',
        text: 'The service is overloaded; trying again in 2 s (attempt 1).',
        actions: [{ action: 'retryNow' }, { action: 'stop' }],
        countdown: { reason: 'The service is overloaded', attempt: 1, ms: 1500, until: 9_500 },
      },
    ]);
    expect(steps[2]?.map((item) => item.kind)).toEqual(['assistant']);
  });

  test('offers to go on where the length limit cut it, and to try again where nothing was said', () => {
    const { items } = play([turn[0] as TurnEvent, { type: 'notice', error: { code: 'model.output-limit' } }, { type: 'notice', error: { code: 'turn.no-answer' } }, { type: 'notice', error: { code: 'checkpoint.broken' } }]);
    expect(items.map((item) => (item.kind === 'notice' ? item.actions.map(({ action }) => action) : []))).toEqual([['openMaxOutput', 'continue'], ['retry'], []]);
  });

  test('shows why it ended, once, whether told by the reply or by the end', () => {
    const failed = branchOf(entry('u1', 'user', { text: 'x' }), entry('r', 'reply', { text: '', model: '', status: 'error', error: { code: 'model.no-key' } }));
    const { items } = play([
      turn[0] as TurnEvent,
      ...failed.map(written),
      { type: 'ended', turnId: 'u1', status: 'error', error: { code: 'model.no-key' } },
    ]);
    expect(items.map((item) => item.id)).toEqual(['u1', 'u1:error']);
  });

  test('that was refused at once says so', () => {
    const { items } = play([{ type: 'ended', turnId: undefined, status: 'error', error: { code: 'session.busy' } }]);
    expect(items).toMatchObject([{ kind: 'notice', level: 'error' }]);
  });

  test('that was stopped ends without an error', () => {
    expect(play([turn[0] as TurnEvent, { type: 'ended', turnId: 'u1', status: 'stopped', error: { code: 'turn.aborted' } }]).items).toEqual([]);
  });

  test('closes the card of a call whose stream was stopped: it was not run', () => {
    const { steps, items } = play([
      turn[0] as TurnEvent,
      written(u1),
      { type: 'toolStart', round: 1, callId: 'w', name: 'write' },
      { type: 'toolPreview', callId: 'w', path: '正文/9.md', contentDelta: '# 雾' },
      { type: 'ended', turnId: 'u1', status: 'stopped' },
    ]);
    expect(steps[3]?.at(-1)).toMatchObject({ id: 'w', state: 'streaming' });
    expect(items.at(-1)).toMatchObject({ id: 'w', state: 'failed', note: 'Not run.' });
    expect(items.at(-1)).not.toHaveProperty('preview');
  });

  test('closes the cards of calls that the log has without an answer, as the log shows them', () => {
    const [, step] = branchOf(entry('u1', 'user', { text: '改一处' }), entry('s1', 'step', { calls: [{ callId: 'c1', name: 'read', args: '{"path":"正文/1.md"}' }], model: 'm' }));
    const events: TurnEvent[] = [turn[0] as TurnEvent, written(u1), { type: 'toolStart', round: 1, callId: 'c1', name: 'read' }, written(step!)];
    const { items } = play([...events, { type: 'ended', turnId: 'u1', status: 'error', error: { code: 'turn.aborted' } }]);
    expect(items.at(-1)).toMatchObject({ id: 'c1', state: 'failed', note: 'Interrupted', title: 'Read 正文/1.md' });
    expect(items).toEqual(itemsOfBranch([u1, step!], { t: fillMessage, filesOf: () => undefined }));
  });

  test('leaves the cards of other turns alone', () => {
    const { items } = play([
      turn[0] as TurnEvent,
      { type: 'toolStart', round: 1, callId: 'c', name: 'list' },
      { type: 'ended', turnId: 'u2', status: 'stopped' },
    ]);
    expect(items).toMatchObject([{ id: 'c', state: 'streaming' }]);
  });

  test('takes a streamed message away when its entry has no words', () => {
    const step = branchOf(entry('s', 'step', { calls: [{ callId: 'c', name: 'list', args: '{}' }], model: 'm' }))[0] as Entry;
    const { items } = play([turn[0] as TurnEvent, { type: 'text', round: 1, text: ' \n' }, written(step)]);
    expect(items.map((item) => item.id)).toEqual(['c']);
  });

  test('puts its changes at the end, and none when there are none', () => {
    const change = { path: '正文/1.md', before: 'a', after: 'b', added: 2, removed: 1 };
    const changes = (files: readonly (typeof change)[]): TurnEvent => ({ type: 'changes', changes: { turnId: 'u1', from: 'x', to: 'y', files } });
    expect(play([turn[0] as TurnEvent, changes([change])]).items).toEqual([
      { kind: 'changes', id: 'u1:changes', turnId: 'u1', undone: false, files: [{ path: '正文/1.md', status: 'modified', added: 2, removed: 1 }] },
    ]);
    expect(play([turn[0] as TurnEvent, changes([])]).items).toEqual([]);
  });
});
