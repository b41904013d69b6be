import { describe, expect, it } from 'vitest';
import type { Files } from '../../../src/engine/ports/files';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { createPartialJournal } from '../../../src/engine/turn/partial-journal';
import { createFakeClock } from '../../fakes/clock';
import { createMemoryLog } from '../../fakes/log';
import { withTempFolder } from '../../fakes/temp-folder';

describe('partial text', () => {
  it('is written at once, then at most every half second, always whole', () =>
    withTempFolder(async (root) => {
      const clock = createFakeClock();
      const files = createNodeFiles(root);
      const written: string[] = [];
      const counting: Files = {
        ...files,
        writeAtomic: (path, bytes, options) => {
          written.push((JSON.parse(new TextDecoder().decode(bytes)) as { text: string }).text);
          return files.writeAtomic(path, bytes, options);
        },
      };
      const journal = createPartialJournal({ files: counting, clock, log: createMemoryLog() });
      const writer = journal.open('s', { turnId: 't', leaf: 'l' });
      for (let i = 0; i < 100; i += 1) {
        writer.add({ text: '雨' });
        clock.advance(10);
      }
      writer.add({ text: '。', reasoning: '想' });
      await writer.settle();
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
