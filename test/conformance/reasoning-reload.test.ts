import { expect, it } from 'vitest';
import { createLessonBook } from '../../src/engine/model/lessons';
import { createOpenAIClient } from '../../src/engine/model/openai-client';
import { createFakeClock } from '../fakes/clock';
import { withEngine } from '../fakes/engine-bench';
import { createMemoryLog } from '../fakes/log';
import { bench } from './harness';

const BOOK = { '正文/001-雨夜.md': '雨。\n' };
const outline = { reasoning: '先看目录', calls: [{ name: 'outline', args: {} }] };
const NOT_GIVEN = { status: 400, body: { error: { message: 'The reasoning_content in the thinking mode must be passed back to the API.', type: 'invalid_request_error' } } };

/** Of each assistant message with calls in a request: the reasoning it carries. */
const replayed = (request: { readonly body: { readonly messages?: readonly { readonly [name: string]: unknown }[] } | undefined } | undefined): readonly unknown[] =>
  (request?.body?.messages ?? []).filter((message) => 'tool_calls' in message).map((message) => message['reasoning_content']);

it('thinking beside calls goes back after the session has been opened anew by another engine', async () => {
  const { client, server } = await bench([outline, { text: '一章。' }, { text: '还是一章。' }]);
  await withEngine(BOOK, client, async ({ turn, killed }) => {
    await turn('看目录');
    await killed(client, async (next) => {
      await next.turn('再看');
      expect(server.requests.map(replayed)).toEqual([[], ['先看目录'], ['先看目录']]);
      expect(server.requests[2]?.raw.startsWith(server.requests[1]?.raw.split(']},{"role":"tool"')[0] ?? 'x')).toBe(true);
    });
  });
});

it('steps without thinking carry an empty one once the service has asked for it, also in later turns and after a reload', async () => {
  const lessons = createLessonBook();
  const { client: first, server } = await bench([{ calls: outline.calls }, NOT_GIVEN, { text: '一章。' }, { text: '好。' }]);
  const url = server.baseUrl;
  const client = createOpenAIClient({ baseUrl: url, model: first.name, apiKey: 'key' }, { fetch: globalThis.fetch, clock: createFakeClock(), log: createMemoryLog(), lessons });
  await withEngine(BOOK, client, async ({ turn, killed }) => {
    await turn('看目录');
    expect(lessons.current()).toEqual({ reasoning: 'calls' });
    const anew = createOpenAIClient({ baseUrl: url, model: first.name, apiKey: 'key' }, { fetch: globalThis.fetch, clock: createFakeClock(), log: createMemoryLog(), lessons: createLessonBook(lessons.current()) });
    await killed(anew, async (next) => {
      await next.turn('再看');
      expect(server.requests.map(replayed)).toEqual([[], [undefined], [''], ['']]);
    });
  });
});

it('thinking that a service refuses stays away, also after a reload', async () => {
  const lessons = createLessonBook();
  const refused = { status: 400, body: { error: { message: "property 'reasoning_content' is unsupported" } } };
  const { server } = await bench([outline, refused, { text: '一章。' }, { text: '好。' }]);
  const make = (book = lessons): ReturnType<typeof createOpenAIClient> =>
    createOpenAIClient({ baseUrl: server.baseUrl, model: 'fake', apiKey: 'key' }, { fetch: globalThis.fetch, clock: createFakeClock(), log: createMemoryLog(), lessons: book });
  await withEngine(BOOK, make(), async ({ turn, killed }) => {
    await turn('看目录');
    await killed(make(createLessonBook(lessons.current())), async (next) => {
      await next.turn('再看');
      expect(server.requests.map(replayed)).toEqual([[], ['先看目录'], [undefined], [undefined]]);
    });
  });
});
