import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import { createHostConnection } from '../../../../src/extension/webviews/connection';
import type { MessagePort } from '../../../../src/extension/webviews/connection';
import { createMemoryLog } from '../../../fakes/log';

const requests = {
  double: [z.object({ n: z.number() }), z.object({ n: z.number() })],
  broken: [z.object({}), z.object({ n: z.number() })],
} as const;
const events = { news: z.object({ text: z.string() }) } as const;

/** A webview that remembers what was posted; `settled` waits until as many messages are there. */
function createPort(): MessagePort & { readonly posted: unknown[]; receive(message: unknown): void; settled(count: number): Promise<void> } {
  const posted: unknown[] = [];
  let listener: (message: unknown) => void = () => undefined;
  let wake: () => void = () => undefined;
  return {
    posted,
    postMessage: (message) => {
      posted.push(message);
      wake();
      return Promise.resolve(true);
    },
    onDidReceiveMessage: (next) => {
      listener = next;
      return { dispose: () => { listener = () => undefined; } };
    },
    receive: (message) => { listener(message); },
    settled: async (count) => {
      while (posted.length < count) await new Promise<void>((resolve) => { wake = resolve; });
    },
  };
}

const connect = (port: MessagePort): ReturnType<typeof createHostConnection<typeof requests, typeof events>> =>
  createHostConnection({
    port,
    requests,
    events,
    handlers: {
      double: ({ n }) => {
        if (n < 0) throw new Error('没有负数');
        return { n: n * 2 };
      },
      broken: () => ({ n: 'three' }) as never,
    },
    log: createMemoryLog(),
  });

describe('the host’s end of a webview', () => {
  test('answers each request once, by its id', async () => {
    const port = createPort();
    connect(port);
    port.receive({ kind: 'request', id: 7, name: 'double', body: { n: 4 } });
    await port.settled(1);
    expect(port.posted).toEqual([{ kind: 'response', id: 7, ok: true, body: { n: 8 } }]);
  });

  test('tells a refusal in the words of the handler', async () => {
    const port = createPort();
    connect(port);
    port.receive({ kind: 'request', id: 1, name: 'double', body: { n: -1 } });
    await port.settled(1);
    expect(port.posted).toEqual([{ kind: 'response', id: 1, ok: false, message: '没有负数' }]);
  });

  test.each([
    ['a body that does not fit', { kind: 'request', id: 2, name: 'double', body: { n: 'x' } }],
    ['a name nobody knows', { kind: 'request', id: 2, name: 'toString', body: {} }],
    ['an answer of the wrong shape', { kind: 'request', id: 2, name: 'broken', body: {} }],
  ])('refuses %s', async (_, message) => {
    const port = createPort();
    connect(port);
    port.receive(message);
    await port.settled(1);
    expect(port.posted).toMatchObject([{ kind: 'response', id: 2, ok: false }]);
  });

  test('lets what is no request pass without an answer', () => {
    const port = createPort();
    connect(port);
    port.receive('hello');
    port.receive({ kind: 'response', id: 1 });
    expect(port.posted).toEqual([]);
  });

  test('stamps events, and posts none that does not fit the protocol', () => {
    const port = createPort();
    const connection = connect(port);
    connection.post('news', { text: 'a' }, { epoch: 'e', seq: 3 });
    connection.post('news', { text: 1 } as never, { epoch: 'e', seq: 4 });
    expect(port.posted).toEqual([{ kind: 'event', name: 'news', epoch: 'e', seq: 3, body: { text: 'a' } }]);
  });

  test('hears nothing after it was closed', () => {
    const port = createPort();
    connect(port).dispose();
    port.receive({ kind: 'request', id: 1, name: 'double', body: { n: 1 } });
    expect(port.posted).toEqual([]);
  });
});
