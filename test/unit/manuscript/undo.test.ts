import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { codeOf, must, turn, withWorld, type World } from './world';

const start = '雨下了一夜。\n他没有走。\n天亮了。\n';

const begin = async (world: World, files: Record<string, string> = { '正文/a.md': start }): Promise<string> => {
  for (const [path, content] of Object.entries(files)) await world.write(path, content);
  return must(await world.checkpoints.take({ author: 'user', message: '开始' }))?.id ?? '';
};
const end = async (world: World, words = '改'): Promise<void> => {
  must(await world.checkpoints.endTurn(turn(1), words, false));
};

describe('undoing a turn', () => {
  it('takes the agent’s edits back and says which state that is', () =>
    withWorld(async (world) => {
      const first = await begin(world);
      await world.agentEdits(turn(1), '正文/a.md', '他没有走', '她走了');
      await world.agentEdits(turn(1), '正文/a.md', '天亮了', '天黑了');
      await end(world);
      const undone = must(await world.checkpoints.undoTurn(turn(1)));
      expect(undone).toMatchObject({ undone: ['正文/a.md'], conflicts: [] });
      expect(await world.disk('正文/a.md')).toBe(start);
      expect(must(await world.checkpoints.get(undone.checkpoint ?? ''))).toMatchObject({ author: 'user', message: '撤销「改」', restoredFrom: first });
    }));

  it('keeps what the author wrote before, behind and between, unsaved words too', () =>
    withWorld(async (world) => {
      await begin(world);
      await world.agentEdits(turn(1), '正文/a.md', '他没有走', '她走了');
      await end(world);
      await world.documents.type('正文/a.md', '雨下', '昨夜雨下');
      await world.documents.type('正文/a.md', '走了。', '走了。谁也没拦。');
      await world.documents.type('正文/a.md', '', '完。\n');
      const undone = must(await world.checkpoints.undoTurn(turn(1)));
      expect(undone.conflicts).toEqual([]);
      expect(await world.documents.text('正文/a.md')).toBe('昨夜雨下了一夜。\n他没有走。谁也没拦。\n天亮了。\n完。\n');
      expect(world.documents.isDirty('正文/a.md')).toBe(true);
      expect(await world.disk('正文/a.md')).toBe('雨下了一夜。\n她走了。\n天亮了。\n');
      expect(must(await world.checkpoints.get(undone.checkpoint ?? ''))).not.toHaveProperty('restoredFrom');
      // What stood there is kept as well.
      expect(must(await world.checkpoints.list()).map(({ message }) => message)).toEqual(['撤销「改」', '撤销之前', '改', '开始']);
    }));

it('brings back a chapter that was deleted after the author had saved words into the edited text', () =>
    withWorld(async (world) => {
      await begin(world);
      await world.agentEdits(turn(1), '正文/a.md', '他没有走', '她走了');
      await world.documents.type('正文/a.md', '', '完。\n');
      await world.documents.save('正文/a.md');
      await world.agentDeletes(turn(1), '正文/a.md');
      await end(world);
      const undone = must(await world.checkpoints.undoTurn(turn(1)));
      expect(undone).toMatchObject({ undone: ['正文/a.md'], conflicts: [] });
      expect(await world.disk('正文/a.md')).toBe('雨下了一夜。\n他没有走。\n天亮了。\n完。\n');
    }));

    it.each(['shiftjis', 'eucjp', 'gbk', 'gb2312'])('reads and writes a chapter that the editor shows in %s as it stands there', (encoding) =>
    withWorld(async (world) => {
      const text = '雨の夜。\n三日つづいた。\n朝。\n';
      const bytes = (now: string): string => iconv.encode(now, encoding).toString('hex');
      const disk = async (): Promise<string> => Buffer.from((await world.files.read('正文/a.md')) ?? []).toString('hex');
      await world.write('正文/a.md', iconv.encode(text, encoding));
      must(await world.checkpoints.take({ author: 'user', message: '开始' }));
      await world.documents.open('正文/a.md', encoding);
      await world.agentEdits(turn(1), '正文/a.md', '三日つづいた', '五日やまない');
      await end(world);
      expect(must(await world.checkpoints.undoTurn(turn(1)))).toMatchObject({ undone: ['正文/a.md'], conflicts: [] });
      expect(await world.documents.text('正文/a.md')).toBe(text);
      expect(await disk()).toBe(bytes(text));

      await world.agentEdits(turn(2), '正文/a.md', '三日つづいた', '五日やまない');
      must(await world.checkpoints.endTurn(turn(2), '改', false));
      await world.documents.type('正文/a.md', '朝。', '朝。誰もいない。');
      expect(must(await world.checkpoints.undoTurn(turn(2)))).toMatchObject({ undone: ['正文/a.md'], conflicts: [] });
      expect(await world.documents.text('正文/a.md')).toBe('雨の夜。\n三日つづいた。\n朝。誰もいない。\n');
      await world.documents.save('正文/a.md');
      expect(await disk()).toBe(bytes('雨の夜。\n三日つづいた。\n朝。誰もいない。\n'));
    }));

  it('lists and leaves words that the author changed too, and takes the rest back', () =>
    withWorld(async (world) => {
      await begin(world);
      await world.agentEdits(turn(1), '正文/a.md', '他没有走', '她走了很远');
      await world.agentEdits(turn(1), '正文/a.md', '天亮了', '天黑了');
      await end(world);
      await world.documents.type('正文/a.md', '很远', '不远');
      const undone = must(await world.checkpoints.undoTurn(turn(1)));
      expect(undone.undone).toEqual(['正文/a.md']);
      expect(undone.conflicts).toEqual([{ path: '正文/a.md', quote: expect.stringContaining('不远') as string }]);
      expect(await world.documents.text('正文/a.md')).toBe('雨下了一夜。\n她走了不远。\n天亮了。\n');
    }));

  it('changes nothing when all is a conflict, and may be tried again', () =>
    withWorld(async (world) => {
      await begin(world);
      await world.agentEdits(turn(1), '正文/a.md', '他没有走', '她走了很远');
      await end(world);
      await world.documents.type('正文/a.md', '很远', '不远');
      expect(must(await world.checkpoints.undoTurn(turn(1)))).toMatchObject({ undone: [], conflicts: [{ path: '正文/a.md' }] });
      await world.documents.type('正文/a.md', '不远', '很远');
      expect(must(await world.checkpoints.undoTurn(turn(1)))).toMatchObject({ undone: ['正文/a.md'], conflicts: [] });
      expect(await world.documents.text('正文/a.md')).toBe(start);
    }));

  it('brings back what was deleted, takes away what was made, and renames back', () =>
    withWorld(async (world) => {
      const first = await begin(world, { '正文/a.md': '甲。', '正文/b.md': '乙。', '正文/c.md': '丙。' });
      await world.agentCreates(turn(1), '正文/d.md', '丁。');
      await world.agentEdits(turn(1), '正文/d.md', '丁', '戊');
      await world.agentDeletes(turn(1), '正文/b.md');
      await world.agentRenames(turn(1), '正文/c.md', '正文/卷一/c2.md');
      await world.agentEdits(turn(1), '正文/卷一/c2.md', '丙', '叁');
      await end(world);
      const undone = must(await world.checkpoints.undoTurn(turn(1)));
      expect(undone).toMatchObject({ undone: ['正文/b.md', '正文/c.md', '正文/d.md'], conflicts: [] });
      expect(await world.all()).toEqual({ '正文/a.md': '甲。', '正文/b.md': '乙。', '正文/c.md': '丙。' });
      expect(must(await world.checkpoints.get(undone.checkpoint ?? '')).restoredFrom).toBe(first);
    }));

  it('keeps a renamed file’s new words of the author', () =>
    withWorld(async (world) => {
      await begin(world, { '正文/c.md': '丙。\n' });
      await world.agentRenames(turn(1), '正文/c.md', '正文/c2.md');
      await end(world);
      await world.documents.type('正文/c2.md', '', '又写。\n');
      must(await world.checkpoints.undoTurn(turn(1)));
      expect(await world.documents.text('正文/c.md')).toBe('丙。\n又写。\n');
      expect(await world.disk('正文/c2.md')).toBeUndefined();
    }));

  it('leaves a file the agent made when the author has written in it', () =>
    withWorld(async (world) => {
      await begin(world, { '正文/a.md': '甲。' });
      await world.agentCreates(turn(1), '正文/d.md', '丁。\n');
      await end(world);
      await world.documents.type('正文/d.md', '', '我的话。');
      expect(must(await world.checkpoints.undoTurn(turn(1)))).toMatchObject({ undone: [], conflicts: [{ path: '正文/d.md', quote: '丁。' }] });
      expect(await world.documents.text('正文/d.md')).toBe('丁。\n我的话。');
    }));

  it('leaves a file the author made where the agent had deleted one', () =>
    withWorld(async (world) => {
      await begin(world, { '正文/a.md': '甲。', '正文/b.md': '乙。' });
      await world.agentDeletes(turn(1), '正文/b.md');
      await end(world);
      await world.write('正文/b.md', '新的乙。');
      expect(must(await world.checkpoints.undoTurn(turn(1)))).toMatchObject({ undone: [], conflicts: [{ path: '正文/b.md', quote: '新的乙。' }] });
      expect(await world.disk('正文/b.md')).toBe('新的乙。');
    }));

  it('leaves gone what the author has deleted since', () =>
    withWorld(async (world) => {
      await begin(world);
      await world.agentEdits(turn(1), '正文/a.md', '他没有走', '她走了');
      await end(world);
      await world.remove('正文/a.md');
      expect(must(await world.checkpoints.undoTurn(turn(1)))).toMatchObject({ undone: [], conflicts: [] });
      expect(await world.disk('正文/a.md')).toBeUndefined();
    }));

  it('takes back only that turn, though later ones edited the same file', () =>
    withWorld(async (world) => {
      await begin(world);
      await world.agentEdits(turn(1), '正文/a.md', '他没有走', '她走了');
      await end(world);
      await world.agentEdits(turn(2), '正文/a.md', '天亮了', '天黑了');
      must(await world.checkpoints.endTurn(turn(2), '再改', false));
      must(await world.checkpoints.undoTurn(turn(1)));
      expect(await world.disk('正文/a.md')).toBe('雨下了一夜。\n他没有走。\n天黑了。\n');
      must(await world.checkpoints.undoTurn(turn(2)));
      expect(await world.disk('正文/a.md')).toBe(start);
    }));

  it('has nothing to do for a turn without edits, or one undone already, also after a restart', () =>
    withWorld(async (world) => {
      await begin(world);
      expect(codeOf(await world.checkpoints.undoTurn(turn(1)))).toBe('undo.nothing');
      await world.agentEdits(turn(1), '正文/a.md', '他没有走', '她走了');
      await end(world);
      must(await world.checkpoints.undoTurn(turn(1)));
      expect(codeOf(await world.checkpoints.undoTurn(turn(1)))).toBe('undo.nothing');
      expect(codeOf(await world.reopen().checkpoints.undoTurn(turn(1)))).toBe('undo.nothing');
    }));

  it('works on a turn that has not ended, and on another machine from the checkpoints alone', () =>
    withWorld(async (world) => {
      await begin(world, { '正文/a.md': start, '正文/c.md': '丙。' });
      await world.agentEdits(turn(1), '正文/a.md', '他没有走', '她走了');
      must(await world.checkpoints.undoTurn(turn(1)));
      expect(await world.disk('正文/a.md')).toBe(start);
      await world.agentEdits(turn(2), '正文/a.md', '天亮了', '天黑了');
      await world.agentRenames(turn(2), '正文/c.md', '正文/c2.md');
      must(await world.checkpoints.endTurn(turn(2), '再改', false));
      await rm(join(world.root, '.liyuan/local'), { recursive: true });
      const other = world.reopen();
      await other.documents.type('正文/a.md', '', '完。');
      must(await other.checkpoints.undoTurn(turn(2)));
      expect(await other.documents.text('正文/a.md')).toBe(`${start}完。`);
      expect(await other.disk('正文/c.md')).toBe('丙。');
    }));

  it('works it out again when the author types at that moment', () =>
    withWorld(async (world) => {
      await begin(world);
      await world.agentEdits(turn(1), '正文/a.md', '他没有走', '她走了');
      await end(world);
      const stop = world.documents.before('apply', async () => {
        stop();
        await world.documents.type('正文/a.md', '雨下', '大雨下');
      });
      must(await world.checkpoints.undoTurn(turn(1)));
      expect(await world.documents.text('正文/a.md')).toBe('大雨下了一夜。\n他没有走。\n天亮了。\n');
    }));

  it.each(['put', 'rename', 'delete'] as const)('puts everything back when a %s fails', (operation) =>
    withWorld(async (world) => {
      await begin(world, { '正文/a.md': '甲。', '正文/b.md': '乙。', '正文/c.md': '丙。' });
      await world.agentEdits(turn(1), '正文/a.md', '甲', '壹');
      await world.agentCreates(turn(1), '正文/d.md', '丁。');
      await world.agentDeletes(turn(1), '正文/b.md');
      await world.agentRenames(turn(1), '正文/c.md', '正文/c2.md');
      await end(world);
      const before = await world.all();
      const stop = world.documents.before(operation, (path) => {
        stop();
        return { code: 'store.io', args: { path } };
      });
      expect(codeOf(await world.checkpoints.undoTurn(turn(1)))).toBe('store.io');
      expect(await world.all()).toEqual(before);
      expect(must(await world.checkpoints.undoTurn(turn(1)))).toMatchObject({ conflicts: [] });
      expect(await world.all()).toEqual({ '正文/a.md': '甲。', '正文/b.md': '乙。', '正文/c.md': '丙。' });
    }),
  );

  it('leaves a chapter the agent made when the author writes into it while it is being undone', () =>
    withWorld(async (world) => {
      await begin(world);
      await world.agentCreates(turn(1), '正文/新.md', '新章。');
      await end(world);
      let looks = 0;
      const stop = world.documents.before('delete', async (path) => {
        expect(path).toBe('正文/新.md');
        stop();
        looks += 1;
        await world.write(path, '新章。作者接着写的一段。');
      });
      expect(must(await world.checkpoints.undoTurn(turn(1)))).toMatchObject({ undone: [], conflicts: [{ path: '正文/新.md' }] });
      expect(looks).toBe(1);
      expect(await world.disk('正文/新.md')).toBe('新章。作者接着写的一段。');
    }));

  it.each(['delete', 'put'] as const)('overwrites nothing but what it has looked at: words come right before the %s', (operation) =>
    withWorld(async (world) => {
      const old = Buffer.from([0, 1, 2, 0, 255, 254]);
      await world.write('正文/a.md', old);
      must(await world.checkpoints.take({ author: 'user' }));
      if (operation === 'put') {
        must(await world.checkpoints.journal(turn(1)).record({ path: '正文/a.md', before: old, after: Buffer.from([0, 9, 0]) }));
        await world.write('正文/a.md', Buffer.from([0, 9, 0]));
      } else await world.agentCreates(turn(1), '正文/b.md', '新章。');
      await end(world);
      const path = operation === 'put' ? '正文/a.md' : '正文/b.md';
      // At the second look: the plan is made, its steps are not.
      let looks = 0;
      world.documents.before('bytes', async (looked) => {
        if (looked === path && ++looks === 2) await world.write(path, '作者写的。');
      });
      world.documents.before(operation, async () => void (looks === 1 && (await world.write(path, '作者写的。'))));
      must(await world.checkpoints.undoTurn(turn(1)));
      expect(await world.disk(path)).toBe('作者写的。');
    }),
  );

  it('takes its own edits back when a step fails, and leaves what the author has typed meanwhile', () =>
    withWorld(async (world) => {
      await begin(world, { '正文/a.md': '一。二。三。', '正文/b.md': '乙。' });
      await world.agentEdits(turn(1), '正文/a.md', '一', '壹');
      await world.agentDeletes(turn(1), '正文/b.md');
      await end(world);
      await world.documents.open('正文/a.md');
      const stop = world.documents.before('put', async (path) => {
        stop();
        await world.documents.type('正文/a.md', '', '刚打的一段。');
        return { code: 'store.disk-full', args: { path } };
      });
      expect(codeOf(await world.checkpoints.undoTurn(turn(1)))).toBe('store.disk-full');
      expect(await world.documents.text('正文/a.md')).toBe('壹。二。三。刚打的一段。');
      expect(must(await world.checkpoints.undoTurn(turn(1)))).toMatchObject({ conflicts: [] });
      expect(await world.documents.text('正文/a.md')).toBe('一。二。三。刚打的一段。');
    }));

  it('puts everything back when a step throws, as on a busy file', () =>
    withWorld(async (world) => {
      await begin(world, { '正文/a.md': '甲。', '正文/b.md': '乙。' });
      await world.agentEdits(turn(1), '正文/a.md', '甲', '壹');
      await world.agentDeletes(turn(1), '正文/b.md');
      await end(world);
      const stop = world.documents.before('put', () => {
        stop();
        throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' });
      });
      expect(codeOf(await world.checkpoints.undoTurn(turn(1)))).toBe('store.busy');
      expect(await world.all()).toEqual({ '正文/a.md': '壹。' });
    }));

  it('does not delete a chapter it has brought back and the author has written into, when a later step fails', () =>
    withWorld(async (world) => {
      await begin(world, { '正文/a.md': start, '正文/z.md': '尾。' });
      await world.agentEdits(turn(1), '正文/a.md', '他没有走', '她走了');
      await world.documents.type('正文/a.md', '', '完。\n');
      await world.documents.save('正文/a.md');
      await world.agentDeletes(turn(1), '正文/z.md');
      await world.agentDeletes(turn(1), '正文/a.md');
      await end(world);
      world.documents.before('put', async (path) => {
        await world.write('正文/a.md', `${await world.disk('正文/a.md')}接着写。\n`);
        return { code: 'store.disk-full', args: { path } };
      });
      expect(codeOf(await world.checkpoints.undoTurn(turn(1)))).toBe('store.disk-full');
      expect(await world.disk('正文/a.md')).toBe('雨下了一夜。\n他没有走。\n天亮了。\n完。\n接着写。\n');
    }));

  it('gives up after three refusals of the editor, changing nothing', () =>
    withWorld(async (world) => {
      await begin(world);
      await world.agentEdits(turn(1), '正文/a.md', '他没有走', '她走了');
      await end(world);
      world.documents.rejectApply(3);
      expect(codeOf(await world.checkpoints.undoTurn(turn(1)))).toBe('doc.apply-rejected');
      expect(must(await world.checkpoints.undoTurn(turn(1))).undone).toEqual(['正文/a.md']);
    }));
});
