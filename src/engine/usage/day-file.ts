import * as z from 'zod';
import type { Files } from '../ports/files';
import { createQueue } from '../store/queue';
import { usageCall, type UsageCall } from './call';
import { addUp, sumOfCall, type ModelSum } from './sums';

/** A line of a day's file: a call, leave to go over the limit for the rest of the day, or a fresh start. */
const line = z.discriminatedUnion('type', [
  z.object({ type: z.literal('call') }).extend(usageCall.shape),
  z.object({ type: z.literal('allow') }),
  z.object({ type: z.literal('clear') }),
]);
export type DayLine = z.infer<typeof line>;

/** What the lines of a day say. */
export interface DayState {
  /** Oldest first, the newest `MOST_CALLS` of them. */
  readonly calls: readonly UsageCall[];
  readonly sums: readonly ModelSum[];
  /** Calls may go over the limit until midnight. */
  readonly allowed: boolean;
}

/** Calls that are kept whole. */
export const MOST_CALLS = 200;

export const EMPTY_DAY: DayState = { calls: [], sums: [], allowed: false };

const LF = 10;

export function withLine(state: DayState, { type, ...rest }: DayLine): DayState {
  switch (type) {
    case 'call': {
      const call = rest as UsageCall;
      return { ...state, calls: [...state.calls, call].slice(-MOST_CALLS), sums: addUp([...state.sums, sumOfCall(call)]) };
    }
    case 'allow':
      return { ...state, allowed: true };
    case 'clear':
      return EMPTY_DAY;
  }
}

/** A line begins with a line end as well as ending with one, so that it never grows onto what another window has left half written. */
export const encodeLine = (entry: DayLine): Uint8Array => new TextEncoder().encode(`\n${JSON.stringify(entry)}\n`);

/** Reads a day's file as it grows. Lines that are none (half written, of a later version) are passed over. */
export interface DayReader {
  /** Takes in what is new. Rejects as `Files` does. */
  refresh(): Promise<DayState>;
}

export function createDayReader(files: Pick<Files, 'stat' | 'readRange'>, path: string): DayReader {
  let state = EMPTY_DAY;
  /** Bytes taken in; a line end stands before. */
  let offset = 0;
  /** Two at once would take the same lines in twice. */
  const queue = createQueue();
  return {
    refresh: () => queue.run(async () => {
      const stat = await files.stat(path);
      const size = stat?.size ?? 0;
      if (size < offset) {
        state = EMPTY_DAY;
        offset = 0;
      }
      if (size === offset) return state;
      const bytes = await files.readRange(path, offset, size - offset);
      if (bytes === undefined) return state;
      const end = bytes.lastIndexOf(LF) + 1;
      for (const text of new TextDecoder().decode(bytes.subarray(0, end)).split('\n')) {
        const entry = parsed(text);
        if (entry !== undefined) state = withLine(state, entry);
      }
      offset += end;
      return state;
    }),
  };
}

function parsed(text: string): DayLine | undefined {
  if (text === '') return undefined;
  try {
    return line.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
