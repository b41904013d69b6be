import { describe, expect, it } from 'vitest';
import type { Entry, EntryData, EntryType } from '../../../src/engine/session/entries';
import { hiddenOn, historyOf, openTurn, recentBranch } from '../../../src/engine/session/history';
import { newestLeaf, variantsOf } from '../../../src/engine/session/variants';
import { HEADER, line, reply, say, SESSION_ID, user, value, withSessions } from './support';

let count = 0;
const entry = <T extends EntryType>(id: string, type: T, data: EntryData<T>): Entry =>
  ({ id, parentId: null, ts: (count += 1), type, data }) as unknown as Entry;
const call = (callId: string): { callId: string; name: string; args: string } => ({ callId, name: 'read', args: '{}' });
const changed = { added: [], modified: ['正文/001.md'], renamed: [], removed: [] };

const greeting = entry('g', 'reply', { text: '开场', model: 'm', status: 'sealed' });
const full: readonly Entry[] = [
  entry('u1', 'user', { text: '读三章' }),
  entry('c1', 'context', { sha: 'aa', blocks: [] }),
  entry('s1', 'step', { text: '先看', calls: [call('k1'), call('k2')], model: 'm' }),
  entry('t1', 'tool', { callId: 'k1', result: '{}', ok: true }),
  entry('t2', 'tool', { callId: 'k2', result: '{}', ok: false }),
  entry('s2', 'step', { calls: [call('k3')], model: 'm' }),
  entry('ch', 'choice', { callId: 'k3', question: '?', options: ['甲', '乙'], answer: '甲', by: 'option' }),
  entry('t3', 'tool', { callId: 'k3', result: '{"answer":"甲"}', ok: true }),
  entry('r1', 'reply', { text: '改好了', model: 'm', status: 'sealed' }),
  entry('k', 'checkpoint', { id: 'cp', author: 'agent', message: '读三章', changed }),
  entry('e1', 'end', { status: 'done' }),
];

describe('historyOf', () => {
  it('groups a branch into turns with their steps, answers, choices, reply, checkpoints and end', () => {
    const { preface, turns } = historyOf([greeting, ...full, entry('u2', 'user', { text: '接着' })]);
    expect(preface.map(({ id }) => id)).toEqual(['g']);
    expect(turns.map(({ id }) => id)).toEqual(['u1', 'u2']);
    const [first, second] = turns;
    expect(first?.context?.data.sha).toBe('aa');
    expect(first?.steps.map((step) => [step.entry.id, step.tools.map(({ id }) => id), step.unanswered])).toEqual([
      ['s1', ['t1', 't2'], []],
      ['s2', ['t3'], []],
    ]);
    expect(first?.choices.map(({ data }) => data.answer)).toEqual(['甲']);
    expect(first?.reply?.data.text).toBe('改好了');
    expect(first?.checkpoints.map(({ data }) => data.id)).toEqual(['cp']);
    expect(first?.end?.data.status).toBe('done');
    expect(first?.entries).toHaveLength(11);
    expect(second).toMatchObject({ steps: [], replies: [], reply: undefined, end: undefined, context: undefined });
  });

  it('names calls that were never answered', () => {
    const { turns } = historyOf(full.slice(0, 4));
    expect(turns[0]?.steps[0]?.tools.map(({ id }) => id)).toEqual(['t1']);
    expect(turns[0]?.steps[0]?.unanswered).toEqual(['k2']);
  });

  it('gives an answer to the nearest step before it when a model used a call id twice', () => {
    const { turns } = historyOf([
      entry('u', 'user', { text: 'x' }),
      entry('a', 'step', { calls: [call('same')], model: 'm' }),
      entry('a1', 'tool', { callId: 'same', result: '1', ok: true }),
      entry('b', 'step', { calls: [call('same')], model: 'm' }),
      entry('b1', 'tool', { callId: 'same', result: '2', ok: true }),
    ]);
    expect(turns[0]?.steps.map(({ tools }) => tools.map(({ id }) => id))).toEqual([['a1'], ['b1']]);
  });

  it('is empty for an empty branch', () => {
    expect(historyOf([])).toEqual({ preface: [], turns: [] });
  });
});

