import type { FileChange } from '../manuscript/checkpoints';
import type { Result } from '../ports/result';
import { ok } from '../ports/result';
import { RULES_FILE } from '../project/rules';
import { stateBlocks } from '../prompt/agent-prompt';
import { passageBlock } from '../prompt/passage-block';
import type { AuthorChange } from '../prompt/author-changes';
import type { PromptBlock } from '../prompt/blocks';
import { BLOCK_JOIN, joinBlocks } from '../prompt/blocks';
import type { Entry, EntryOf } from '../session/entries';
import { openTurn } from '../session/history';
import { mentionsOf } from '../session/mentions';
import { decodeBytes } from '../text/encoding';
import type { TurnDeps } from './deps';
import { jobBlocks, jobChapterOf } from './job-block';
import { mentionBlock } from './mention-block';
import { newsOf, spansSince } from './review-news';
import { taskBlocks } from './task-blocks';
import type { TurnLog } from './turn-log';

/** More files than these are only named. */
const MOST_DIFFS = 20;

/**
 * Writes what is put before the author's words of this turn: its blocks as objects, its place as a `context` entry.
 * From then on it is frozen. Refuses `store.*`.
 */
export async function writeStateBlock(deps: TurnDeps, log: TurnLog): Promise<Result<void>> {
  const newest = await deps.checkpoints.head();
  const head = newest.ok ? newest.value?.id : undefined;
  const blocks = await currentBlocks(deps, log.session.header.id, log.entries, head);
  if (!blocks.ok) return blocks;
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  const [sha = '', ...shas] = await deps.objects.putAll([joinBlocks(blocks.value), ...blocks.value.map(({ text }) => text)].map(encode));
  const written = await log.append(
    [
      {
        type: 'context',
        data: {
          sha,
          blocks: blocks.value.map(({ kind, title }, at) => ({ kind, title, sha: shas[at] ?? '' })),
          ...(head === undefined ? {} : { checkpoint: head }),
        },
      },
    ],
    false,
  );
  return written ? ok(undefined) : { ok: false, error: log.failure() ?? { code: 'store.io' } };
}

async function currentBlocks(deps: TurnDeps, sessionId: string, entries: readonly Entry[], head: string | undefined): Promise<Result<readonly PromptBlock[]>> {
  const said = openTurn(entries)?.user.data;
  const path = jobChapterOf(said);
  // A turn of a job costs the same for every chapter: it is told of no other one.
  if (path !== undefined) return jobBlocks(deps, path);
  const chapters = await deps.manuscript.chapters();
  if (!chapters.ok) return chapters;
  const authorChanges = await changesSince(deps, lastSeen(entries), head, sessionId);
  const review = await newsOf(deps, sessionId, entries);
  if (!review.ok) return review;
  const { texts } = deps.assets();
  const task = await taskBlocks(deps, said?.task, chapters.value);
  const mentions = await mentionBlock(deps, mentionsOf(said?.attachments));
  return ok([
    ...stateBlocks({
      texts,
      folder: deps.manuscript.folder,
      chapters: chapters.value,
      ...(authorChanges === undefined ? {} : { authorChanges }),
      review: review.value,
      ...task,
    }),
    ...(mentions === undefined ? [] : [mentions]),
    ...(said?.passage === undefined ? [] : [passageBlock(said.passage, texts)]),
  ]);
}

/** What the agent knows from the last finished turn on this branch. */
interface Seen {
  /** The newest checkpoint when its state block was written. */
  readonly began: string | undefined;
  /** The newest checkpoint when it ended. */
  readonly ended: string;
}

function lastSeen(entries: readonly Entry[]): Seen | undefined {
  const at = entries.findLastIndex((entry) => entry.type === 'end' && entry.data.checkpoint !== undefined);
  const end = entries[at];
  if (end?.type !== 'end' || end.data.checkpoint === undefined) return undefined;
  const context = entries.slice(0, at).findLast((entry): entry is EntryOf<'context'> => entry.type === 'context');
  return { began: context?.data.checkpoint, ended: end.data.checkpoint };
}

/**
 * What the author changed while the last turn ran, then what they changed since. A comparison that cannot be made (a pruned or broken
 * checkpoint) leaves its part out; the turn goes on.
 */
async function changesSince(deps: TurnDeps, seen: Seen | undefined, head: string | undefined, sessionId: string): Promise<readonly AuthorChange[] | undefined> {
  if (seen === undefined || head === undefined) return undefined;
  const lost = (code: string): readonly never[] => {
    deps.log.warn('turn: what the author changed cannot be shown', { code });
    return [];
  };
  const meanwhile = seen.began === undefined ? ok([]) : await deps.checkpoints.authoredBetween(seen.began, seen.ended);
  const spans = (meanwhile.ok ? meanwhile.value : lost(meanwhile.error.code)).map(({ id, parents }) => [parents[0] ?? null, id] as const);
  const compared: FileChange[] = [];
  for (const [from, to] of [...spans, ...(await spansSince(deps, seen.ended, head, sessionId))]) {
    const changes = await deps.checkpoints.compare(from, to);
    compared.push(...(changes.ok ? changes.value : lost(changes.error.code)));
  }
  const shown = compared.filter(({ path }) => path !== RULES_FILE || deps.trusted());
  return shown.length === 0 ? undefined : Promise.all(shown.map((change, at) => withTexts(deps, change, at < MOST_DIFFS)));
}

async function withTexts(deps: TurnDeps, change: FileChange, wanted: boolean): Promise<AuthorChange> {
  if (!wanted || change.before === null || change.after === null) return { change };
  const [before, after] = await Promise.all([textOf(deps, change.before), textOf(deps, change.after)]);
  return before === undefined || after === undefined ? { change } : { change, before, after };
}

async function textOf(deps: TurnDeps, sha: string): Promise<string | undefined> {
  const bytes = await deps.objects.get(sha);
  const decoded = bytes.ok ? decodeBytes(bytes.value) : bytes;
  return decoded.ok ? decoded.value.text : undefined;
}

/** Texts of the context objects that a branch names, read once. A lost one is told to the log and left out. */
export async function loadContexts(deps: TurnDeps, entries: readonly Entry[], known: Map<string, string>): Promise<void> {
  const wanted = entries.flatMap((entry) => {
    const sha = entry.type === 'context' || entry.type === 'steer' ? entry.data.sha : undefined;
    return sha === undefined || known.has(sha) ? [] : [sha];
  });
  for (const sha of new Set(wanted)) {
    const bytes = await deps.objects.get(sha);
    if (bytes.ok) known.set(sha, new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.value));
    else deps.log.warn('turn: a state block is lost', { sha, code: bytes.error.code });
  }
}

/** The named blocks of a context entry, when all of them are there and still join to what was sent. */
export async function namedBlocks(
  deps: TurnDeps,
  context: EntryOf<'context'>,
  whole: string | undefined,
): Promise<readonly PromptBlock[] | undefined> {
  const blocks: PromptBlock[] = [];
  for (const { kind, title, sha } of context.data.blocks) {
    const bytes = await deps.objects.get(sha);
    if (!bytes.ok) return undefined;
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.value);
    blocks.push({ kind, title, source: context.id, text, object: sha });
  }
  return blocks.map(({ text }) => text).join(BLOCK_JOIN) === whole ? blocks : undefined;
}
