import type { Clock } from '../../ports/clock';
import type { Documents } from '../../ports/documents';
import type { Files } from '../../ports/files';
import type { Log } from '../../ports/log';
import { caught, ok, type Result } from '../../ports/result';
import type { ObjectStore } from '../../store/objects';
import { createQueue } from '../../store/queue';
import type { CheckpointRecord } from '../checkpoint-log';
import type { Checkpoints } from '../checkpoints';
import type { Manuscript } from '../manuscript';
import { countRecords, createTextStore, growth, type Counted } from './count';
import { wordsByDay } from './days';
import { createFirstSeen } from './first-seen';
import { createPending, type Pending } from './pending';
import type { Progress, RefreshOptions, Written } from './progress';
import { createRowsCache } from './rows';

export interface ProgressDeps {
  readonly checkpoints: Pick<Checkpoints, 'records' | 'compare' | 'manifest'>;
  readonly objects: Pick<ObjectStore, 'get'>;
  readonly documents: Pick<Documents, 'read' | 'bytes' | 'watch'>;
  readonly files: Files;
  readonly log: Log;
  readonly clock: Clock;
  readonly manuscript: Manuscript;
  /** Whether a turn runs. */
  readonly busy: () => boolean;
  /** Never writes its cache. */
  readonly readOnly?: boolean;
}

/** The cache is written after so many checkpoints at the latest. */
const KEEP_EVERY = 256;

/** Progress of one project. Nothing is read before the first call. */
export function createProgress(deps: ProgressDeps): Progress {
  const { checkpoints, documents, files, log } = deps;
  const queue = createQueue();
  const cache = createRowsCache({ files, log, ...(deps.readOnly === undefined ? {} : { readOnly: deps.readOnly }) });
  const firstSeen = createFirstSeen({ files, log, readOnly: deps.readOnly });
  const texts = createTextStore(deps.objects);
  let pending: Pending | undefined;
  let waiting = 0;

  const guarded = <T>(task: () => Promise<Result<T>>): Promise<Result<T>> => queue.run(() => caught(task));

  const known = async (): Promise<Result<{ readonly records: ReadonlyMap<string, CheckpointRecord>; readonly tips: readonly CheckpointRecord[] }>> => {
    const all = await checkpoints.records();
    if (!all.ok) return all;
    const parents = new Set(all.value.flatMap((record) => record.parents));
    return ok({ records: new Map(all.value.map((record) => [record.id, record])), tips: all.value.filter(({ id }) => !parents.has(id)) });
  };

  const bookWords = async (): Promise<Result<number>> => {
    const chapters = await deps.manuscript.chapters();
    return chapters.ok ? ok(chapters.value.reduce((sum, { words }) => sum + words, 0)) : chapters;
  };

  /** Before the first checkpoint. */
  const grown = async (): Promise<Result<number>> => {
    const first = await firstSeen.words();
    if (first === undefined) return ok(0);
    const words = await bookWords();
    return words.ok ? ok(growth(words.value, first)) : words;
  };

  const refresh = async ({ signal, progress }: RefreshOptions): Promise<Result<Written>> => {
    const all = await known();
    if (!all.ok) return all;
    const { records, tips } = all.value;
    const { folder } = deps.manuscript;
    await cache.load(folder);
    if (records.size === 0) {
      const words = await bookWords();
      if (!words.ok) return words;
      await firstSeen.note(words.value, deps.clock.now());
    }
    const firstWords = await firstSeen.words();
    const unknown = [...records.keys()].filter((id) => !cache.rows.has(id));
    let batch: Counted[] = [];
    let done = 0;
    const keep = async (): Promise<void> => {
      // What left at the last one that was counted is needed by the next.
      const last = batch.at(-1)?.row.id;
      await cache.add(batch, new Set([...tips.map(({ id }) => id), ...(last === undefined ? [] : [last])]));
      batch = [];
    };
    if (unknown.length > 0) {
      for await (const counted of countRecords(unknown, { records, texts, folder, left: (id) => cache.left(id), firstWords }, signal)) {
        batch.push(counted);
        done += 1;
        progress?.(done, unknown.length);
        if (batch.length >= KEEP_EVERY) await keep();
      }
      if (batch.length > 0) await keep();
    }
    const rows = [...cache.rows.values()].filter(({ id }) => records.has(id));
    return ok({ days: wordsByDay(rows), lost: rows.filter(({ lost }) => lost === true).length });
  };

  return {
    refresh: (options = {}) => guarded(() => refresh(options)),
    pending: () =>
      guarded(async () => {
        if (deps.busy()) return ok(waiting);
        const all = await known();
        if (!all.ok) return all;
        pending ??= createPending({ checkpoints, documents, texts, folder: () => deps.manuscript.folder, left: (id) => cache.left(id), now: () => deps.clock.now() });
        const counted = all.value.records.size === 0 ? await grown() : await pending.count(all.value.tips, all.value.records);
        if (counted.ok) waiting = counted.value;
        return counted;
      }),
    dispose: () => { pending?.dispose(); },
  };
}
