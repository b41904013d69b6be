import { describe, expect, test } from 'vitest';
import { itemsOfBranch } from '../../../../src/extension/features/chat/project-branch';
import { fillMessage } from '../../../../src/extension/l10n/translate';
import { branchOf, entry, noChange } from './entries';

const view = { t: fillMessage, filesOf: () => undefined };

const entriesOf = (code: string): ReturnType<typeof branchOf> =>
  branchOf(entry('u1', 'user', { text: 'x' }), entry('r1', 'reply', { text: '写到一', model: 'm', status: 'sealed', notices: [{ code }] }));

describe('a conversation as it is shown', () => {
  test('has the words of both, each under its turn', () => {
    const entries = branchOf(
      entry('u1', 'user', { text: '读第一章' }),
      entry('r1', 'reply', { text: '读过了。', model: 'm', status: 'sealed' }),
      entry('e1', 'end', { status: 'done' }),
      entry('u2', 'user', { text: '再读' }),
    );
    expect(itemsOfBranch(entries, view)).toEqual([
      { kind: 'user', id: 'u1', turnId: 'u1', text: '读第一章', ts: 1000 },
      { kind: 'assistant', id: 'u1:1', turnId: 'u1', text: '读过了。', reasoning: '', state: 'done', reply: true },
      { kind: 'user', id: 'u2', turnId: 'u2', text: '再读', ts: 1003 },
    ]);
  });

  test('shows each call as a card with what came of it, after the words of its step', () => {
    const entries = branchOf(
      entry('u1', 'user', { text: '读' }),
      entry('s1', 'step', { text: '先看看。', calls: [{ callId: 'c1', name: 'read', args: '{"path":"正文/001.md"}' }], model: 'm' }),
      entry('t1', 'tool', { callId: 'c1', result: '{"path":"正文/001.md","start":1,"end":9,"of":9,"text":""}', ok: true }),
      entry('r1', 'reply', { text: '好。', model: 'm', status: 'sealed' }),
    );
    expect(itemsOfBranch(entries, view).slice(1)).toEqual([
      { kind: 'assistant', id: 'u1:1', turnId: 'u1', text: '先看看。', reasoning: '', state: 'done' },
      {
        kind: 'tool', id: 'c1', turnId: 'u1', name: 'read', title: 'Read 正文/001.md', path: '正文/001.md', state: 'done', note: 'Lines 1 to 9 of 9',
        args: '{"path":"正文/001.md"}', result: '{"path":"正文/001.md","start":1,"end":9,"of":9,"text":""}',
      },
      { kind: 'assistant', id: 'u1:2', turnId: 'u1', text: '好。', reasoning: '', state: 'done', reply: true },
    ]);
  });

  test('leaves out a step without words but keeps its thinking', () => {
    const quiet = branchOf(entry('u1', 'user', { text: 'x' }), entry('s1', 'step', { calls: [], model: 'm' }));
    expect(itemsOfBranch(quiet, view)).toHaveLength(1);
    const thinking = branchOf(entry('u1', 'user', { text: 'x' }), entry('s1', 'step', { reasoning: '想一想', calls: [], model: 'm' }));
    expect(itemsOfBranch(thinking, view)[1]).toMatchObject({ kind: 'assistant', text: '', reasoning: '想一想' });
  });

  test('shows a question once, as a question with its answer, never as a tool', () => {
    const entries = branchOf(
      entry('u1', 'user', { text: '怎么办' }),
      entry('s1', 'step', { calls: [{ callId: 'c1', name: 'ask', args: '{}' }], model: 'm' }),
      entry('c', 'choice', { callId: 'c1', question: '往哪走？', options: ['东', '西'], answer: '东', by: 'user' }),
      entry('t1', 'tool', { callId: 'c1', result: '{"answer":"东","by":"user"}', ok: true }),
    );
    expect(itemsOfBranch(entries, view).slice(1)).toEqual([
      { kind: 'ask', id: 'c1', turnId: 'u1', question: '往哪走？', options: ['东', '西'], state: 'answered', answer: '东' },
    ]);
  });

  test('marks a call without an answer as interrupted, unless its turn is running', () => {
    const entries = branchOf(
      entry('u1', 'user', { text: 'x' }),
      entry('s1', 'step', { calls: [{ callId: 'c1', name: 'list', args: '{}' }], model: 'm' }),
    );
    expect(itemsOfBranch(entries, view)[1]).toMatchObject({ state: 'failed', note: 'Interrupted' });
    expect(itemsOfBranch(entries, { ...view, runningTurn: 'u1' })[1]).toMatchObject({ state: 'running' });
  });

  test('shows an error under the words that had come, with what can be done', () => {
    const entries = branchOf(
      entry('u1', 'user', { text: 'x' }),
      entry('r1', 'reply', { text: '写到一', model: 'm', status: 'error', error: { code: 'model.auth' } }),
    );
    const items = itemsOfBranch(entries, view);
    expect(items[1]).toMatchObject({ kind: 'assistant', id: 'u1:1', text: '写到一', state: 'error' });
    expect(items[2]).toMatchObject({ kind: 'notice', id: 'u1:error', level: 'error' });
    expect(items[2]?.kind === 'notice' ? items[2].actions.map((one) => one.action) : []).toEqual(['configureModel', 'retry']);
  });

  test('offers to allow an address that a folder has set, which its words name', () => {
    const error = { code: 'model.not-allowed', args: { address: 'https://a.example' } };
    const items = itemsOfBranch(branchOf(entry('u1', 'user', { text: 'x' }), entry('r1', 'reply', { text: '', model: 'm', status: 'error', error })), view);
    const notice = items.at(-1);
    expect(notice?.kind === 'notice' ? [notice.text.includes('https://a.example'), notice.actions.map((one) => one.action)] : []).toEqual([true, ['allowAddress', 'configureModel', 'retry']]);
  });

  test('keeps what was told of a reply that is no failure: a length limit, a missing answer', () => {
    const limited = entriesOf('model.output-limit');
    expect(itemsOfBranch(limited, view).at(-1)).toMatchObject({ kind: 'notice', id: 'u1:notice:model.output-limit', turnId: 'u1', actions: [{ action: 'openMaxOutput' }, { action: 'continue' }] });
    expect(itemsOfBranch(entriesOf('turn.no-answer'), view).at(-1)).toMatchObject({ kind: 'notice', actions: [{ action: 'retry' }] });
  });

  test('says which of several ways a turn is, and that what it did has been taken back', () => {
    const entries = branchOf(
      entry('u1', 'user', { text: '改' }),
      entry('k1', 'checkpoint', { id: 'k', author: 'agent', message: '改', changed: { added: ['a.md'], modified: [], renamed: [], removed: [] } }),
    );
    const items = itemsOfBranch(entries, { ...view, variantOf: () => ({ at: 2, of: 3 }), isUndone: (turnId) => turnId === 'u1' });
    expect(items).toMatchObject([{ kind: 'user', variant: { at: 2, of: 3 } }, { kind: 'changes', undone: true }]);
  });

  test('shows an error code of a newer version as an internal one', () => {
    const entries = branchOf(
      entry('u1', 'user', { text: 'x' }),
      entry('r1', 'reply', { text: '', model: 'm', status: 'error', error: { code: 'future.thing' } }),
    );
    expect(itemsOfBranch(entries, view)[1]).toMatchObject({ kind: 'notice', text: 'Something went wrong inside Liyuan. The log has the details.' });
  });

  test('keeps a stopped reply, also one without a word', () => {
    const entries = branchOf(entry('u1', 'user', { text: 'x' }), entry('r1', 'reply', { text: '', model: 'm', status: 'stopped' }));
    expect(itemsOfBranch(entries, view)[1]).toMatchObject({ kind: 'assistant', state: 'stopped' });
  });

  test('has one card of changes per turn, from the agent’s checkpoint and not from the author’s', () => {
    const entries = branchOf(
      entry('u1', 'user', { text: 'x' }),
      entry('k0', 'checkpoint', { id: 'cp0', author: 'user', message: '作者的改动', changed: { ...noChange, modified: ['大纲/总纲.md'] } }),
      entry('k1', 'checkpoint', { id: 'cp1', author: 'agent', message: 'x', changed: { added: ['正文/9.md'], modified: ['正文/1.md'], renamed: [['正文/2.md', '正文/3.md']], removed: ['正文/4.md'] } }),
    );
    const row = (path: string, status: string, more = {}): object => ({ path, status, added: 0, removed: 0, ...more });
    expect(itemsOfBranch(entries, view).slice(1)).toEqual([
      {
        kind: 'changes', id: 'u1:changes', turnId: 'u1', undone: false,
        files: [row('正文/9.md', 'added'), row('正文/1.md', 'modified'), row('正文/3.md', 'renamed', { from: '正文/2.md' }), row('正文/4.md', 'removed')],
      },
    ]);
    const counted = itemsOfBranch(entries, { ...view, filesOf: (id) => (id === 'cp1' ? [{ path: '正文/1.md', status: 'modified', added: 3, removed: 2 }] : undefined) });
    expect(counted[1]).toMatchObject({ files: [{ path: '正文/1.md', added: 3, removed: 2 }] });
  });

  test('shows no card when the agent changed nothing', () => {
    const entries = branchOf(entry('u1', 'user', { text: 'x' }), entry('k1', 'checkpoint', { id: 'cp1', author: 'agent', message: 'x', changed: noChange }));
    expect(itemsOfBranch(entries, view)).toHaveLength(1);
  });

  test('marks the changes of an undone turn', () => {
    const entries = branchOf(
      entry('u1', 'user', { text: 'x' }),
      entry('k1', 'checkpoint', { id: 'cp1', author: 'agent', message: 'x', changed: { ...noChange, modified: ['正文/1.md'] } }),
      entry('e', 'end', { status: 'undone' }),
    );
    expect(itemsOfBranch(entries, view)[1]).toMatchObject({ kind: 'changes', undone: true });
  });
});
