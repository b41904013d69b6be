import * as z from 'zod';
import type { Clock } from '../ports/clock';
import type { Files } from '../ports/files';
import type { Log } from '../ports/log';
import { EngineFailure } from '../ports/result';
import { dayOf } from '../text/day';
import type { UsageCall } from './call';
import { createDayReader, EMPTY_DAY, encodeLine, MOST_CALLS, withLine, type DayLine, type DayReader, type DayState } from './day-file';
import { daySums, type DaySums } from './sums';

/**
 * What all calls have taken, of all projects of a person on this machine: a file of lines for each day (`usage/2026-12-01.jsonl`), to which any
 * window appends with one write, and the sums of days whose file is gone (`usage/days.json`). The newest 200 calls are kept whole, sums for 400 days.
 */
export interface UsageStore {
  /** Never rejects: what cannot be written is counted in this window all the same. */
  add(call: UsageCall): Promise<void>;
  /** Calls may go over the day's limit until midnight. */
  allowToday(): Promise<void>;
  /** As all windows have left it. Never rejects: what cannot be read is told to the log, and what was known before counts. */
  today(): Promise<DayState>;
  /** The newest 200, newest first. Rejects with `EngineFailure`. */
  calls(): Promise<readonly UsageCall[]>;
  /** Oldest first, today included. Rejects with `EngineFailure`. */
  days(): Promise<readonly DaySums[]>;
  /** Forgets everything; what is counted towards the limits begins anew. Rejects with `EngineFailure`. */
  clear(): Promise<void>;
  /** Adds up days whose calls are no longer kept whole. Left to another window that is at it. */
  tidy(): Promise<void>;
}

export interface UsageStoreDeps {
  /** Of a folder for this alone, outside any project. */
  readonly files: Files;
  readonly clock: Clock;
  readonly log: Log;
}

export const MOST_DAYS = 400;
const FOLDER = 'usage';
const SUMS = `${FOLDER}/days.json`;
const LOCK = `${FOLDER}/tidy.lock`;
const DAY_FILE = /^(\d{4}-\d\d-\d\d)\.jsonl$/;
const DAY_MS = 24 * 60 * 60 * 1_000;

const sumsFile = z.object({ version: z.literal(1), days: z.array(daySums) });

const pathOf = (day: string): string => `${FOLDER}/${day}.jsonl`;

export function createUsageStore({ files, clock, log }: UsageStoreDeps): UsageStore {
  const readers = new Map<string, DayReader>();
  /** What could not be written. */
  const unwritten = new Map<string, DayLine[]>();
  let made = false;
  let known: { readonly day: string; readonly state: DayState } | undefined;

  const today = (): string => dayOf(clock.now());

  const readDay = async (day: string): Promise<DayState> => {
    const reader = readers.get(day) ?? createDayReader(files, pathOf(day));
    readers.set(day, reader);
    return (unwritten.get(day) ?? []).reduce(withLine, await reader.refresh());
  };

  const write = async (entry: DayLine): Promise<void> => {
    const day = today();
    try {
      if (!made) await files.mkdir(FOLDER);
      made = true;
      await files.append(pathOf(day), encodeLine(entry), { fsync: false });
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
      made = false;
      log.warn('usage: not written', { code: error.error.code });
      unwritten.set(day, [...(unwritten.get(day) ?? []), entry]);
    }
  };

  /** Days that have a file, newest first. */
  const dayNames = async (): Promise<readonly string[]> => {
    const names = (await files.list(FOLDER)).flatMap(({ name }) => DAY_FILE.exec(name)?.[1] ?? []);
    return [...new Set([...names, ...unwritten.keys()])].sort().reverse();
  };

  /** Sums of days without a file. A file that is not ours is left alone. */
  const oldSums = async (): Promise<{ readonly days: readonly DaySums[]; readonly readable: boolean }> => {
    const bytes = await files.read(SUMS);
    if (bytes === undefined) return { days: [], readable: true };
    try {
      const found = sumsFile.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
      if (found.success) return { days: found.data.days, readable: true };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    log.warn('usage: the sums of earlier days cannot be read', { path: SUMS });
    return { days: [], readable: false };
  };

  const allDays = async (): Promise<readonly DaySums[]> => {
    const days = new Map((await oldSums()).days.map((one) => [one.day, one]));
    for (const day of await dayNames()) days.set(day, { day, models: [...(await readDay(day)).sums] });
    return [...days.values()].filter(({ models }) => models.length > 0).sort((a, b) => (a.day < b.day ? -1 : 1)).slice(-MOST_DAYS);
  };

  async function tidied(): Promise<void> {
    const young = dayOf(clock.now() - DAY_MS);
    let kept = 0;
    const full: string[] = [];
    for (const day of await dayNames()) {
      if (kept >= MOST_CALLS && day < young) full.push(day);
      else kept += (await readDay(day)).calls.length;
    }
    const { readable, days: before } = await oldSums();
    if (!readable || (full.length === 0 && before.length <= MOST_DAYS)) return;
    const fileDays = new Set((await dayNames()).filter((day) => !full.includes(day)));
    const days = (await allDays()).filter(({ day }) => !fileDays.has(day));
    await files.writeAtomic(SUMS, new TextEncoder().encode(JSON.stringify({ version: 1, days } satisfies z.infer<typeof sumsFile>)), { fsync: true });
    for (const day of full) {
      await files.remove(pathOf(day));
      readers.delete(day);
      unwritten.delete(day);
    }
  }

  return {
    add: (call) => write({ type: 'call', ...call }),
    allowToday: () => write({ type: 'allow' }),
    async today() {
      const day = today();
      try {
        known = { day, state: await readDay(day) };
      } catch (error) {
        if (!(error instanceof EngineFailure)) throw error;
        log.warn('usage: not read', { code: error.error.code });
      }
      return known?.day === day ? known.state : (unwritten.get(day) ?? []).reduce(withLine, EMPTY_DAY);
    },
    async calls() {
      const calls: UsageCall[] = [];
      for (const day of await dayNames()) {
        if (calls.length >= MOST_CALLS) break;
        calls.push(...(await readDay(day)).calls.toReversed());
      }
      return calls.slice(0, MOST_CALLS);
    },
    days: allDays,
    async clear() {
      // Another window may be appending to today's file: it is told, not taken away.
      await write({ type: 'clear' });
      for (const day of await dayNames()) {
        if (day === today()) continue;
        await files.remove(pathOf(day));
        readers.delete(day);
        unwritten.delete(day);
      }
      await files.remove(SUMS);
    },
    async tidy() {
      try {
        if ((await files.list(FOLDER)).length === 0) return;
        const lock = await files.lock(LOCK);
        try {
          await tidied();
        } finally {
          await lock.release();
        }
      } catch (error) {
        if (!(error instanceof EngineFailure)) throw error;
        if (error.error.code !== 'store.locked') log.warn('usage: not tidied', { code: error.error.code });
      }
    },
  };
}
