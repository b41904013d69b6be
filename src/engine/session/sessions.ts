import * as z from 'zod';
import type { FileStat } from '../ports/files';
import { caught, EngineFailure, refuse, type Result } from '../ports/result';
import { mapLimited } from '../store/limited';
import { readCache } from '../store/read-cache';
import { SESSION_VERSION, sessionHeader, type SessionHeader } from './entries';
import { parseLine } from './entry-line';
import type { OpenInput, SessionDeps } from './open-input';
import { openSession } from './open-session';
import type { Session, SessionInfo, Sessions } from './session';
import { takeFrom } from './hand-over';
import { summarise } from './summarise';

const FOLDER = '.liyuan/sessions';
const SUMMARIES = '.liyuan/cache/sessions.json';
const AT_ONCE = 8;
/** The header is looked for in this many bytes before the whole file is read. */
const HEAD_BYTES = 16 * 1024;

const summarySchema = z.object({
  /** Size, mtime, ctime and inode of the file this was read from. */
  stamp: z.string(),
  title: z.string(),
  deleted: z.boolean(),
  lastTs: z.number().optional(),
  header: sessionHeader,
});
const summariesSchema = z.record(z.string(), summarySchema);
type Summary = z.infer<typeof summarySchema>;

type LockTaken = Pick<OpenInput, 'lock' | 'lockedElsewhere'>;

const stampOf = (stat: FileStat): string => [stat.size, stat.mtimeNs, stat.ctimeNs, stat.ino].join('-');
const pathOf = (id: string): string => `${FOLDER}/${id}.jsonl`;
const lockOf = (id: string): string => `.liyuan/locks/session-${id}.lock`;
const isId = (id: string): boolean => /^[0-9A-Za-z-]{1,64}$/.test(id);

