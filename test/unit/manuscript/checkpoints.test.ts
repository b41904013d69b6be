import { rm, rmdir, symlink, truncate, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../src/engine/text/hash';
import { codeOf, must, turn, withWorld, type World } from './world';

describe('taking a checkpoint', () => {
  it('writes the first one whole, with every covered file and nothing else', () =>
    withWorld(async (world) => {
      await world.write('正文/001-雨夜.md', '雨下了一夜。');
      await world.write('设定/人物.txt', '阿青');
      await world.write('正文/.draft.md', '不算');
      await world.write('正文/.隐/x.md', '不算');
      await world.write('图片/封面.md', '不在其中');
      await world.write('正文/图.png', 'x');
      const record = must(await world.checkpoints.take({ author: 'user', message: '第一次' }));
      expect(record).toMatchObject({ v: 1, type: 'checkpoint', author: 'user', message: '第一次', parents: [], depth: 0 });
      expect(record?.changed).toEqual({ added: ['正文/001-雨夜.md', '设定/人物.txt'], modified: [], renamed: [], removed: [] });
      expect(record?.files).toEqual({ '正文/001-雨夜.md': sha256Hex('雨下了一夜。'), '设定/人物.txt': sha256Hex('阿青') });
      expect(record?.delta).toBeUndefined();
      expect(record?.tree).toBe(sha256Hex(`正文/001-雨夜.md\0${sha256Hex('雨下了一夜。')}\n设定/人物.txt\0${sha256Hex('阿青')}\n`));
    }));

  it('covers AGENTS.md, unless it is a link that leads out of the project', () =>
    withWorld(async (world) => {
      await symlink('/etc/hostname', join(world.root, 'AGENTS.md'));
      await world.write('README.md', '不算');
      expect(must(await world.checkpoints.take({ author: 'user', message: '1' }))?.files).toEqual({});
      await world.remove('AGENTS.md');
      await world.write('AGENTS.md', '短句。');
      expect(must(await world.checkpoints.take({ author: 'user', message: '2' }))?.delta).toEqual({ 'AGENTS.md': sha256Hex('短句。') });
    }));

  it('writes what changed on top of its parent', () =>
    withWorld(async (world) => {
      await world.write('正文/a.md', '一');
      await world.write('正文/b.md', '二');
      const first = must(await world.checkpoints.take({ author: 'user', message: '1' }));
      await world.write('正文/a.md', '壹');
      await world.remove('正文/b.md');
      const second = must(await world.checkpoints.take({ author: 'user', message: '2' }));
      expect(second).toMatchObject({ parents: [first?.id], depth: 1, delta: { '正文/a.md': sha256Hex('壹'), '正文/b.md': null } });
      expect(second?.files).toBeUndefined();
      expect(second?.changed).toEqual({ added: [], modified: ['正文/a.md'], renamed: [], removed: ['正文/b.md'] });
      expect([...must(await world.checkpoints.manifest(second?.id ?? ''))]).toEqual([['正文/a.md', sha256Hex('壹')]]);
      expect(Object.keys(second ?? {})).toEqual(['v', 'type', 'id', 'ts', 'author', 'message', 'changed', 'parents', 'depth', 'tree', 'delta']);
    }));

  it('takes none when nothing has changed, in this process or the next', () =>
    withWorld(async (world) => {
      await world.write('正文/a.md', '一');
      must(await world.checkpoints.take({ author: 'user', message: 'x' }));
      expect(must(await world.checkpoints.take({ author: 'user', message: 'y' }))).toBeUndefined();
      expect(must(await world.reopen().checkpoints.take({ author: 'user', message: 'z' }))).toBeUndefined();
      expect(must(await world.checkpoints.list())).toHaveLength(1);
    }));

  it('takes one of a project without any text', () =>
    withWorld(async (world) => {
      expect(must(await world.checkpoints.take({ author: 'user', message: '空' }))).toMatchObject({ files: {}, tree: sha256Hex('') });
      expect(must(await world.checkpoints.take({ author: 'user', message: '空' }))).toBeUndefined();
    }));

  it('holds unsaved words in open buffers, in the encoding they would be saved in', () =>
    withWorld(async (world) => {
      await world.write('正文/a.md', iconv.encode('雨夜，他没有走。', 'gbk'));
      must(await world.checkpoints.take({ author: 'user', message: '1' }));
      await world.documents.type('正文/a.md', '他', '她');
      const record = must(await world.checkpoints.take({ author: 'user', message: '2' }));
      const bytes = must(await world.checkpoints.fileAt(record?.id ?? '', '正文/a.md'));
      expect(Buffer.from(bytes ?? []).toString('hex')).toBe(iconv.encode('雨夜，她没有走。', 'gbk').toString('hex'));
      expect(world.documents.isDirty('正文/a.md')).toBe(true);
      expect(must(await world.checkpoints.take({ author: 'user', message: '3' }))).toBeUndefined();
    }));

  it('keeps names in NFC whatever the disk has', () =>
    withWorld(async (world) => {
      await world.write('正文/cafe\u0301.md', 'x');
      expect(must(await world.checkpoints.take({ author: 'user', message: '1' }))?.changed.added).toEqual(['正文/caf\u00e9.md']);
    }));

  it('refuses two names equal but for their normal form, naming both', () =>
    withWorld(async (world) => {
      await world.write('正文/cafe\u0301.md', 'x');
      await world.write('正文/caf\u00e9.md', 'y');
      expect(codeOf(await world.checkpoints.take({ author: 'user', message: '1' }))).toBe('path.clash');
    }));

  it('notices a change of the same length within the same tick of the file system', () =>
    withWorld(async (world) => {
      const when = new Date('2026-01-01T00:00:00Z');
      await world.write('正文/a.md', '一');
      await utimes(join(world.root, '正文/a.md'), when, when);
      must(await world.checkpoints.take({ author: 'user', message: '1' }));
      await world.write('正文/a.md', '二');
      await utimes(join(world.root, '正文/a.md'), when, when);
      expect(must(await world.checkpoints.take({ author: 'user', message: '2' }))?.changed.modified).toEqual(['正文/a.md']);
    }));

  it('gives the user’s turn a place, and times that rise even when the clock stands', () =>
    withWorld(async (world) => {
      await world.write('正文/a.md', '一');
      const first = must(await world.checkpoints.take({ author: 'user', message: '1' }));
      await world.write('正文/a.md', '二');
      const second = must(await world.checkpoints.take({ author: 'import', message: '2' }));
      expect(second?.ts).toBe((first?.ts ?? 0) + 1);
      expect(must(await world.checkpoints.list()).map(({ message }) => message)).toEqual(['2', '1']);
      expect(must(await world.checkpoints.head())?.id).toBe(second?.id);
    }));

  it('writes again an object that went missing', () =>
    withWorld(async (world) => {
      await world.write('正文/a.md', '一');
      await world.write('正文/b.md', '二');
      must(await world.checkpoints.take({ author: 'user', message: '1' }));
      const sha = sha256Hex('一');
      await world.remove(`.liyuan/objects/${sha.slice(0, 2)}/${sha}`);
      const again = world.reopen();
      await again.write('正文/b.md', '贰');
      const record = must(await again.checkpoints.take({ author: 'user', message: '2' }));
      expect(Buffer.from(must(await again.checkpoints.fileAt(record?.id ?? '', '正文/a.md')) ?? []).toString()).toBe('一');
    }));

  it('writes nothing when read-only, and still shows what there is', () =>
    withWorld(async (world) => {
      await world.write('正文/a.md', '一');
      const record = must(await world.checkpoints.take({ author: 'user', message: '1' }));
      const reader = world.reopen({ readOnly: true });
      await world.write('正文/a.md', '二');
      expect(codeOf(await reader.checkpoints.take({ author: 'user', message: '2' }))).toBe('store.read-only');
      expect(codeOf(await reader.checkpoints.restore(record?.id ?? ''))).toBe('store.read-only');
      expect(must(await reader.checkpoints.list())).toHaveLength(1);
      expect(must(await reader.checkpoints.compare(record?.id ?? '', 'now'))).toMatchObject([{ path: '正文/a.md', added: 1, removed: 1 }]);
    }));

  it('leaves out files over the limit, and says so when a restore would meet one', () =>
    withWorld(async (world) => {
      await world.write('正文/a.md', '一');
      const first = must(await world.checkpoints.take({ author: 'user', message: '1' }));
      await world.write('正文/a.md', Buffer.alloc(5 * 1024 * 1024 + 1, 0x61));
      expect(must(await world.checkpoints.take({ author: 'user', message: '2' }))?.changed.removed).toEqual(['正文/a.md']);
      expect(codeOf(await world.checkpoints.restore(first?.id ?? ''))).toBe('doc.too-large');
      expect((await world.disk('正文/a.md'))?.length).toBe(5 * 1024 * 1024 + 1);
    }));
});

describe('comparing', () => {
  it('counts 字 per file between checkpoints, from nothing and with now', () =>
    withWorld(async (world) => {
      await world.write('正文/a.md', '雨下了一夜。');
      await world.write('正文/b.md', '天亮了。');
      const first = must(await world.checkpoints.take({ author: 'user', message: '1' }));
      await world.write('正文/a.md', '雪下了一夜。他走了。');
      await world.remove('正文/b.md');
      await world.write('正文/c.md', '新的一章');
      const second = must(await world.checkpoints.take({ author: 'user', message: '2' }));
      const [a, b, c] = [sha256Hex('雨下了一夜。'), sha256Hex('天亮了。'), sha256Hex('新的一章')];
      const a2 = sha256Hex('雪下了一夜。他走了。');
      expect(must(await world.checkpoints.compare(null, first?.id ?? ''))).toEqual([
        { path: '正文/a.md', before: null, after: a, added: 6, removed: 0 },
        { path: '正文/b.md', before: null, after: b, added: 4, removed: 0 },
      ]);
      const changes = [
        { path: '正文/a.md', before: a, after: a2, added: 5, removed: 1 },
        { path: '正文/b.md', before: b, after: null, added: 0, removed: 4 },
        { path: '正文/c.md', before: null, after: c, added: 4, removed: 0 },
      ];
      expect(must(await world.checkpoints.compare(first?.id ?? '', second?.id ?? ''))).toEqual(changes);
      expect(must(await world.checkpoints.compare(first?.id ?? '', 'now'))).toEqual(changes);
      await world.documents.type('正文/c.md', '', '！');
      expect(must(await world.checkpoints.compare(second?.id ?? '', 'now'))).toMatchObject([{ path: '正文/c.md', added: 1, removed: 0 }]);
    }));

  it('knows a renamed file by its content, and by likeness when it was edited too', () =>
    withWorld(async (world) => {
      const long = '雨下了一夜，他没有走。她问他从哪里来，他说不出话，只看着檐下的水线一滴一滴落进石缝。';
      await world.write('正文/001-雨夜.md', '甲乙丙丁');
      await world.write('正文/002-刀.md', long);
      await world.write('正文/003-x.md', '完全不同的一章，讲账房先生与盐税的旧事。');
      const first = must(await world.checkpoints.take({ author: 'user', message: '1' }));
      await world.remove('正文/001-雨夜.md');
      await world.write('正文/001-夜雨.md', '甲乙丙丁');
      await world.remove('正文/002-刀.md');
      await world.write('正文/005-刀光.md', long.replace('没有走', '终于走了'));
      await world.remove('正文/003-x.md');
      await world.write('正文/004-y.md', '山下的集市上，人们在谈论昨夜的大火。');
      const second = must(await world.checkpoints.take({ author: 'user', message: '2' }));
      expect(second?.changed).toEqual({
        added: ['正文/004-y.md'],
        modified: [],
        renamed: [['正文/001-雨夜.md', '正文/001-夜雨.md'], ['正文/002-刀.md', '正文/005-刀光.md']],
        removed: ['正文/003-x.md'],
      });
      expect(must(await world.checkpoints.compare(first?.id ?? '', second?.id ?? '')).find(({ path }) => path === '正文/005-刀光.md')).toMatchObject({
        from: '正文/002-刀.md',
        added: 3,
        removed: 2,
      });
    }));

  it('does not guess which of two equal files went where by their hash alone', () =>
    withWorld(async (world) => {
      await world.write('正文/a.md', '同');
      await world.write('正文/b.md', '同');
      must(await world.checkpoints.take({ author: 'user', message: '1' }));
      await world.remove('正文/a.md');
      await world.remove('正文/b.md');
      await world.write('正文/c.md', '同');
      expect(must(await world.checkpoints.take({ author: 'user', message: '2' }))?.changed).toEqual({
        added: ['正文/c.md'], modified: [], renamed: [], removed: ['正文/a.md', '正文/b.md'],
      });
    }));

  it('refuses a checkpoint that is not there', () =>
    withWorld(async (world) => {
      expect(codeOf(await world.checkpoints.compare(null, 'x'))).toBe('checkpoint.not-found');
      expect(codeOf(await world.checkpoints.get('x'))).toBe('checkpoint.not-found');
      expect(codeOf(await world.checkpoints.fileAt('x', '正文/a.md'))).toBe('checkpoint.not-found');
      expect(must(await world.checkpoints.head())).toBeUndefined();
      expect(must(await world.checkpoints.list())).toEqual([]);
    }));
});

describe('links among the chapters', () => {
  it('that cannot be followed or lead out of what is covered are left out, and no restore touches them', () =>
    withWorld(async (world) => {
      await world.write('正文/a.md', '甲');
      await world.write('正文/附/b.md', '乙');
      const before = must(await world.checkpoints.take({ author: 'user', message: '1' }))?.id ?? '';
      await world.write('正文/a.md', '甲二');
      await world.remove('正文/附/b.md');
      await rmdir(join(world.root, '正文/附'));
      await world.write('别处/b.md', '别的');
      await world.write('.隐/c.md', '密');
      await symlink('../别处', join(world.root, '正文/附'));
      await symlink('../.隐', join(world.root, '正文/隐'));
      await symlink('环.md', join(world.root, '正文/环.md'));
      await symlink('nowhere', join(world.root, '正文/断.md'));
      await symlink('环', join(world.root, '设定'));
      await symlink('设定', join(world.root, '环'));
      const after = must(await world.checkpoints.take({ author: 'user', message: '2' }))?.id ?? '';
      expect([...must(await world.checkpoints.manifest(after)).keys()]).toEqual(['正文/a.md']);
      must(await world.checkpoints.restore(before));
      expect([await world.disk('正文/a.md'), await world.disk('别处/b.md')]).toEqual(['甲', '别的']);
    }));
});

describe('the objects a checkpoint names', () => {
  const objectOf = (text: string): string => {
    const sha = sha256Hex(text);
    return `.liyuan/objects/${sha.slice(0, 2)}/${sha}`;
  };
  const kept = async (world: World): Promise<void> => {
    const taken = must(await world.checkpoints.take({ author: 'user', message: '2' }))?.id ?? '';
    await world.write('正文/a.md', '全换了');
    must(await world.checkpoints.take({ author: 'user', message: '3' }));
    must(await world.checkpoints.restore(taken));
    expect(await world.disk('正文/a.md')).toBe('一');
  };
  const begin = async (world: World): Promise<void> => {
    for (const text of ['一', '二二']) {
      await world.write('正文/a.md', text);
      must(await world.checkpoints.take({ author: 'user', message: '1' }));
    }
  };

  it.each<[string, (world: World) => Promise<void>]>([
    ['gone', (world) => world.remove(objectOf('一'))],
    ['of zero bytes', (world) => truncate(join(world.root, objectOf('一')))],
    ['damaged', (world) => world.write(objectOf('一'), 'x')],
  ])('are written anew when they are %s and the text comes back, also in an open window', (_, harm) =>
    withWorld(async (world) => {
      await begin(world);
      await harm(world);
      await world.write('正文/a.md', '一');
      await kept(world);
      await begin(world);
      await harm(world);
      const again = world.reopen();
      await again.write('正文/a.md', '一');
      await kept(again);
    }),
  );

  it('are written anew for texts that did not change, when their folders look different', () =>
    withWorld(async (world) => {
      await world.write('正文/a.md', '一');
      await world.write('正文/b.md', '乙');
      must(await world.checkpoints.take({ author: 'user', message: '1' }));
      const old = new Date('2020-01-01');
      await utimes(join(world.root, '正文/b.md'), old, old);
      await world.remove(objectOf('乙'));
      await world.write('正文/a.md', '二二');
      must(await world.checkpoints.take({ author: 'user', message: '2' }));
      expect(must(await world.checkpoints.verify()).bad).toEqual([]);
    }));

  it('are all there after the whole of .liyuan was taken away', () =>
    withWorld(async (world) => {
      await world.write('正文/a.md', '一');
      must(await world.checkpoints.take({ author: 'user', message: '1' }));
      await rm(join(world.root, '.liyuan'), { recursive: true });
      await world.write('正文/b.md', '乙');
      const again = must(await world.checkpoints.take({ author: 'user', message: '2' }));
      expect(again?.parents).toEqual([]);
      expect(must(await world.checkpoints.verify()).bad).toEqual([]);
    }));
});

describe('the state before a turn', () => {
  it('is that before its first edit, also when the clock has gone back within it', () =>
    withWorld(async (world) => {
      await world.write('正文/a.md', '一。二。');
      const first = must(await world.checkpoints.take({ author: 'user', message: '1' }))?.id;
      await world.agentEdits(turn(1), '正文/a.md', '一', '壹');
      must(await world.checkpoints.take({ author: 'user' }));
      world.clock.set(world.clock.now() - 3_600_000);
      await world.agentEdits(turn(1), '正文/a.md', '二', '贰');
      const ended = must(await world.checkpoints.endTurn(turn(1), '改', false));
      expect(must(await world.checkpoints.before(turn(1))).id).toBe(first);
      expect(ended.changes).toMatchObject([{ before: sha256Hex('一。二。'), after: sha256Hex('壹。贰。') }]);
    }));
});
