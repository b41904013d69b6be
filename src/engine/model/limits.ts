/** No single event, whole answer or list of models is larger than this. */
export const WHOLE_LIMIT = 8 * 1024 * 1024;

/** What is read of a refusal's body. */
export const ERROR_BODY_LIMIT = 64 * 1024;

/** Thrown for an answer that sends more in one piece than is ever read. */
export class TooLarge extends Error {
  constructor() {
    super('the endpoint sent more in one piece than is read');
    this.name = 'TooLarge';
  }
}

/** At most `limit` bytes of a body as text; the rest is not fetched. `whole`: there was no rest. */
export async function readText(response: Response, limit: number, touch: () => void): Promise<{ readonly text: string; readonly whole: boolean }> {
  const body: ReadableStream<Uint8Array> | null = response.body;
  if (body === null) return { text: '', whole: true };
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let ended = false;
  try {
    while (size <= limit) {
      const next = await reader.read();
      touch();
      if (next.done) {
        ended = true;
        break;
      }
      chunks.push(next.value);
      size += next.value.length;
    }
  } finally {
    // Whether the connection still closes cleanly does not matter.
    if (!ended) void reader.cancel().catch(() => undefined);
  }
  return { text: new TextDecoder().decode(Buffer.concat(chunks).subarray(0, limit)), whole: size <= limit };
}

/**
 * Cuts a stream of server-sent events where they end, so that one which arrives in many pieces is put together once. The bytes stay
 * as they are; what is handed on holds whole events. `push` throws `TooLarge` for an event that does not end.
 */
export interface EventGatherer {
  push(chunk: Uint8Array): Uint8Array | undefined;
  /** What came after the last whole event. */
  rest(): Uint8Array | undefined;
}

export function createEventGatherer(): EventGatherer {
  let waiting: Uint8Array[] = [];
  let size = 0;
  let lineIsEmpty = true;
  let afterReturn = false;

  /** Where the last whole event in `chunk` ends; 0 when none does. */
  function lastEnd(chunk: Uint8Array): number {
    let end = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      const ofReturn = byte === 0x0a && afterReturn;
      afterReturn = byte === 0x0d;
      if (ofReturn) {
        if (end === at) end = at + 1;
      } else if (byte === 0x0a || byte === 0x0d) {
        if (lineIsEmpty) end = at + 1;
        lineIsEmpty = true;
      } else lineIsEmpty = false;
    }
    return end;
  }

  function take(): Uint8Array | undefined {
    const all = waiting.length === 1 ? waiting[0] : Buffer.concat(waiting);
    waiting = [];
    size = 0;
    return all === undefined || all.length === 0 ? undefined : all;
  }

  function keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    size += bytes.length;
    if (size > WHOLE_LIMIT) throw new TooLarge();
    waiting.push(bytes);
  }

  return {
    push(chunk) {
      const end = lastEnd(chunk);
      if (end === 0) {
        keep(chunk);
        return undefined;
      }
      keep(chunk.subarray(0, end));
      const whole = take();
      keep(chunk.subarray(end));
      return whole;
    },
    rest: take,
  };
}
