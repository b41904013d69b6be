import { afterEach } from 'vitest';
import type { ModelClient, ModelEvent, ModelMessage, ModelRequest } from '../../src/engine/ports/models';
import type { OpenAIClient } from '../../src/engine/model/openai-client';
import { createOpenAIClient } from '../../src/engine/model/openai-client';
import type { ModelProfileInput } from '../../src/engine/model/profile';
import type { FakeClock } from '../fakes/clock';
import { createFakeClock } from '../fakes/clock';
import type { MemoryLog } from '../fakes/log';
import { createMemoryLog } from '../fakes/log';
import type { ModelServer } from '../fakes/model-server/server';
import { startModelServer } from '../fakes/model-server/server';
import type { RawAnswer, Script } from '../fakes/model-server/script';

export interface Bench {
  readonly server: ModelServer;
  readonly client: OpenAIClient;
  readonly clock: FakeClock;
  readonly log: MemoryLog;
}

const open = new Set<ModelServer>();

afterEach(async () => {
  const servers = [...open];
  open.clear();
  await Promise.all(servers.map(async (server) => server.close()));
});

/** A server with this script and the real client talking to it; the server is closed after the test. */
export async function bench(script: Script, profile: Partial<ModelProfileInput> = {}): Promise<Bench> {
  const server = await startModelServer({ script });
  open.add(server);
  const clock = createFakeClock();
  const log = createMemoryLog();
  const client = createOpenAIClient({ baseUrl: server.baseUrl, model: 'fake', apiKey: 'key', ...profile }, { fetch: globalThis.fetch, clock, log });
  return { server, client, clock, log };
}

export const HELLO: readonly ModelMessage[] = [{ role: 'user', content: '你好' }];

export const TOOLS: NonNullable<ModelRequest['tools']> = [
  { name: 'read', description: 'Reads a file.', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
  { name: 'outline', description: 'Lists chapters.', parameters: { type: 'object', properties: {} } },
];

/** All events of one request. */
export async function events(client: ModelClient, request: Partial<ModelRequest> = {}, signal?: AbortSignal): Promise<readonly ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of client.stream({ messages: HELLO, ...request }, signal ?? new AbortController().signal)) all.push(event);
  return all;
}

/** A stream of these chunks (parsed `data`), each written by itself, then `[DONE]`. */
export function sse(...chunks: readonly unknown[]): RawAnswer {
  return { raw: [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'] };
}

/** A chunk with this delta. */
export function delta(content: unknown, finish: string | null = null): unknown {
  return { choices: [{ index: 0, delta: content, finish_reason: finish }] };
}

/** A chunk with one tool call fragment or several. */
export function callDelta(...fragments: readonly unknown[]): unknown {
  return delta({ tool_calls: fragments });
}

/** An event without its cause, which holds stack traces. */
export function withoutCause(event: ModelEvent | undefined): unknown {
  if (event?.type !== 'error') return event;
  const { code, args } = event.error;
  return { ...event, error: { code, ...(args === undefined ? {} : { args }) } };
}
