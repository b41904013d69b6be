import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { createRehearsalClient } from '../../../src/engine/model/rehearsal';
import { createFakeClock } from '../../fakes/clock';
import type { EngineBench } from '../../fakes/engine-bench';
import { inShort, withEngine } from '../../fakes/engine-bench';

const book = {
  '正文/001-雨夜.md': '# 雨夜\n\n雨下了三天。\n',
  '正文/002-来信.md': '# 来信\n\n信到了，雨还在下。\n',
};

/** The rehearsal model's own clock runs by itself: its pauses are over at once. */
const rehearsal = (language: 'zh' | 'en' = 'zh'): ReturnType<typeof createRehearsalClient> => {
  const clock = createFakeClock();
  return createRehearsalClient({ language, clock: { ...clock, after: (_, f) => (queueMicrotask(f), () => undefined) } });
};

describe('the rehearsal model in a whole turn', () => {
  it('really edits a chapter by a literal request', () =>
    withEngine(book, rehearsal(), async ({ turn, disk, branch }) => {
      const events = await turn('把「三天」改成「五天」');
      expect(events[0]).toMatchObject({ type: 'started', rehearsal: true });
      expect(await disk('正文/001-雨夜.md')).toBe('# 雨夜\n\n雨下了五天。\n');
      expect(inShort(branch()).slice(-2)).toEqual(['checkpoint agent 把「三天」改成「五天」', 'end done']);
    }));

  it('edits a GBK chapter with CRLF and leaves the rest of its bytes alone', () =>
    withEngine({ '正文/001-雨夜.md': iconv.encode('# 雨夜\r\n\r\n雨下了三天。\r\n', 'gbk') }, rehearsal(), async (bench: EngineBench) => {
      await bench.turn('把「三天」改成「五天」');
      expect(Buffer.from((await bench.documents.bytes('正文/001-雨夜.md')) ?? [])).toEqual(
        iconv.encode('# 雨夜\r\n\r\n雨下了五天。\r\n', 'gbk'),
      );
    }));

  it('writes a new chapter', () =>
    withEngine(book, rehearsal(), async ({ turn, engine }) => {
      await turn('新建一章《渡口》');
      const chapters = await engine.manuscript.chapters();
      expect(chapters.ok && chapters.value.map(({ title }) => title)).toEqual(['雨夜', '来信', '渡口']);
    }));
});
