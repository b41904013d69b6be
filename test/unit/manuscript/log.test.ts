import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../src/engine/text/hash';
import { codeOf, must, withWorld, type World } from './world';

const LOG = '.liyuan/checkpoints/log.jsonl';
const logText = (world: World): Promise<string> => readFile(join(world.root, LOG), 'utf8');
const setLog = (world: World, lines: readonly unknown[]): Promise<void> =>
  writeFile(join(world.root, LOG), lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));

/** Takes one checkpoint of 正文/<name>.md with this text. */
async function step(world: World, name: string, text: string): Promise<string> {
  await world.write(`正文/${name}.md`, text);
  return must(await world.checkpoints.take({ author: 'user', message: text }))?.id ?? '';
}

describe('the log of checkpoints', () => {
  it('writes a full manifest when the chain since the last one is 64 long', () =>
    withWorld(async (world) => {
      for (let at = 0; at < 66; at += 1) await step(world, 'a', `${at}`);
      const records = [...must(await world.checkpoints.list())].reverse();
      expect(records.map(({ depth }) => depth)).toEqual([...Array.from({ length: 64 }, (_, at) => at), 0, 1]);
      expect(records.flatMap(({ files }, at) => (files === undefined ? [] : [at]))).toEqual([0, 64]);
      for (const [at, { id }] of records.entries()) {
        expect(must(await world.checkpoints.manifest(id)).get('正文/a.md')).toBe(sha256Hex(`${at}`));
      }
    }));

  it('folds the same after a restart, from the cache and without it', () =>
    withWorld(async (world) => {
      for (let at = 0; at < 5; at += 1) await step(world, `${at}`, `${at}`);
      const list = must(await world.checkpoints.list());
      const last = [...must(await world.checkpoints.manifest(list[0]?.id ?? ''))];
      for (const cached of [true, false]) {
        if (!cached) await writeFile(join(world.root, '.liyuan/cache/checkpoints.json'), '{"v":1');
        const again = world.reopen();
        expect(must(await again.checkpoints.head())?.id).toBe(list[0]?.id);
        expect([...must(await again.checkpoints.manifest(list[0]?.id ?? ''))]).toEqual(last);
        expect([...must(await again.checkpoints.manifest(list[3]?.id ?? ''))]).toEqual([['正文/0.md', sha256Hex('0')], ['正文/1.md', sha256Hex('1')]]);
        expect(must(await again.checkpoints.list())).toEqual(list);
      }
    }));

  it('does not believe a cache that belongs to other bytes', () =>
    withWorld(async (world) => {
      const first = await step(world, 'a', '一');
      const lines = await world.lines();
      await step(world, 'a', '二');
      await setLog(world, lines);
      const again = world.reopen();
      expect(must(await again.checkpoints.head())?.id).toBe(first);
      expect(must(await again.checkpoints.take({ author: 'user', message: '3' }))).toMatchObject({ parents: [first], delta: { '正文/a.md': sha256Hex('二') } });
    }));

  it('sees what another window has added', () =>
    withWorld(async (world) => {
      await step(world, 'a', '一');
      const other = world.reopen();
      const second = await step(other, 'b', '二');
      expect(must(await world.checkpoints.head())?.id).toBe(second);
      expect(await step(world, 'c', '三')).not.toBe('');
      expect(must(await other.checkpoints.list()).map(({ message }) => message)).toEqual(['三', '二', '一']);
    }));

  it('joins two tips: the next checkpoint is whole and has both as parents', () =>
    withWorld(async (world) => {
      await step(world, 'a', '一');
      const common = await world.lines();
      const left = await step(world, 'b', '左');
      const leftLines = await world.lines();
      await setLog(world, common);
      const other = world.reopen();
      other.clock.advance(1_000);
      const right = await step(other, 'c', '右');
      const rightLines = await other.lines();
      // As git merges them with merge=union.
      await setLog(other, [...leftLines, ...rightLines.slice(common.length)]);
      const merged = other.reopen();
      expect(must(await merged.checkpoints.head())?.id).toBe(right);
      expect(must(await merged.checkpoints.list())).toHaveLength(3);
      expect([...must(await merged.checkpoints.manifest(left)).keys()]).toEqual(['正文/a.md', '正文/b.md']);
      expect(must(await merged.checkpoints.take({ author: 'user', message: '不变' }))).toBeUndefined();
      await merged.write('正文/d.md', '合');
      const record = must(await merged.checkpoints.take({ author: 'user', message: '合' }));
      expect(record).toMatchObject({ parents: [right, left], depth: 0 });
      expect(Object.keys(record?.files ?? {})).toEqual(['正文/a.md', '正文/b.md', '正文/c.md', '正文/d.md']);
      await merged.write('正文/d.md', '续');
      expect(must(await merged.checkpoints.take({ author: 'user', message: '续' }))).toMatchObject({ parents: [record?.id], depth: 1 });
    }));

  it('reads a log merged in any order of lines, with a line twice', () =>
    withWorld(async (world) => {
      await step(world, 'a', '一');
      await step(world, 'b', '二');
      const last = await step(world, 'a', '三');
      const list = must(await world.checkpoints.list());
      const lines = await world.lines();
      await setLog(world, [...lines].reverse().concat(lines.slice(0, 1)));
      const again = world.reopen();
      expect(must(await again.checkpoints.list())).toEqual(list);
      expect(must(await again.checkpoints.head())?.id).toBe(last);
      expect([...must(await again.checkpoints.manifest(last))]).toEqual([['正文/a.md', sha256Hex('三')], ['正文/b.md', sha256Hex('二')]]);
    }));

  it('calls a checkpoint broken whose tree does not match, and goes on with a whole one', () =>
    withWorld(async (world) => {
      const first = await step(world, 'a', '一');
      const second = await step(world, 'b', '二');
      const lines = await world.lines();
      const bad = { ...lines[1], tree: '0'.repeat(64) };
      await setLog(world, [lines[0], bad]);
      const again = world.reopen();
      expect(await again.checkpoints.manifest(second)).toEqual({ ok: false, error: { code: 'checkpoint.broken', args: { id: second } } });
      expect(codeOf(await again.checkpoints.restore(second))).toBe('checkpoint.broken');
      expect(codeOf(await again.checkpoints.planRestore(second))).toBe('checkpoint.broken');
      expect([...must(await again.checkpoints.manifest(first)).keys()]).toEqual(['正文/a.md']);
      const record = must(await again.checkpoints.take({ author: 'user', message: '3' }));
      expect(record).toMatchObject({ parents: [second], depth: 0, files: { '正文/a.md': sha256Hex('一'), '正文/b.md': sha256Hex('二') } });
      expect(must(await again.checkpoints.verify()).broken).toEqual([second]);
    }));

  it('calls a checkpoint broken whose parent is missing', () =>
    withWorld(async (world) => {
      await step(world, 'a', '一');
      const second = await step(world, 'b', '二');
      const lines = await world.lines();
      await setLog(world, lines.slice(1));
      const again = world.reopen();
      expect(codeOf(await again.checkpoints.manifest(second))).toBe('checkpoint.broken');
      expect(must(await again.checkpoints.list())).toHaveLength(1);
    }));

  it('skips lines that are no records, and mends a torn tail', () =>
    withWorld(async (world) => {
      const first = await step(world, 'a', '一');
      await appendFile(join(world.root, LOG), '{"v":1,"type":"checkpo');
      const again = world.reopen();
      await again.write('正文/a.md', '二');
      const second = must(await again.checkpoints.take({ author: 'user', message: '2' }));
      expect(second?.parents).toEqual([first]);
      expect((await logText(again)).split('\n')).toHaveLength(4);
      expect(must(await again.reopen().checkpoints.list()).map(({ id }) => id)).toEqual([second?.id, first]);
      expect(again.log.of('warn')).toHaveLength(1);
    }));

  it('ends at a circle of parents, as a damaged log may hold it', () =>
    withWorld(async (world) => {
      const first = await step(world, 'a', '一');
      const [line] = await world.lines();
      const added = [
        { ...line, id: 'z-a', parents: ['z-b'] },
        { ...line, id: 'z-b', parents: ['z-a'] },
        { ...line, id: 'z-tip', parents: ['z-a'] },
      ];
      await appendFile(join(world.root, LOG), added.map((one) => `${JSON.stringify(one)}\n`).join(''));
      const again = world.reopen();
      expect(must(await again.checkpoints.authoredBetween(first, 'z-tip'))).toEqual([]);
      await again.write('正文/a.md', '二');
      must(await again.checkpoints.take({ author: 'user', message: '2' }));
    }));

  it('opens a newer version for reading only', () =>
    withWorld(async (world) => {
      const first = await step(world, 'a', '一');
      const [line] = await world.lines();
      await appendFile(join(world.root, LOG), `${JSON.stringify({ ...line, v: 2, id: 'later', parents: [first] })}\n`);
      const again = world.reopen();
      await again.write('正文/a.md', '二');
      expect(codeOf(await again.checkpoints.take({ author: 'user', message: '2' }))).toBe('store.newer-version');
      expect(must(await again.checkpoints.list())).toHaveLength(2);
    }));

  it('leaves pruned checkpoints out of the list and still folds through them', () =>
    withWorld(async (world) => {
      const first = await step(world, 'a', '一');
      const second = await step(world, 'b', '二');
      await appendFile(join(world.root, LOG), `${JSON.stringify({ type: 'prune', ids: [first], ts: 1 })}\n`);
      const again = world.reopen();
      expect(must(await again.checkpoints.list()).map(({ id }) => id)).toEqual([second]);
      expect(must(await again.checkpoints.manifest(second)).size).toBe(2);
    }));

  it('waits for another window that holds the lock, and gives up with a refusal', () =>
    withWorld(async (world) => {
      await world.write('正文/a.md', '一');
      await world.files.mkdir('.liyuan/locks');
      const lock = await world.files.lock('.liyuan/locks/checkpoints');
      const taken = world.checkpoints.take({ author: 'user', message: '1' });
      const settled = taken.then(() => true);
      // Real file operations lie between the tries.
      const driven = async (): Promise<void> => {
        for (;;) {
          world.clock.advance(150);
          if (await Promise.race([settled, new Promise<false>((resolve) => setImmediate(() => resolve(false)))])) return;
        }
      };
      await driven();
      expect(codeOf(await taken)).toBe('store.locked');
      await lock.release();
      expect(codeOf(await world.checkpoints.take({ author: 'user', message: '1' }))).toBe('ok');
    }));
});
