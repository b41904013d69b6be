import type { Documents, FileChanges } from '../ports/documents';
import type { Files } from '../ports/files';
import type { Ids } from '../ports/ids';
import type { Log } from '../ports/log';
import type { EngineError, Result } from '../ports/result';
import { EngineFailure, fail, ok, refuse } from '../ports/result';
import type { ProjectRules } from '../project/project';
import { frontMatterEnd } from '../text/front-matter';
import { sha256Hex } from '../text/hash';
import { refusing } from '../store/failures';
import { headingOf } from '../text/titles';
import type { Checkpoints } from './checkpoints';
import { ARRANGE_PLAN, createArrangeNote, headingsBack, namesBack } from './interrupted-arrange';
import type { CheckpointMessages } from './messages';
import { renameSteps, type RenameStep } from './rename-steps';
import type { RenamePair } from './renames';
import type { ChapterMove } from './renumber';

const LOCK = '.liyuan/locks/arrange.lock';

export interface ArrangeOptions {
  readonly signal?: AbortSignal;
  /** Files done, of how many. */
  readonly progress?: (done: number, total: number) => void;
}

export interface Arranged {
  /** The checkpoint of what stood there before: restoring it takes everything back. */
  readonly before: string;
  /** The checkpoint of the result. */
  readonly after: string;
}

/** Changes of the manuscript's files that the author asked for as one. Each stands between two checkpoints. */
export interface Arrange {
  /**
   * Carries out a plan of renames and headings: all of it, or nothing. Unsaved words go along and stay unsaved; open editors follow. A heading
   * that says something else by now is left alone. Refuses `doc.not-found`, `doc.exists`, `turn.aborted`, and what the documents refuse; then
   * every file has its former name and heading.
   */
  apply(moves: readonly ChapterMove[], options?: ArrangeOptions): Promise<Result<Arranged>>;
  /**
   * Takes back what a window that went away had begun; resolves to renames of one that had been finished but for the last line. Another window's
   * work is left alone (`store.locked`).
   */
  recover(): Promise<Result<readonly ChapterMove[]>>;
  /** Deletes files; the checkpoint before has them, unsaved words included. Refuses like `apply`; then what was deleted is back. */
  remove(paths: readonly string[]): Promise<Result<Arranged>>;
}

interface Gone {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export function createArrange(deps: {
  readonly documents: Documents;
  readonly checkpoints: Checkpoints;
  readonly rules: ProjectRules;
  readonly files: Files;
  readonly ids: Ids;
  readonly log: Log;
  readonly messages: () => CheckpointMessages;
}): Arrange {
  const { documents, checkpoints, rules, ids, log, files } = deps;
  const note = createArrangeNote({ files, checkpoints, log });

  /** The newest checkpoint, of what stands there now. */
  async function saved(message?: string, moved?: readonly RenamePair[]): Promise<Result<string>> {
    const taken = await checkpoints.take({ author: 'user', ...(message === undefined ? {} : { message }), ...(moved === undefined ? {} : { moved }) });
    if (!taken.ok) return taken;
    if (taken.value !== undefined) return ok(taken.value.id);
    const head = await checkpoints.head();
    if (!head.ok) return head;
    return head.value === undefined ? refuse('checkpoint.not-found') : ok(head.value.id);
  }

  const between = (path: string): string => path.replace(/(\.[^./]+)?$/, (extension) => `~${ids.next().slice(-8)}${extension}`);

  async function unready(moves: readonly ChapterMove[]): Promise<EngineError | undefined> {
    const leaving = new Set(moves.map(({ from }) => from.normalize('NFC').toLowerCase()));
    for (const { from, to } of moves) {
      const allowed = rules.writable(to);
      if (!allowed.ok) return allowed.error;
      if ((await documents.bytes(from)) === undefined) return { code: 'doc.not-found', args: { path: from } };
      if (!leaving.has(to.normalize('NFC').toLowerCase()) && (await documents.bytes(to)) !== undefined) return { code: 'doc.exists', args: { path: to } };
    }
    return undefined;
  }

  /** Takes steps back, the last first, and with them the note. Where one cannot be taken back the note stays: it is tried again before the next plan, and by the next window. */
  async function back(steps: readonly RenameStep[]): Promise<void> {
    let whole = true;
    for (const { from, to } of [...steps].reverse()) {
      const returned = await documents.rename(to, from);
      if (returned.ok) continue;
      whole = false;
      log.error('a rename could not be taken back', { path: to, code: returned.error.code });
    }
    if (whole) await note.end();
  }

  async function headingChanges(moves: readonly ChapterMove[]): Promise<Result<readonly FileChanges[]>> {
    const batch: FileChanges[] = [];
    for (const { to, heading } of moves) {
      if (heading === undefined) continue;
      const live = await documents.read(to);
      if (!live.ok) return live;
      const at = headingPlace(live.value.text, heading.from);
      if (at === undefined) continue;
      batch.push({ path: to, version: live.value.version, changes: [{ start: at, end: at + heading.from.length, text: heading.to }] });
    }
    return ok(batch);
  }

  async function carryOut(moves: readonly ChapterMove[], { signal, progress }: ArrangeOptions): Promise<Result<readonly RenameStep[]>> {
    const steps = renameSteps(moves, between);
    await note.begin(moves, steps);
    const done: RenameStep[] = [];
    for (const step of steps) {
      const renamed = signal?.aborted === true ? refuse('turn.aborted') : await documents.rename(step.from, step.to);
      if (renamed.ok) done.push(step);
      const noted = renamed.ok ? await refusing(step.to, async () => ok(await note.done(done.length))) : renamed;
      if (!noted.ok) {
        await back(done);
        return noted;
      }
      progress?.(done.length, steps.length);
    }
    const batch = await headingChanges(moves);
    const applied = !batch.ok ? batch : batch.value.length === 0 ? ok([]) : await documents.apply(batch.value);
    if (applied.ok) return ok(steps);
    await back(done);
    return applied;
  }

  async function exclusively<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    try {
      const lock = await files.lock(LOCK);
      try {
        return await work();
      } finally {
        await lock.release();
      }
    } catch (error) {
      if (error instanceof EngineFailure) return fail(error.error);
      throw error;
    }
  }