describe('openTurn', () => {
  it('is the last turn while it has no end', () => {
    expect(openTurn(full)).toBeUndefined();
    expect(openTurn(full.slice(0, -1))?.id).toBe('u1');
    expect(openTurn([...full, entry('u2', 'user', { text: '接着' })])?.id).toBe('u2');
    expect(openTurn([])).toBeUndefined();
    expect(openTurn([greeting])).toBeUndefined();
  });

  it('does not look at earlier turns', () => {
    const cut = full.slice(0, 5);
    expect(openTurn([...cut, entry('u2', 'user', { text: 'x' }), entry('e2', 'end', { status: 'interrupted' })])).toBeUndefined();
  });
});

describe('hiddenOn', () => {
  it('takes the last word about each entry', () => {
    const hide = (id: string): Entry => entry(`h-${id}`, 'hide', { targetId: id });
    const unhide = (id: string): Entry => entry(`n-${id}`, 'unhide', { targetId: id });
    expect([...hiddenOn([hide('a'), hide('b'), unhide('a')])]).toEqual(['b']);
    expect([...hiddenOn([hide('a'), unhide('a'), hide('a')])]).toEqual(['a']);
  });
});

describe('recentBranch', () => {
  it('gives the last turns and how much lies before them', () =>
    withSessions(async ({ sessions }) => {
      const session = value(await sessions.create({ kind: 'agent', title: 't' }));
      await session.append([user('一'), reply('1'), user('二'), reply('2'), user('三')], { durable: false });
      const texts = (turns: number): readonly unknown[] => recentBranch(session, turns).branch.map(({ data }) => ('text' in data ? data.text : ''));
      expect(texts(2)).toEqual(['二', '2', '三']);
      expect(recentBranch(session, 2).earlier).toBe(2);
      expect(texts(99)).toEqual(['一', '1', '二', '2', '三']);
      expect(recentBranch(session, 99).earlier).toBe(0);
      expect(recentBranch(session, 0).branch).toEqual([]);
      await session.close();
    }));
});

describe('variantsOf', () => {
  const answer = (id: string, parent: string, ts: number): string => line(id, parent, ts, 'reply', { text: id, model: 'm', status: 'sealed' });

  it('are the child subtrees with a reply, and lead to their newest leaf', () =>
    withSessions(async ({ put, sessions }) => {
      await put(
        [
          HEADER,
          say('u', null, 1),
          answer('r1', 'u', 2),
          say('u2', 'r1', 3),
          answer('old', 'u2', 4),
          answer('new', 'u2', 9),
          line('s', 'u', 5, 'step', { calls: [], model: 'm' }),
          answer('r2', 's', 6),
          line('dead', 'u', 7, 'end', { status: 'error' }),
          '',
        ].join('\n'),
      );
      const session = value(await sessions.open(SESSION_ID));
      value(await session.setLeaf('r2'));
      expect(variantsOf(session, 'u')).toEqual([
        { root: 'r1', leaf: 'new', current: false },
        { root: 's', leaf: 'r2', current: true },
      ]);
      expect(newestLeaf(session, 'u')).toBe('new');
      expect(newestLeaf(session, 'old')).toBe('old');
      await session.close();
    }));

  it('step through a context that several replies share', () =>
    withSessions(async ({ put, sessions }) => {
      await put(
        [HEADER, say('u', null, 1), line('c', 'u', 2, 'context', { sha: 'x', blocks: [] }), answer('r1', 'c', 3), answer('r2', 'c', 4), ''].join('\n'),
      );
      const session = value(await sessions.open(SESSION_ID));
      expect(variantsOf(session, 'u').map(({ root, current }) => [root, current])).toEqual([
        ['r1', false],
        ['r2', true],
      ]);
      await session.close();
    }));
});
