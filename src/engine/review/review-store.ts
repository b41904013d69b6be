import type { Files } from '../ports/files';
import type { Ids } from '../ports/ids';
import type { Log } from '../ports/log';
import { EngineFailure } from '../ports/result';
import type { ObjectStore } from '../store/objects';
import { versionOf } from '../text/json';
import { REVIEW_FOLDER, REVIEW_VERSION, reviewFile, type Proposal, type ReviewFile, type ReviewState } from './proposal';
import { emptyReview } from './state';

/** Proposals on the disk: one file a session, texts as objects. */
export interface ReviewStore {
  /** Sessions that have a file. */
  sessions(): Promise<readonly string[]>;
  /**
   * What lies there; a file that cannot be read is told to the log and put aside, under a name of its own. One of a newer version stays where
   * it is, for that version: here nothing is proposed, and `save` throws `store.newer-version`.
   */
  load(sessionId: string): Promise<ReviewState>;
  /** Whether somebody else has written there since it was loaded or saved here. */
  changed(sessionId: string): Promise<boolean>;
  /** Paths of proposals that wait and whose texts are not there; they stay in the file, and come back with their texts. */
  lost(): readonly string[];
  /** Atomic: either the former state lies there or this one. Throws what `Files` rejects with. */
  save(state: ReviewState): Promise<void>;
}

const NAME = /^([\w-]{1,80})\.json$/;
const pathOf = (sessionId: string): string => `${REVIEW_FOLDER}/${sessionId}.json`;
type Stored = ReviewFile['proposals'][number];

export interface ReviewStoreDeps {
  readonly files: Files;
  readonly objects: ObjectStore;
  readonly ids: Ids;
  readonly log: Log;
  /** Nothing is put aside. */
  readonly readOnly?: boolean;
}