  const stands = async (step: RenameStep | undefined): Promise<boolean> =>
    step === undefined || ((await documents.bytes(step.to)) !== undefined && (await documents.bytes(step.from)) === undefined);

  async function recover(): Promise<Result<readonly ChapterMove[]>> {
    const left = await note.left();
    if (left === undefined) return ok([]);
    if (!left.finished) {
      // Once a name has been taken back, the headings have been, and what bears a new name may be another chapter.
      if (left.done === left.steps.length && (await stands(left.steps.at(-1)))) await headingsBack(documents, left.moves, headingPlace, log);
      await namesBack(documents, left.steps, left.done, log);
      log.info('an interrupted renaming of chapters was taken back', { chapters: left.moves.length });
    }
    await note.end();
    return ok(left.finished ? left.moves : []);
  }

  async function putBack(gone: readonly Gone[]): Promise<void> {
    for (const { path, bytes } of gone) {
      const put = await documents.put(path, bytes, null);
      if (!put.ok) log.error('a deleted chapter could not be put back', { path, code: put.error.code });
    }
  }

  async function removeKept(path: string, bytes: Uint8Array | undefined, kept: string | undefined): Promise<Result<void>> {
    if (bytes === undefined) return refuse('doc.not-found', { path });
    const sha = sha256Hex(bytes);
    // Files that checkpoints do not cover have no way back at all; so it was told.
    if (kept !== undefined && sha !== kept) return refuse('doc.changed', { path });
    return documents.delete(path, sha);
  }

  return {
    recover: async () => ((await files.stat(ARRANGE_PLAN)) === undefined ? ok([]) : exclusively(recover)),
    apply: (moves, options = {}) => exclusively(async () => {
      await recover();
      const wrong = await unready(moves);
      if (wrong !== undefined) return { ok: false, error: wrong };
      const before = await saved();
      if (!before.ok) return before;
      const done = await carryOut(moves, options);
      if (!done.ok) return done;
      const after = await saved(deps.messages().arranged(moves.length), moves.filter(({ from, to }) => from !== to).map(({ from, to }) => [from, to]));
      if (!after.ok) {
        await headingsBack(documents, moves, headingPlace, log);
        await back(done.value);
        return after;
      }
      await note.end();
      return ok({ before: before.value, after: after.value });
    }),
    async remove(paths) {
      for (const path of paths) {
        const allowed = rules.writable(path);
        if (!allowed.ok) return allowed;
        if ((await documents.bytes(path)) === undefined) return refuse('doc.not-found', { path });
      }
      const before = await saved();
      if (!before.ok) return before;
      /** What is deleted must be what the checkpoint has: words typed meanwhile would be nowhere. */
      const kept = await checkpoints.manifest(before.value);
      if (!kept.ok) return kept;
      const gone: Gone[] = [];
      for (const path of paths) {
        const bytes = await documents.bytes(path);
        const deleted = await removeKept(path, bytes, kept.value.get(path.normalize('NFC')));
        if (!deleted.ok) {
          await putBack(gone);
          return deleted;
        }
        if (bytes !== undefined) gone.push({ path, bytes });
      }
      const after = await saved(deps.messages().deleted(paths.length));
      if (!after.ok) await putBack(gone);
      return after.ok ? ok({ before: before.value, after: after.value }) : after;
    },
  };
}

/** Where the heading's words stand in a text whose heading they are. */
export function headingPlace(text: string, heading: string): number | undefined {
  if (headingOf(text) !== heading) return undefined;
  const mark = text.indexOf('#', frontMatterEnd(text));
  const at = mark === -1 ? -1 : text.indexOf(heading, mark + 1);
  return at === -1 ? undefined : at;
}
