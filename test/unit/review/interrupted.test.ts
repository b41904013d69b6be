import { describe, expect, it } from 'vitest';
import { inShort, must, withEngine } from '../../fakes/engine-bench';
import { asks, call, createScriptedClient, says } from '../../fakes/models';
import type { ModelEvent } from '../../../src/engine/ports/models';

const one = '正文/001-雨夜.md';
const book = { [one]: '# 雨夜\n\n雨下了三天。门开了。\n' };
const edit = (old: string, fresh: string): ReturnType<typeof asks> => asks(call('edit', { edits: [{ path: one, old, new: fresh }] }, `e-${fresh}`));

describe('a host that goes away in review mode', () => {
  it('leaves what was proposed; the turn goes on with it, in the mode that is set then', () => {
    let reached: () => void = () => undefined;
    const hanging = new Promise<void>((resolve) => { reached = resolve; });
    const client = createScriptedClient([
      edit('三天', '五天'),
      async function* (_, signal): AsyncGenerator<ModelEvent> {
        reached();
        await new Promise<void>((resolve) => { signal.addEventListener('abort', () => { resolve(); }, { once: true }); });
        yield { type: 'done', reason: 'stop' };
      },
    ]);
    return withEngine(book, client, async (bench) => {
      const stop = new AbortController();
      const running = bench.turn('改雨', stop.signal);
      await hanging;
      await bench.killed(createScriptedClient([edit('五天', '七天'), says('好。')]), async (next) => {
        must(await next.engine.review.load());
        expect(next.engine.review.pending().map(({ text }) => text)).toEqual(['# 雨夜\n\n雨下了五天。门开了。\n']);
        for await (const event of next.engine.turns.resume(next.session, new AbortController().signal)) if (event.type === 'ended') expect(event.status).toBe('done');
        expect(next.engine.review.pending().map(({ text }) => text)).toEqual(['# 雨夜\n\n雨下了七天。门开了。\n']);
        expect(await next.disk(one)).toBe(book[one]);
        expect(inShort(next.branch()).filter((line) => line.startsWith('checkpoint agent'))).toEqual([]);
      });
      stop.abort();
      await running;
      // Stopped by the author: what was proposed until then waits.
      expect(bench.engine.review.pending()).toHaveLength(1);
    }, { apply: () => 'review' });
  });

  it('between the edit and its record: the text stands in the file, and what waits is nothing any more', () =>
    withEngine(book, createScriptedClient([edit('三天', '五天'), says('好。')]), async (bench) => {
      await bench.turn('改雨');
      const id = bench.engine.review.pending()[0]?.id ?? '';
      await bench.documents.type(one, '三天', '五天');
      await bench.documents.save(one);
      const view = await bench.engine.review.view(id);
      expect(view?.changes).toEqual([]);
      expect(view?.conflict).toBe(false);
      const applies = bench.documents.calls.apply;
      must(await bench.engine.review.accept([id]));
      expect(bench.documents.calls.apply).toBe(applies);
      expect(bench.engine.review.pending()).toEqual([]);
    }, { apply: () => 'review' }));
});
