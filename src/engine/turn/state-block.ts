import type { FileChange } from '../manuscript/checkpoints';
import type { Result } from '../ports/result';
import { ok } from '../ports/result';
import { RULES_FILE } from '../project/rules';
import { stateBlocks } from '../prompt/agent-prompt';
import type { AuthorChange } from '../prompt/author-changes';
import type { PromptBlock } from '../prompt/blocks';
import { BLOCK_JOIN, joinBlocks } from '../prompt/blocks';
import type { Entry, EntryOf } from '../session/entries';
import { decodeBytes } from '../text/encoding';
import type { TurnDeps } from './deps';
import type { TurnLog } from './turn-log';

/** More files than these are only named. */
const MOST_DIFFS = 20;

/**
 * Writes what is put before the author's words of this turn: its blocks as objects, its place as a `context` entry.
 * From then on it is frozen. Refuses `store.*`.
 */
export async function writeStateBlock(deps: TurnDeps, log: TurnLog): Promise<Result<void>> {
  const blocks = await currentBlocks(deps, log.entries);
  if (!blocks.ok) return blocks;
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  const [sha = '', ...shas] = await deps.objects.putAll([joinBlocks(blocks.value), ...blocks.value.map(({ text }) => text)].map(encode));
  const written = await log.append(
    [
      {
        type: 'context',
        data: { sha, blocks: blocks.value.map(({ kind, title }, at) => ({ kind, title, sha: shas[at] ?? '' })) },
      },
    ],
    false,
  );
  return written ? ok(undefined) : { ok: false, error: log.failure() ?? { code: 'store.io' } };
}

async function currentBlocks(deps: TurnDeps, entries: readonly Entry[]): Promise<Result<readonly PromptBlock[]>> {
  const chapters = await deps.manuscript.chapters();
  if (!chapters.ok) return chapters;
  const authorChanges = await changesSince(deps, lastSeen(entries));
  return ok(
    stateBlocks({
      texts: deps.assets().texts,
      folder: deps.manuscript.folder,
      chapters: chapters.value,
      ...(authorChanges === undefined ? {} : { authorChanges }),
    }),
  );
}

/** The checkpoint at the end of the last finished turn on this branch: what the agent knows. */
function lastSeen(entries: readonly Entry[]): string | undefined {
  const end = entries.findLast((entry): entry is EntryOf<'end'> => entry.type === 'end' && entry.data.checkpoint !== undefined);
  return end?.data.checkpoint;
}

/** A comparison that cannot be made (a pruned or broken checkpoint) leaves the block out; the turn goes on. */
async function changesSince(deps: TurnDeps, seen: string | undefined): Promise<readonly AuthorChange[] | undefined> {
  if (seen === undefined) return undefined;
  const head = await deps.checkpoints.head();
  const now = head.ok ? head.value?.id : undefined;
  if (now === undefined || now === seen) return undefined;
  const compared = await deps.checkpoints.compare(seen, now);
  if (!compared.ok) {
    deps.log.warn('turn: what the author changed cannot be shown', { code: compared.error.code });
    return undefined;
  }
  const shown = compared.value.filter(({ path }) => path !== RULES_FILE || deps.trusted());
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
  const wanted = entries.flatMap((entry) => (entry.type === 'context' && !known.has(entry.data.sha) ? [entry.data.sha] : []));
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