/** The sessions of a project. */
export function createSessions(deps: SessionDeps): Sessions {
  const { files, clock, ids, log, readOnly } = deps;
  const open = new Map<string, Promise<Result<Session>>>();
  const mine = deps.holder === undefined ? {} : { holder: deps.holder };
  let summaries: Map<string, Summary> | undefined;

  const loadSummaries = async (): Promise<Map<string, Summary>> => {
    if (summaries !== undefined) return summaries;
    const bytes = Buffer.from((await readCache({ files, log }, SUMMARIES)) ?? new Uint8Array());
    const parsed = summariesSchema.safeParse(parseLine(bytes, 0, bytes.length));
    summaries = new Map(Object.entries(parsed.success ? parsed.data : {}));
    return summaries;
  };

  const saveSummaries = async (known: ReadonlyMap<string, Summary>): Promise<void> => {
    if (readOnly === true) return;
    try {
      await files.writeAtomic(SUMMARIES, Buffer.from(JSON.stringify(Object.fromEntries(known))), { fsync: false });
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
      log.warn('the list of sessions could not be kept', { code: error.error.code });
    }
  };

  const sessionFiles = async (): Promise<readonly string[]> =>
    (await files.list(FOLDER)).filter(({ name, kind }) => kind === 'file' && name.endsWith('.jsonl')).map(({ name }) => name);

  /** The header of a file by its beginning, else by all of it. */
  const headerOf = async (name: string): Promise<SessionHeader | undefined> => {
    const head = Buffer.from((await files.readRange(`${FOLDER}/${name}`, 0, HEAD_BYTES)) ?? new Uint8Array());
    const found = summarise(head)?.header;
    if (found !== undefined || head.length < HEAD_BYTES) return found;
    return summarise(Buffer.from((await files.read(`${FOLDER}/${name}`)) ?? new Uint8Array()))?.header;
  };

  /** The file of a session and the copies of it that a cloud drive left beside it. */
  const locate = async (id: string): Promise<{ readonly path: string; readonly copies: readonly string[] } | undefined> => {
    const names = await sessionFiles();
    const own = `${id}.jsonl`;
    const alike = names.filter((name) => name !== own && name.startsWith(id));
    const has = names.includes(own);
    const others = has ? alike : names.filter((name) => name !== own);
    const headers = await mapLimited(others, AT_ONCE, headerOf);
    const copies = others.filter((_, i) => headers[i]?.id === id).sort().map((name) => `${FOLDER}/${name}`);
    if (has) return { path: `${FOLDER}/${own}`, copies };
    const [first, ...rest] = copies;
    return first === undefined ? undefined : { path: first, copies: rest };
  };

  const takeLock = async (id: string): Promise<LockTaken> => {
    if (readOnly === true) return { lock: undefined };
    try {
      return { lock: await files.lock(lockOf(id), mine) };
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
      log.info('a session opens read-only', { id, code: error.error.code });
      return { lock: undefined, lockedElsewhere: error.error.code === 'store.locked' };
    }
  };

  /** Opens the file under the lock; a lock that is of no use is given back. */
  const openAt = async (id: string, taken: LockTaken, place: { readonly path: string; readonly copies: readonly string[] }): Promise<Result<Session>> => {
    let opened = false;
    try {
      const session = await openSession(deps, { ...place, ...taken, lockPath: lockOf(id), onClose: () => void open.delete(id) });
      opened = session.ok;
      return session;
    } finally {
      if (!opened) await taken.lock?.release();
    }
  };

  const openOnce = (id: string, start: () => Promise<Result<Session>>): Promise<Result<Session>> => {
    const known = open.get(id);
    if (known !== undefined) return known;
    const opening = (async () => {
      let opened = false;
      try {
        const result = await caught(start);
        opened = result.ok;
        return result;
      } finally {
        if (!opened) open.delete(id);
      }
    })();
    open.set(id, opening);
    return opening;
  };

  const infoOf = (id: string, summary: Summary, stat: FileStat): SessionInfo => ({
    id,
    kind: summary.header.kind,
    title: summary.title,
    createdAt: summary.header.createdAt,
    updatedAt: summary.lastTs ?? Number(stat.mtimeNs / 1_000_000n),
    deleted: summary.deleted,
    size: stat.size,
  });

  const list: Sessions['list'] = async () => {
    const known = await loadSummaries();
    const fresh = new Map<string, Summary>();
    const unreadable: string[] = [];
    const sessions = new Map<string, SessionInfo & { readonly own: boolean }>();
    let learned = false;
    await mapLimited(await sessionFiles(), AT_ONCE, async (name) => {
      const path = `${FOLDER}/${name}`;
      const stat = await files.stat(path);
      if (stat === undefined) return;
      let summary = known.get(name);
      if (summary?.stamp !== stampOf(stat)) {
        const read = summarise(Buffer.from((await files.read(path)) ?? new Uint8Array()));
        summary = read === undefined ? undefined : { stamp: stampOf(stat), ...read };
        learned = true;
      }
      if (summary === undefined) {
        unreadable.push(path);
        return;
      }
      fresh.set(name, summary);
      const { id } = summary.header;
      const own = name === `${id}.jsonl`;
      // Of conflict copies the session's own file is shown, without one the file changed last.
      const other = sessions.get(id);
      const info = { ...infoOf(id, summary, stat), own };
      if (other === undefined || own || (!other.own && other.updatedAt < info.updatedAt)) sessions.set(id, info);
    });
    if (learned || fresh.size !== known.size) {
      summaries = fresh;
      await saveSummaries(fresh);
    }
    const rows = [...sessions.values()].map(({ own: _, ...info }) => info);
    rows.sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1));
    return { sessions: rows, unreadable: unreadable.sort() };
  };

  return {
    list,
    create({ kind, title }) {
      const id = ids.next();
      return openOnce(id, async () => {
        if (readOnly === true) return refuse('session.read-only', { path: pathOf(id) });
        const lock = await files.lock(lockOf(id), mine);
        try {
          const header: SessionHeader = { v: SESSION_VERSION, type: 'session', id, kind, title, createdAt: clock.now() };
          await files.append(pathOf(id), Buffer.from(`${JSON.stringify(header)}\n`), { fsync: true, expectedSize: 0 });
        } catch (error) {
          await lock.release();
          throw error;
        }
        return openAt(id, { lock }, { path: pathOf(id), copies: [] });
      });
    },
    open(id) {
      return openOnce(id, async () => {
        const place = isId(id) ? await locate(id) : undefined;
        if (place === undefined) return refuse('session.not-found', { id });
        return openAt(id, await takeLock(id), place);
      });
    },
    async takeOver(id, { force, signal }) {
      const place = isId(id) ? await locate(id) : undefined;
      if (place === undefined) return refuse('session.not-found', { id });
      if (readOnly === true || deps.holder === undefined) return refuse('session.read-only', { path: place.path });
      const before = await open.get(id);
      if (before?.ok === true && !before.value.readOnly) return before;
      const lock = await takeFrom({ files, clock }, lockOf(id), { holder: deps.holder, force, signal });
      if (!lock.ok) return lock;
      if (before?.ok === true) await before.value.close();
      return openOnce(id, () => openAt(id, { lock: lock.value }, place));
    },
  };
}
