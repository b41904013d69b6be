import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../src/engine/text/hash';
import iconv from 'iconv-lite';
import { must, turn, withWorld, type World } from './world';

const text = (world: World, id: string | undefined, path: string): Promise<string | undefined> =>
  world.checkpoints.fileAt(id ?? '', path).then((found) => {
    const bytes = must(found);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString();
  });

const begin = async (world: World, files: Record<string, string>): Promise<string> => {
  for (const [path, content] of Object.entries(files)) await world.write(path, content);
  return must(await world.checkpoints.take({ author: 'user', message: '开始' }))?.id ?? '';
};

describe('the end of a turn', () => {
  it('is one checkpoint of the agent when only the agent changed something', () =>
    withWorld(async (world) => {
      const start = await begin(world, { '正文/a.md': '雨下了一夜。他没有走。' });
      await world.agentEdits(turn(1), '正文/a.md', '他没有走', '她走了');
      const ended = must(await world.checkpoints.endTurn(turn(1), '把他改成她\n再短一点', false));
      expect(ended.records).toHaveLength(1);
      expect(ended.records[0]).toMatchObject({ author: 'agent', message: '把他改成她 再短一点', turn: turn(1), parents: [start] });
      expect(ended.records[0]).not.toHaveProperty('aborted');
      expect(ended.changed).toEqual({ added: [], modified: ['正文/a.md'], renamed: [], removed: [] });
      expect(ended.changes).toMatchObject([{ path: '正文/a.md', added: 2, removed: 3 }]);
      expect(must(await world.checkpoints.before(turn(1))).id).toBe(start);
      expect((await world.lines()).map(({ type }) => type)).toEqual(['checkpoint', 'intent', 'checkpoint']);
    }));

  it('is no checkpoint when nothing was changed', () =>
    withWorld(async (world) => {
      await begin(world, { '正文/a.md': '雨。' });
      expect(must(await world.checkpoints.endTurn(turn(1), '聊聊', false))).toEqual({
        records: [], changes: [], changed: { added: [], modified: [], renamed: [], removed: [] },
      });
      expect((await world.checkpoints.before(turn(1))).ok).toBe(false);
    }));

  it('keeps the first 60 characters of the words and marks a stopped turn', () =>
    withWorld(async (world) => {
      await begin(world, { '正文/a.md': '雨。' });
      await world.agentEdits(turn(1), '正文/a.md', '雨', '雪');
      const [record] = must(await world.checkpoints.endTurn(turn(1), '𠮷'.repeat(70), true)).records;
      expect(record).toMatchObject({ message: `${'𠮷'.repeat(60)}（已中止）`, aborted: true });
    }));

  it('credits words typed meanwhile in another file to the author, first', () =>
    withWorld(async (world) => {
      const start = await begin(world, { '正文/a.md': '雨。', '正文/b.md': '夜。' });
      await world.agentEdits(turn(1), '正文/a.md', '雨', '雪');
      await world.documents.type('正文/b.md', '', '静。');
      const { records, changes } = must(await world.checkpoints.endTurn(turn(1), '改', false));
      expect(records.map(({ author, message }) => [author, message])).toEqual([['user', '作者的改动'], ['agent', '改']]);
      expect(records[0]?.parents).toEqual([start]);
      expect(records[1]?.parents).toEqual([records[0]?.id]);
      expect(records[0]?.delta).toEqual({ '正文/b.md': sha256Hex('夜。静。') });
      expect(records[1]?.delta).toEqual({ '正文/a.md': sha256Hex('雪。') });
      expect(changes.map(({ path }) => path)).toEqual(['正文/a.md']);
      expect(must(await world.checkpoints.before(turn(1))).id).toBe(records[0]?.id);
    }));

  it('tells the author’s words from the agent’s within one file', () =>
    withWorld(async (world) => {
      await begin(world, { '正文/a.md': '雨下了一夜。\n他没有走。\n天亮了。\n' });
      await world.agentEdits(turn(1), '正文/a.md', '他没有走', '她走了');
      await world.documents.type('正文/a.md', '雨下了一夜。', '昨夜，雨下了一夜。');
      await world.agentEdits(turn(1), '正文/a.md', '天亮了', '天黑了');
      const { records } = must(await world.checkpoints.endTurn(turn(1), '改', false));
      expect(records.map(({ author }) => author)).toEqual(['user', 'agent']);
      expect(await text(world, records[0]?.id, '正文/a.md')).toBe('昨夜，雨下了一夜。\n他没有走。\n天亮了。\n');
      expect(await text(world, records[1]?.id, '正文/a.md')).toBe('昨夜，雨下了一夜。\n她走了。\n天黑了。\n');
    }));

  it('tells them apart in a GBK file too', () =>
    withWorld(async (world) => {
      await world.write('正文/a.md', iconv.encode('雨下了一夜。\n他没有走。\n', 'gbk'));
      must(await world.checkpoints.take({ author: 'user', message: '开始' }));
      const before = iconv.encode('雨下了一夜。\n他没有走。\n', 'gbk');
      const after = iconv.encode('雨下了一夜。\n她走了。\n', 'gbk');
      must(await world.checkpoints.journal(turn(1)).record({ path: '正文/a.md', before, after }));
      await world.write('正文/a.md', after);
      await world.documents.type('正文/a.md', '', '静。');
      const { records } = must(await world.checkpoints.endTurn(turn(1), '改', false));
      const own = must(await world.checkpoints.fileAt(records[0]?.id ?? '', '正文/a.md'));
      expect(iconv.decode(Buffer.from(own ?? []), 'gbk')).toBe('雨下了一夜。\n他没有走。\n静。');
    }));

  it('credits words that cannot be told apart to the agent, and nothing to the author', () =>
    withWorld(async (world) => {
      await begin(world, { '正文/a.md': '他没有走。' });
      await world.agentEdits(turn(1), '正文/a.md', '他没有走', '她走了很远');
      await world.documents.type('正文/a.md', '很远', '不太远');
      const { records } = must(await world.checkpoints.endTurn(turn(1), '改', false));
      expect(records.map(({ author }) => author)).toEqual(['agent']);
      expect(await text(world, records[0]?.id, '正文/a.md')).toBe('她走了不太远。');
    }));

  it('knows what the agent made, deleted and renamed', () =>
    withWorld(async (world) => {
      await begin(world, { '正文/a.md': '甲。', '正文/b.md': '乙。', '正文/c.md': '丙。' });
      await world.agentCreates(turn(1), '正文/d.md', '丁。');
      await world.agentDeletes(turn(1), '正文/b.md');
      await world.agentRenames(turn(1), '正文/c.md', '正文/c2.md');
      await world.agentEdits(turn(1), '正文/c2.md', '丙', '全都换了');
      await world.documents.type('正文/a.md', '', '嗯');
      const { records, changed } = must(await world.checkpoints.endTurn(turn(1), '改', false));
      expect(records[0]).toMatchObject({ author: 'user', changed: { modified: ['正文/a.md'], added: [], removed: [], renamed: [] } });
      expect(changed).toEqual({ added: ['正文/d.md'], modified: [], renamed: [['正文/c.md', '正文/c2.md']], removed: ['正文/b.md'] });
      expect(records[1]?.changed).toEqual(changed);
    }));

  it('leaves out an edit that was journalled and taken back because it could not be applied', () =>
    withWorld(async (world) => {
      await begin(world, { '正文/a.md': '雨。' });
      const [before, after] = [Buffer.from('雨。'), Buffer.from('雪。')];
      must(await world.checkpoints.journal(turn(1)).record({ path: '正文/a.md', before, after }));
      must(await world.checkpoints.journal(turn(1)).record({ path: '正文/a.md', before: after, after: before }));
      await world.documents.type('正文/a.md', '', '夜。');
      const { records, changes } = must(await world.checkpoints.endTurn(turn(1), '改', false));
      expect(records.map(({ author }) => author)).toEqual(['user']);
      expect(changes).toEqual([]);
    }));

  it('credits nothing twice when it is ended again', () =>
    withWorld(async (world) => {
      await begin(world, { '正文/a.md': '雨。' });
      await world.agentEdits(turn(1), '正文/a.md', '雨', '雪');
      const first = must(await world.checkpoints.endTurn(turn(1), '改', false));
      for (const same of [world, world.reopen()]) {
        const again = must(await same.checkpoints.endTurn(turn(1), '改', false));
        expect(again.records).toEqual([]);
        expect(again.changes).toEqual(first.changes);
      }
    }));

  it('credits what comes after when a turn goes on', () =>
    withWorld(async (world) => {
      const start = await begin(world, { '正文/a.md': '雨。夜。' });
      await world.agentEdits(turn(1), '正文/a.md', '雨', '雪');
      must(await world.checkpoints.endTurn(turn(1), '改', false));
      await world.agentEdits(turn(1), '正文/a.md', '夜', '晨');
      const { records, changes } = must(await world.checkpoints.endTurn(turn(1), '改', false));
      expect(records).toHaveLength(1);
      expect(changes).toMatchObject([{ path: '正文/a.md', added: 2, removed: 2 }]);
      expect(must(await world.checkpoints.before(turn(1))).id).toBe(start);
    }));
});

