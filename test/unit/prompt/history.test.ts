import { describe, expect, it } from 'vitest';
import { historyMessages } from '../../../src/engine/prompt/history';
import type { Entry, EntryData, EntryType } from '../../../src/engine/session/entries';

let count = 0;
const entry = <T extends EntryType>(type: T, data: EntryData<T>): Entry =>
  ({ id: `e${(count += 1)}`, parentId: null, ts: count, type, data }) as unknown as Entry;
const user = (text: string): Entry => entry('user', { text });
const reply = (text: string, status: 'sealed' | 'stopped' | 'error' = 'sealed'): Entry => entry('reply', { text, model: 'm', status });
const step = (...names: readonly string[]): Entry =>
  entry('step', { text: '看', reasoning: '想', model: 'm', calls: names.map((name) => ({ callId: `c-${name}`, name, args: '{}' })) });
const tool = (name: string): Entry => entry('tool', { callId: `c-${name}`, result: `{"of":"${name}"}`, ok: true });

const messages = (entries: readonly Entry[], options: Partial<Parameters<typeof historyMessages>[1]> = {}): readonly unknown[] =>
  historyMessages(entries, { contextText: () => undefined, noReply: '（没有答完）', ...options }).map(({ message }) => message);

describe('history', () => {
  it('replays words, steps with their reasoning, results and replies', () => {
    expect(messages([user('一'), step('read', 'list'), tool('read'), tool('list'), reply('好。'), entry('end', { status: 'done' }), user('二')])).toEqual([
      { role: 'user', content: '一' },
      {
        role: 'assistant',
        content: '看',
        reasoning: '想',
        calls: [
          { callId: 'c-read', name: 'read', args: '{}' },
          { callId: 'c-list', name: 'list', args: '{}' },
        ],
      },
      { role: 'tool', callId: 'c-read', name: 'read', content: '{"of":"read"}' },
      { role: 'tool', callId: 'c-list', name: 'list', content: '{"of":"list"}' },
      { role: 'assistant', content: '好。' },
      { role: 'user', content: '二' },
    ]);
  });

  it('puts the state block before the words as it was sent, the words alone when it is lost', () => {
    const context = entry('context', { sha: 'abc', blocks: [] });
    expect(messages([user('一'), context], { contextText: (sha) => `状态 ${sha}` })).toEqual([{ role: 'user', content: '状态 abc\n\n一' }]);
    expect(messages([user('一'), context])).toEqual([{ role: 'user', content: '一' }]);
  });

  it('keeps roles alternating where a past turn has no answer', () => {
    expect(messages([user('一'), reply('', 'error'), user('二'), step('read'), tool('read'), reply('', 'stopped'), user('三')])).toMatchObject([
      { role: 'user', content: '一' },
      { role: 'assistant', content: '（没有答完）' },
      { role: 'user', content: '二' },
      { role: 'assistant', content: '看' },
      { role: 'tool' },
      { role: 'assistant', content: '（没有答完）' },
      { role: 'user', content: '三' },
    ]);
  });

  it('answers calls that never got a result, and drops results without a call', () => {
    expect(messages([user('一'), tool('ghost'), step('read'), reply('好。')])).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'tool', callId: 'c-read', content: '{"error":"interrupted"}' },
      { role: 'assistant', content: '好。' },
    ]);
  });

  it('leaves hidden turns out whole', () => {
    const first = user('一');
    expect(messages([first, step('read'), tool('read'), reply('好。'), user('二')], { hidden: new Set([first.id]) })).toEqual([
      { role: 'user', content: '二' },
    ]);
  });

  it('can begin at a cut point', () => {
    expect(messages([tool('read'), reply('旧的'), user('二')])).toEqual([{ role: 'user', content: '二' }]);
  });
});
