import type { Files } from '../ports/files';
import type { Log } from '../ports/log';
import type { ObjectStore } from '../store/objects';
import { REVIEW_FOLDER, REVIEW_VERSION, reviewFile, type Proposal, type ReviewFile, type ReviewState } from './proposal';
import { emptyReview } from './state';

/** Proposals on the disk: one file a session, texts as objects. */
export interface ReviewStore {
  /** Sessions that have a file. */
  sessions(): Promise<readonly string[]>;
  /** What lies there; a file that cannot be read is told to the log and left as it is, under another name before the next write. */
  load(sessionId: string): Promise<ReviewState>;
  /** Whether somebody else has written there since it was loaded or saved here. */
  changed(sessionId: string): Promise<boolean>;
  /** Atomic: either the former state lies there or this one. Throws what `Files` rejects with. */
  save(state: ReviewState): Promise<void>;
}

const NAME = /^([\w-]{1,80})\.json$/;
const pathOf = (sessionId: string): string => `${REVIEW_FOLDER}/${sessionId}.json`;
type Stored = ReviewFile['proposals'][number];

export function createReviewStore({ files, objects, log }: { readonly files: Files; readonly objects: ObjectStore; readonly log: Log }): ReviewStore {
  /** Hashes of texts that are stored, so that a file that stays is not hashed anew with every change. */
  const stored = new Map<string, string>();

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
      log.warn('the texts of a proposal are lost', { path: one.path, id: one.id });
      return undefined;
    }
    const { counts, done, ...rest } = one;
    const steps = one.steps.map((step, at) => ({ ...step, before: sides[at]?.[0] ?? null, after: sides[at]?.[1] ?? null }));
    return { ...rest, ...(done === undefined ? {} : { done }), ...(counts === undefined ? {} : { counts }), sessionId, base, agent, text, steps };
  }

  async function stateOf(sessionId: string, file: ReviewFile): Promise<ReviewState> {
    const proposals = await Promise.all(file.proposals.map((one) => proposalOf(sessionId, one)));
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
    await files.rename(pathOf(sessionId), `${pathOf(sessionId)}.unreadable`);
    return emptyReview(sessionId);
  }

  return {
    async sessions() {
      return (await files.list(REVIEW_FOLDER)).flatMap(({ name }) => NAME.exec(name)?.[1] ?? []);
    },
    changed: async (sessionId) => (seen.get(sessionId) ?? '') !== (await likeNow(sessionId)),
    async load(sessionId) {
      seen.set(sessionId, await likeNow(sessionId));
      const bytes = await files.read(pathOf(sessionId));
      if (bytes === undefined) return emptyReview(sessionId);
      let value: unknown;
      try {
        value = JSON.parse(Buffer.from(bytes).toString('utf8'));
      } catch (error) {
        if (error instanceof SyntaxError) return setAside(sessionId, error);
        throw error;
      }
      const parsed = reviewFile.safeParse(value);
      if (!parsed.success || parsed.data.v > REVIEW_VERSION) return setAside(sessionId, parsed.error ?? 'a newer version');
      return stateOf(sessionId, parsed.data);
    },
    async save(state) {
      const sides = state.proposals.flatMap(({ base, agent, text, steps }) => [base, agent, text, ...steps.flatMap(({ before, after }) => [before, after])]);
      const texts = sides.filter((side) => side !== null);
      const sha = await shasOf(texts);
      const value: ReviewFile = {
        v: REVIEW_VERSION,
        session: state.sessionId,
        proposals: state.proposals.map(({ sessionId: _, done, counts, ...one }) => ({
          ...one,
          base: sha(one.base),
          agent: sha(one.agent),
          text: sha(one.text),
          steps: one.steps.map((step) => ({ ...step, before: sha(step.before), after: sha(step.after) })),
          ...(done === undefined ? {} : { done: { ...done } }),
          ...(counts === undefined ? {} : { counts: { ...counts } }),
        })),
        notes: state.notes.map((note) => ({ ...note, told: [...note.told] })),
      };
      await files.writeAtomic(pathOf(state.sessionId), Buffer.from(JSON.stringify(value)), { fsync: true });
      seen.set(state.sessionId, await likeNow(state.sessionId));
      const kept = new Set(texts);
      for (const text of stored.keys()) if (!kept.has(text)) stored.delete(text);
    },
  };
}
