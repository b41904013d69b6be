import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Files } from '../../../src/engine/ports/files';
import type { NewEntry } from '../../../src/engine/session/entries';
import type { Session, Sessions } from '../../../src/engine/session/session';
import { createSessions } from '../../../src/engine/session/sessions';
import type { Result } from '../../../src/engine/ports/result';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { createFakeClock, type FakeClock } from '../../fakes/clock';
import { createFaultyFiles, type FaultyFiles } from '../../fakes/faulty-files';
import { createFakeIds } from '../../fakes/ids';
import { createMemoryLog, type MemoryLog } from '../../fakes/log';
import { withTempFolder } from '../../fakes/temp-folder';

export const MACHINE = 'machine-a';
export const SESSION_ID = '01900000-0000-7000-8000-0000000000aa';

export interface SessionBench {
  readonly root: string;
  readonly files: FaultyFiles;
  readonly clock: FakeClock;
  readonly log: MemoryLog;
  readonly sessions: Sessions;
  /** Another window, or the same one after a restart. */
  readonly another: (options?: { readonly machine?: string; readonly readOnly?: boolean }) => Sessions;
  readonly file: (id?: string) => string;
  readonly content: (id?: string) => Promise<string>;
  /** Puts a session file there as it is. */
  readonly put: (content: string | Uint8Array, name?: string) => Promise<void>;
}

/** The same files without waiting for the disk: these tests look at what is written, not at when it is durable. */
export const withoutFsync = (files: Files): Files => ({
  ...files,
  append: (path, bytes, options) => files.append(path, bytes, { ...options, fsync: false }),
  writeAtomic: (path, bytes) => files.writeAtomic(path, bytes, { fsync: false }),
});

export const withSessions = (f: (bench: SessionBench) => Promise<void>): Promise<void> =>
  withTempFolder(async (root) => {
    const files = createFaultyFiles(withoutFsync(createNodeFiles(root)));
    const clock = createFakeClock(1000);
    const log = createMemoryLog();
    const ids = createFakeIds();
    const another: SessionBench['another'] = ({ machine = MACHINE, readOnly = false } = {}) =>
      createSessions({ files, clock, ids, log, machine, readOnly });
    const file = (id = SESSION_ID): string => join(root, '.liyuan/sessions', `${id}.jsonl`);
    await f({
      root,
      files,
      clock,
      log,
      another,
      sessions: another(),
      file,
      content: (id) => readFile(file(id), 'utf8'),
      async put(content, name = `${SESSION_ID}.jsonl`) {
        await mkdir(join(root, '.liyuan/sessions'), { recursive: true });
        await writeFile(join(root, '.liyuan/sessions', name), content);
      },
    });
  });

export function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.error)}`);
  return result.value;
}

export const user = (text: string): NewEntry => ({ type: 'user', data: { text } });
export const reply = (text: string): NewEntry => ({ type: 'reply', data: { text, model: 'm', status: 'sealed' } });
export const end: NewEntry = { type: 'end', data: { status: 'done' } };

export const HEADER = `{"v":1,"type":"session","id":"${SESSION_ID}","kind":"agent","title":"雨夜","createdAt":500}`;

/** A line of a session as it lies on disk. Ids and parents are short names here. */
export const line = (id: string, parentId: string | null, ts: number, type: string, data: unknown): string =>
  `{"id":"${id}","parentId":${parentId === null ? 'null' : `"${parentId}"`},"ts":${ts},"type":"${type}","data":${JSON.stringify(data)}}`;
export const say = (id: string, parentId: string | null, ts: number, text = id): string => line(id, parentId, ts, 'user', { text });

/** Appends one after another and gives their ids. */
export async function grow(session: Session, texts: readonly string[], durable = false): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const text of texts) ids.push(...value(await session.append([user(text)], { durable })).map(({ id }) => id));
  return ids;
}

/** The texts of the branch: `user` and `reply` entries. */
export const textsOf = (session: Session, leaf?: string | null): readonly string[] =>
  session.branch(leaf).flatMap((entry) => (entry.type === 'user' || entry.type === 'reply' ? [entry.data.text] : []));
