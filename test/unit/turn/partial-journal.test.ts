import { describe, expect, it } from 'vitest';
import type { Files } from '../../../src/engine/ports/files';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { createPartialJournal } from '../../../src/engine/turn/partial-journal';
import { createFakeClock } from '../../fakes/clock';
import { createFaultyFiles } from '../../fakes/faulty-files';
import { createMemoryLog } from '../../fakes/log';
import { withTempFolder } from '../../fakes/temp-folder';

describe('partial text', () => {
  it('is written at once, then at most every half second, always whole', () =>
    withTempFolder(async (root) => {
      const clock = createFakeClock();
      const files = createNodeFiles(root);
      const written: string[] = [];
      let disk = Promise.resolve();
      const counting: Files = {
        ...files,
        writeAtomic: (path, bytes, options) => {
          written.push((JSON.parse(new TextDecoder().decode(bytes)) as { text: string }).text);
          // A disk that answers at once.
          disk = disk.then(() => files.writeAtomic(path, bytes, options));
          return Promise.resolve();
        },
      };
      const journal = createPartialJournal({ files: counting, clock, log: createMemoryLog() });
      const writer = journal.open('s', { turnId: 't', leaf: 'l' });
      for (let i = 0; i < 100; i += 1) {
        writer.add({ text: '雨' });
        clock.advance(10);
        await Promise.resolve();
        await Promise.resolve();
      }
      writer.add({ text: '。', reasoning: '想' });
      await writer.settle();
      await disk;
      expect(written.map((text) => text.length)).toEqual([1, 50, 100, 101]);
      expect(await journal.read('s')).toMatchObject({ turnId: 't', leaf: 'l', text: `${'雨'.repeat(100)}。`, reasoning: '想' });
      expect(clock.pending()).toBe(0);
      await journal.remove('s');
      expect(await journal.read('s')).toBeUndefined();
    }));

  it('that turns out to be thinking is kept as that', () =>
    withTempFolder(async (root) => {
      const journal = createPartialJournal({ files: createNodeFiles(root), clock: createFakeClock(), log: createMemoryLog() });
      const writer = journal.open('s', { turnId: 't', leaf: 'l' });
      writer.add({ text: '先想' });
      writer.textWasReasoning();
      writer.add({ text: '好' });
      await writer.settle();
      expect(await journal.read('s')).toMatchObject({ text: '好', reasoning: '先想' });
    }));

  it('does not pile up on a slow disk: what came during one write goes with the next', () =>
    withTempFolder(async (root) => {
      const clock = createFakeClock();
      const files = createFaultyFiles(createNodeFiles(root));
      const journal = createPartialJournal({ files, clock, log: createMemoryLog() });
      const writer = journal.open('s', { turnId: 't', leaf: 'l' });
      const release = files.hold();
      for (let i = 0; i < 100; i += 1) {
        writer.add({ text: '雨' });
        clock.advance(500);
      }
      release();
      await writer.settle();
      expect(files.seen.map(({ name }) => name)).toEqual(['writeAtomic', 'writeAtomic']);
      expect((await journal.read('s'))?.text).toBe('雨'.repeat(100));
    }));

  it('that cannot be written or read fails nothing and is logged', () =>
    withTempFolder(async (root) => {
      const log = createMemoryLog();
      const files = createNodeFiles(root);
      const broken: Files = { ...files, writeAtomic: () => Promise.reject(new Error('full')) };
      const writer = createPartialJournal({ files: broken, clock: createFakeClock(), log }).open('s', { turnId: 't', leaf: 'l' });
      writer.add({ text: '雨' });
      await writer.settle();
      await files.writeAtomic('.liyuan/local/partial/s.json', new TextEncoder().encode('{'));
      expect(await createPartialJournal({ files, clock: createFakeClock(), log }).read('s')).toBeUndefined();
      expect(log.of('warn')).toHaveLength(2);
    }));
});
