import { describe, expect, test } from 'vitest';
import { daysAgo, groupByDay } from '../../../../src/extension/features/history/days';
import { changedCount, contextValue, nodeId } from '../../../../src/extension/features/history/nodes';
import { planWords } from '../../../../src/extension/features/history/plan-words';
import { fillMessage as t } from '../../../../src/extension/l10n/translate';
import type { CheckpointRecord } from '../../../../src/engine/index';

const at = (day: number, hour: number, minute = 0): number => new Date(2026, 2, day, hour, minute).getTime();

const record: CheckpointRecord = {
  v: 1, type: 'checkpoint', id: 'cp', ts: at(1, 1), author: 'agent', message: '改', parents: [], depth: 0, tree: '',
  changed: { added: ['a.md'], modified: ['b.md', 'c.md'], renamed: [['d.md', 'e.md']], removed: [] },
};

describe('checkpoints by day', () => {
  test('stand under the day of the person’s own clock, in the order given', () => {
    const days = groupByDay([at(3, 0, 5), at(2, 23, 55), at(2, 0), at(1, 12)], (ts) => ts);
    expect(days).toEqual([
      { start: at(3, 0), nodes: [at(3, 0, 5)] },
      { start: at(2, 0), nodes: [at(2, 23, 55), at(2, 0)] },
      { start: at(1, 0), nodes: [at(1, 12)] },
    ]);
  });

  test('know today from yesterday by the calendar, not by hours', () => {
    expect(daysAgo(at(3, 0), at(3, 23, 59))).toBe(0);
    expect(daysAgo(at(2, 0), at(3, 0, 1))).toBe(1);
    expect(daysAgo(at(1, 0), at(31, 12))).toBe(30);
  });
});

describe('nodes of the history', () => {
  const change = { path: 'b.md', before: 'x', after: 'y', added: 1, removed: 1 };

  test('say by their kind what can be done with them', () => {
    expect(contextValue({ kind: 'checkpoint', record })).toBe('checkpoint');
    expect(contextValue({ kind: 'checkpoint', record: { ...record, turn: { sessionId: 's', userEntryId: 'u' } } })).toBe('checkpoint.turn');
    const mark = { pinned: true };
    expect(contextValue({ kind: 'checkpoint', record, mark })).toBe('checkpoint.pinned');
    expect(contextValue({ kind: 'checkpoint', record, mark: { pinned: false, name: '定稿' } })).toBe('checkpoint');
    expect(contextValue({ kind: 'checkpoint', record: { ...record, turn: { sessionId: 's', userEntryId: 'u' } }, mark }, true)).toBe('checkpoint.turn.pinned.broken');
    expect(contextValue({ kind: 'file', record, change })).toBe('file');
    expect(contextValue({ kind: 'file', record, change: { ...change, after: null } })).toBe('file.removed');
  });

  test('keep an id of their own over a refresh', () => {
    expect([nodeId({ kind: 'checkpoint', record }), nodeId({ kind: 'file', record, change })]).toEqual(['cp', 'cp:b.md']);
  });

  test('have another id where they stand a second time, or are filtered', () => {
    const ids = [
      nodeId({ kind: 'checkpoint', record, kept: true }),
      nodeId({ kind: 'file', record, change, kept: true }),
      nodeId({ kind: 'checkpoint', record, only: 'b.md' }),
      nodeId({ kind: 'day', start: 1, nodes: [{ kind: 'checkpoint', record }] }),
      nodeId({ kind: 'day', start: 1, nodes: [{ kind: 'checkpoint', record, only: 'b.md' }] }),
    ];
    expect(ids).toEqual(['kept:cp', 'kept:cp:b.md', 'only:cp', 'day:1', 'only:day:1']);
  });

  test('count every changed file', () => {
    expect(changedCount(record)).toBe(4);
  });
});

describe('what a restore will do, in words', () => {
  const change = (path: string, more: object = {}): { path: string; before: string | null; after: string | null; added: number; removed: number } => ({
    path, before: 'x', after: 'y', added: 10, removed: 4, ...more,
  });

  test('names counts and files, and that what is there now is saved first', () => {
    const files = [change('正文/1.md'), change('正文/2.md', { before: null, removed: 0 }), change('正文/3.md', { after: null, added: 0 })];
    expect(planWords(t, files, false)).toBe(
      [
        'Files that change: 3 (+20 / −8 words)',
        '正文/1.md: +10 / −4 words',
        '正文/2.md: is back (+10 / −0 words)',
        '正文/3.md: goes away (+0 / −4 words)',
        '',
        'What is there now, unsaved words included, is saved as a checkpoint first.',
      ].join('\n'),
    );
  });

  test('names the first eight of many', () => {
    const lines = planWords(t, Array.from({ length: 11 }, (_, n) => change(`${n}.md`)), false).split('\n');
    expect(lines.slice(8, 10)).toEqual(['7.md: +10 / −4 words', '… and 3 more']);
  });

  test('says what becomes of the conversation', () => {
    expect(planWords(t, [], true)).toMatch(/^The files are already as they were then\.\n\nThe conversation goes back/);
  });
});
