import { describe, expect, it } from 'vitest';
import type { Changed, CheckpointRecord } from '../../../src/engine/manuscript/checkpoint-log';
import { historyOfFile } from '../../../src/engine/manuscript/file-history';
import { must, withWorld } from './world';

const record = (n: number, changed: Partial<Changed>): CheckpointRecord => ({
  v: 1, type: 'checkpoint', id: `c${n}`, ts: n, author: 'user', message: '', parents: n === 1 ? [] : [`c${n - 1}`], depth: n - 1, tree: '',
  changed: { added: [], modified: [], renamed: [], removed: [], ...changed },
});
const records = [
  record(1, { added: ['正文/1.md', '正文/2.md'] }),
  record(2, { modified: ['正文/1.md'] }),
  record(3, { renamed: [['正文/1.md', '正文/一.md']] }),
  record(4, { modified: ['正文/2.md'] }),
  record(5, { added: ['正文/1.md'], modified: ['正文/一.md'] }),
  record(6, { removed: ['正文/一.md'] }),
];
const steps = (path: string, at?: string): string[] => historyOfFile(records, path, at).map((step) => `${step.record.id} ${step.path}`);

describe('the history of one file', () => {
  it('holds the checkpoints that changed it, newest first, under the names it had', () => {
    expect(steps('正文/一.md')).toEqual(['c6 正文/一.md', 'c5 正文/一.md', 'c3 正文/一.md', 'c2 正文/1.md', 'c1 正文/1.md']);
    expect(steps('正文/2.md')).toEqual(['c4 正文/2.md', 'c1 正文/2.md']);
    expect(steps('正文/3.md')).toEqual([]);
  });

  it('goes forward from a name of then', () => {
    expect(steps('正文/1.md', 'c2')).toEqual(steps('正文/一.md'));
  });

  it('does not take another file that came under an old name for it', () => {
    expect(steps('正文/1.md')).toEqual(['c5 正文/1.md']);
  });

  it('follows the renames that checkpoints have found', () =>
    withWorld(async (world) => {
      const text = '雨下了一夜。他没有走。天亮的时候，信还在桌上。\n';
      await world.write('正文/a.md', text);
      must(await world.checkpoints.take({ author: 'user', message: '1' }));
      await world.remove('正文/a.md');
      await world.write('正文/b.md', text.replace('他', '她'));
      must(await world.checkpoints.take({ author: 'user', message: '2' }));
      expect(must(await world.checkpoints.touching('正文/b.md')).map(({ path }) => path)).toEqual(['正文/b.md', '正文/a.md']);
    }));
});
