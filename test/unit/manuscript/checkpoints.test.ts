import { describe, expect, it } from 'vitest';
import { codeOf, must, turn, withWorld } from './world';

describe('taking a checkpoint', () => {
  it('writes the first one whole, with every covered file', () =>
    withWorld(async (world) => {
      await world.write('正文/001-雨夜.md', '雨下了一夜。');
      await world.write('设定/人物.txt', '阿青');
      await world.write('正文/.draft.md', '不算');
      await world.write('图片/封面.md', '不在其中');
      await world.write('正文/图.png', 'x');
      const record = must(await world.checkpoints.take({ author: 'user', message: '第一次' }));
      expect(record).toMatchObject({ v: 1, author: 'user', message: '第一次', parents: [], depth: 0 });
      expect(record?.changed).toEqual({ added: ['正文/001-雨夜.md', '设定/人物.txt'], modified: [], renamed: [], removed: [] });
      expect(Object.keys(record?.files ?? {})).toEqual(['正文/001-雨夜.md', '设定/人物.txt']);
      expect(record?.delta).toBeUndefined();
    }));

  it('takes none when nothing has changed', () =>
    withWorld(async (world) => {
      await world.write('正文/a.md', '一');
      must(await world.checkpoints.take({ author: 'user', message: 'x' }));
      expect(must(await world.checkpoints.take({ author: 'user', message: 'y' }))).toBeUndefined();
      expect(must(await world.checkpoints.list())).toHaveLength(1);
      expect(must(await world.reopen().checkpoints.take({ author: 'user', message: 'z' }))).toBeUndefined();
    }));
});
