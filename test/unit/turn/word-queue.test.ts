import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { QueuedWords } from '../../../src/engine/turn/word-queue';
import { createWordQueue } from '../../../src/engine/turn/word-queue';
import { createTurnGate } from '../../../src/engine/turn/gate';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { must } from '../../fakes/engine-bench';
import { createFakeIds } from '../../fakes/ids';
import { createMemoryLog } from '../../fakes/log';
import { withTempFolder } from '../../fakes/temp-folder';

const header = { v: 1, type: 'session' as const, id: 's1', kind: 'agent' as const, title: '', createdAt: 0 };
const session = { header, readOnly: false, stub: () => undefined };
const short = (words: readonly QueuedWords[]): readonly string[] => words.map(({ text, steer }) => (steer ? `! ${text}` : text));

function withQueue(f: (bench: { readonly root: string; readonly busy: () => void; readonly queue: ReturnType<typeof createWordQueue>; readonly again: () => ReturnType<typeof createWordQueue> }) => Promise<void>): Promise<void> {
  return withTempFolder(async (root) => {
    const gate = createTurnGate();
    let life = 0;
    const again = (): ReturnType<typeof createWordQueue> => createWordQueue({ files: createNodeFiles(root), ids: createFakeIds((life += 1)), log: createMemoryLog(), gate });
    await f({ root, busy: () => void gate.enter('s1'), queue: again(), again });
  });
}

const file = (root: string): string => join(root, '.liyuan/local/queue/s1.json');

describe('the queue of words', () => {
  it('keeps words in order over restarts, and leaves no file when it is empty', () =>
    withQueue(async ({ root, queue, again }) => {
      await queue.add(session, { text: '一' });
      const two = must(await queue.add(session, { text: '二', mentions: [{ kind: 'file', ref: '正文/001.md' }] }));
      const later = again();
      expect(must(await later.list(session))).toEqual(two);
      expect(short(two)).toEqual(['一', '二']);
      for (const { id } of two) await later.change(session, id, { kind: 'remove' });
      expect(existsSync(file(root))).toBe(false);
    }));

  it('changes, moves and removes single words, and passes over those that are gone', () =>
    withQueue(async ({ queue }) => {
      await queue.add(session, { text: '一' });
      await queue.add(session, { text: '二' });
      const [one, two, three] = must(await queue.add(session, { text: '三' }));
      expect(short(must(await queue.change(session, three?.id ?? '', { kind: 'front' })))).toEqual(['三', '一', '二']);
      expect(short(must(await queue.change(session, one?.id ?? '', { kind: 'text', text: '壹' })))).toEqual(['三', '壹', '二']);
      expect(short(must(await queue.change(session, two?.id ?? '', { kind: 'text', text: '  ' })))).toEqual(['三', '壹']);
      expect(short(must(await queue.change(session, 'gone', { kind: 'front' })))).toEqual(['三', '壹']);
    }));

  it('has what steers before what waits, and only while a turn runs', () =>
    withQueue(async ({ queue, busy }) => {
      const [one] = must(await queue.add(session, { text: '一' }));
      expect(short(must(await queue.change(session, one?.id ?? '', { kind: 'steer' })))).toEqual(['一']);
      busy();
      await queue.add(session, { text: '甲' }, true);
      const steering = must(await queue.change(session, one?.id ?? '', { kind: 'steer' }));
      expect(short(steering)).toEqual(['! 甲', '! 一']);
      expect(short(must(await queue.change(session, steering[0]?.id ?? '', { kind: 'wait' })))).toEqual(['! 一', '甲']);
      must(await queue.endSteering(session));
      expect(short(must(await queue.list(session)))).toEqual(['一', '甲']);
    }));

  it('lets nothing in between while words are said, and keeps them when they could not be', () =>
    withQueue(async ({ queue }) => {
      const [one] = must(await queue.add(session, { text: '一' }));
      let change: Promise<unknown> = Promise.resolve();
      const refused = await queue.say(session, () => true, () => {
        change = queue.change(session, one?.id ?? '', { kind: 'text', text: '改了' });
        return Promise.resolve(false);
      });
      must(refused);
      await change;
      expect(short(must(await queue.list(session)))).toEqual(['改了']);
    }));

  it('refuses to change what another window has', () =>
    withQueue(async ({ queue }) => {
      expect(await queue.add({ ...session, readOnly: true }, { text: '一' })).toMatchObject({ ok: false, error: { code: 'session.read-only' } });
    }));

  it('puts a file aside that it cannot read, instead of writing over it', () =>
    withQueue(async ({ root, queue }) => {
      await mkdir(join(root, '.liyuan/local/queue'), { recursive: true });
      await writeFile(file(root), '{"v":1,"words":"读不懂"}');
      await queue.add(session, { text: '一' });
      const names = await readdir(join(root, '.liyuan/local/queue'));
      const aside = names.find((name) => name.endsWith('.unreadable')) ?? '';
      expect(await readFile(join(root, '.liyuan/local/queue', aside), 'utf8')).toContain('读不懂');
      expect(short(must(await queue.list(session)))).toEqual(['一']);
    }));

  it('keeps of a long selection its first 4,000 字, and says how many there were', () =>
    withQueue(async ({ queue }) => {
      const mention = { kind: 'selection' as const, ref: '正文/001.md', start: 1, end: 2, text: '雨'.repeat(5_000) };
      const [kept] = must(await queue.add(session, { text: '看', mentions: [mention] }));
      expect(kept?.mentions[0]).toEqual({ ...mention, text: '雨'.repeat(4_000), words: 5_000 });
    }));
});