export function createReviewStore({ files, objects, ids, log, readOnly = false }: ReviewStoreDeps): ReviewStore {
  /** Hashes of texts that are stored, so that a file that stays is not hashed anew with every change. */
  const stored = new Map<string, string>();

  /** Sessions whose file a newer version wrote, with it. */
  const newer = new Map<string, number>();

  /** Of each session, proposals whose texts are not there (yet): kept in the file as they are. */
  const lost = new Map<string, readonly Stored[]>();

  /** What the files were like when they were loaded or saved here last. */
  const seen = new Map<string, string>();

  async function likeNow(sessionId: string): Promise<string> {
    const stat = await files.stat(pathOf(sessionId));
    return stat === undefined ? '' : `${stat.mtimeNs} ${stat.ctimeNs} ${stat.size} ${stat.ino}`;
  }

  async function shasOf(texts: readonly string[]): Promise<(text: string | null) => string | null> {
    const wanted = new Set(texts);
    const missing = [...wanted].filter((text) => !stored.has(text));
    const shas = missing.length === 0 ? [] : await objects.putAll(missing.map((text) => Buffer.from(text, 'utf8')));
    for (const [at, text] of missing.entries()) stored.set(text, shas[at] ?? '');
    const answers = new Map([...wanted].map((text) => [text, stored.get(text) ?? '']));
    return (text) => (text === null ? null : (answers.get(text) ?? null));
  }

  async function textOf(sha: string | null): Promise<string | null | undefined> {
    if (sha === null) return null;
    const bytes = await objects.get(sha);
    return bytes.ok ? Buffer.from(bytes.value).toString('utf8') : undefined;
  }

  async function proposalOf(sessionId: string, one: Stored): Promise<Proposal | undefined> {
    const [base, agent, text] = await Promise.all([one.base, one.agent, one.text].map(textOf));
    const sides = await Promise.all(one.steps.map(async (step) => [await textOf(step.before), await textOf(step.after)] as const));
    if (base === undefined || agent === undefined || text === undefined || sides.flat().includes(undefined)) {
      log.warn('the texts of a proposal are not there', { path: one.path, id: one.id });
      return undefined;
    }
    const { counts, done, ...rest } = one;
    const steps = one.steps.map((step, at) => ({ ...step, before: sides[at]?.[0] ?? null, after: sides[at]?.[1] ?? null }));
    return { ...rest, ...(done === undefined ? {} : { done }), ...(counts === undefined ? {} : { counts }), sessionId, base, agent, text, steps };
  }

  async function stateOf(sessionId: string, file: ReviewFile): Promise<ReviewState> {
    const proposals = await Promise.all(file.proposals.map((one) => proposalOf(sessionId, one)));
    lost.set(sessionId, file.proposals.filter((_, at) => proposals[at] === undefined));
    const notes = file.notes.map(({ count, before, after, ...rest }) => ({
      ...rest,
      ...(count === undefined ? {} : { count }),
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    }));
    return { sessionId, proposals: proposals.flatMap((one) => one ?? []), notes };
  }

  /** Nothing of it is thrown away: it goes aside. */
  async function setAside(sessionId: string, cause: unknown): Promise<ReviewState> {
    log.warn('proposals cannot be read and are put aside', { path: pathOf(sessionId), cause: String(cause) });
    if (!readOnly) await files.rename(pathOf(sessionId), `${pathOf(sessionId)}.${ids.next()}.unreadable`);
    return emptyReview(sessionId);
  }

  return {
    async sessions() {
      return (await files.list(REVIEW_FOLDER)).flatMap(({ name }) => NAME.exec(name)?.[1] ?? []);
    },
    changed: async (sessionId) => (seen.get(sessionId) ?? '') !== (await likeNow(sessionId)),
    async load(sessionId) {
      seen.set(sessionId, await likeNow(sessionId));
      newer.delete(sessionId);
      lost.delete(sessionId);
      const bytes = await files.read(pathOf(sessionId));
      if (bytes === undefined) return emptyReview(sessionId);
      let value: unknown;
      try {
        value = JSON.parse(Buffer.from(bytes).toString('utf8'));
      } catch (error) {
        if (error instanceof SyntaxError) return setAside(sessionId, error);
        throw error;
      }
      const v = versionOf(value);
      if (v > REVIEW_VERSION) {
        log.warn('proposals are of a newer version and stay as they are', { path: pathOf(sessionId), v });
        newer.set(sessionId, v);
        return emptyReview(sessionId);
      }
      const parsed = reviewFile.safeParse(value);
      if (!parsed.success) return setAside(sessionId, parsed.error);
      return stateOf(sessionId, parsed.data);
    },
    lost: () => [...new Set([...lost.values()].flat().flatMap(({ state, path }) => (state === 'pending' ? [path] : [])))].sort(),
    async save(state) {
      const v = newer.get(state.sessionId);
      if (v !== undefined) throw new EngineFailure({ code: 'store.newer-version', args: { path: pathOf(state.sessionId), v } });
      const sides = state.proposals.flatMap(({ base, agent, text, steps }) => [base, agent, text, ...steps.flatMap(({ before, after }) => [before, after])]);
      const texts = sides.filter((side) => side !== null);
      const sha = await shasOf(texts);
      const value: ReviewFile = {
        v: REVIEW_VERSION,
        session: state.sessionId,
        proposals: [
          ...(lost.get(state.sessionId) ?? []),
          ...state.proposals.map(({ sessionId: _, done, counts, ...one }) => ({
            ...one,
            base: sha(one.base),
            agent: sha(one.agent),
            text: sha(one.text),
            steps: one.steps.map((step) => ({ ...step, before: sha(step.before), after: sha(step.after) })),
            ...(done === undefined ? {} : { done: { ...done } }),
            ...(counts === undefined ? {} : { counts: { ...counts } }),
          })),
        ],
        notes: state.notes.map((note) => ({ ...note, told: [...note.told] })),
      };
      await files.writeAtomic(pathOf(state.sessionId), Buffer.from(JSON.stringify(value)), { fsync: true });
      seen.set(state.sessionId, await likeNow(state.sessionId));
      const kept = new Set(texts);
      for (const text of stored.keys()) if (!kept.has(text)) stored.delete(text);
    },
  };
}