describe('a checkpoint while a turn is open', () => {
  it('credits the agent’s edits to the agent after the host was killed', () =>
    withWorld(async (world) => {
      await begin(world, { '正文/a.md': '雨。', '正文/b.md': '夜。' });
      await world.agentEdits(turn(1), '正文/a.md', '雨', '雪');
      const again = world.reopen();
      await again.write('正文/b.md', '夜深。');
      must(await again.checkpoints.take({ author: 'user', message: '外面改的' }));
      const [agent, user] = must(await again.checkpoints.list());
      expect(user).toMatchObject({ author: 'user', message: '外面改的', delta: { '正文/b.md': sha256Hex('夜深。') } });
      expect(agent).toMatchObject({ author: 'agent', message: '助手的改动', turn: turn(1), delta: { '正文/a.md': sha256Hex('雪。') } });
      expect(must(await again.checkpoints.endTurn(turn(1), '改', true)).records).toEqual([]);
    }));

  it('keeps an edit open that is announced but not yet applied', () =>
    withWorld(async (world) => {
      await begin(world, { '正文/a.md': '雨。' });
      must(await world.checkpoints.journal(turn(1)).record({ path: '正文/a.md', before: Buffer.from('雨。'), after: Buffer.from('雪。') }));
      expect(must(await world.checkpoints.take({ author: 'user', message: 'x' }))).toBeUndefined();
      await world.write('正文/a.md', '雪。');
      expect(must(await world.checkpoints.endTurn(turn(1), '改', false)).records).toMatchObject([{ author: 'agent' }]);
    }));

  it('forgets an edit that was announced and never applied, once its host must be gone: later words stay whose they are', () =>
    withWorld(async (world) => {
      await begin(world, { '正文/a.md': '雨。' });
      must(await world.checkpoints.journal(turn(1)).record({ path: '正文/a.md', before: Buffer.from('雨。'), after: Buffer.from('雨下了一夜。') }));
      world.clock.advance(120_000);
      must(await world.checkpoints.take({ author: 'user', message: 'x' }));
      await world.write('正文/a.md', '雨下了一夜。他没有走。');
      expect(must(await world.checkpoints.take({ author: 'user', message: '作者写的' }))).toMatchObject({ author: 'user', message: '作者写的' });
      expect(must(await world.checkpoints.list()).map(({ author }) => author)).toEqual(['user', 'user']);
    }));

  it('credits two turns of two sessions each its own edits', () =>
    withWorld(async (world) => {
      await begin(world, { '正文/a.md': '一。\n二。\n三。\n' });
      const other = { sessionId: 'other', userEntryId: 'user-9' };
      await world.agentEdits(turn(1), '正文/a.md', '一', '壹');
      await world.agentEdits(other, '正文/a.md', '三', '叁');
      const { records } = must(await world.checkpoints.endTurn(turn(1), '改一', false));
      expect(records.map(({ message, turn: of }) => [message, of?.userEntryId])).toEqual([['助手的改动', 'user-9'], ['改一', 'user-1']]);
      expect(await text(world, records[0]?.id, '正文/a.md')).toBe('一。\n二。\n叁。\n');
      expect(await text(world, records[1]?.id, '正文/a.md')).toBe('壹。\n二。\n叁。\n');
    }));

  it('falls back to the agent for whole files when what an edit recorded is damaged', () =>
    withWorld(async (world) => {
      await begin(world, { '正文/a.md': '一。\n二。\n' });
      await world.agentEdits(turn(1), '正文/a.md', '一', '壹');
      await world.documents.type('正文/a.md', '', '三。');
      const sha = sha256Hex('壹。\n二。\n');
      await world.remove(`.liyuan/objects/${sha.slice(0, 2)}/${sha}`);
      const { records } = must(await world.checkpoints.endTurn(turn(1), '改', false));
      expect(records).toMatchObject([{ author: 'agent' }]);
      expect(world.log.of('warn')).toHaveLength(1);
    }));
});
