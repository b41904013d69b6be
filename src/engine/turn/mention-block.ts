import type { PromptBlock } from '../prompt/blocks';
import { localTime } from '../prompt/agent-prompt';
import type { Mentioned } from '../prompt/mentioned';
import { renderMentions } from '../prompt/mentioned';
import type { Mention } from '../session/mentions';
import { countWords } from '../text/count-words';
import { titleOf } from '../text/titles';
import { RULES_FILE } from '../project/rules';
import { mapLimited } from '../store/limited';
import { readablePath } from '../tools/paths';
import type { TurnDeps } from './deps';

type MentionDeps = Pick<TurnDeps, 'documents' | 'checkpoints' | 'project' | 'trusted' | 'assets' | 'log'>;

/** Each thing once; more than these are left to the words alone. */
const MOST_MENTIONS = 40;
const AT_ONCE = 4;

/** What the user points at, as it is now. Nothing where they point at nothing. Costs what is mentioned, however long the book is. */
export async function mentionBlock(deps: MentionDeps, mentions: readonly Mention[]): Promise<PromptBlock | undefined> {
  const distinct = [...new Map(mentions.map((mention) => [keyOf(mention), mention])).values()].slice(0, MOST_MENTIONS);
  if (distinct.length === 0) return undefined;
  const { texts } = deps.assets();
  const mentioned = await mapLimited(distinct, AT_ONCE, (mention) => describe(deps, mention));
  return { kind: 'mentions', title: texts.mentions, source: 'mentions', text: renderMentions(mentioned, texts) };
}

const keyOf = (mention: Mention): string => JSON.stringify([mention.kind, mention.ref, ...(mention.kind === 'selection' ? [mention.start, mention.end, mention.text] : [])]);

async function describe(deps: MentionDeps, mention: Mention): Promise<Mentioned> {
  switch (mention.kind) {
    case 'file':
      return { kind: 'file', path: mention.ref, known: await fileOf(deps, mention.ref) };
    case 'selection':
      return { kind: 'selection', mention };
    case 'checkpoint':
      return checkpointOf(deps, mention);
  }
}

async function fileOf(deps: MentionDeps, given: string): Promise<{ readonly words: number; readonly title: string } | undefined> {
  const path = readablePath(given, { rules: deps.project.rules, trusted: deps.trusted() });
  const live = path.ok ? await deps.documents.read(path.value) : path;
  if (!live.ok) return undefined;
  return { words: countWords(live.value.text), title: titleOf(given, live.value.text) };
}

async function checkpointOf(deps: MentionDeps, { ref, title }: Mention): Promise<Mentioned> {
  const record = await deps.checkpoints.get(ref);
  if (!record.ok) return { kind: 'checkpoint', title: title ?? ref, time: '', changes: undefined };
  const changes = await deps.checkpoints.compare(ref, 'now');
  if (!changes.ok) deps.log.warn('turn: what changed since a mentioned checkpoint cannot be told', { code: changes.error.code });
  return {
    kind: 'checkpoint',
    title: record.value.message,
    time: localTime(record.value.ts),
    changes: changes.ok ? changes.value.filter(({ path }) => path !== RULES_FILE || deps.trusted()) : undefined,
  };
}
