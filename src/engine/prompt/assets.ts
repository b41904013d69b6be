import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Result } from '../ports/result';
import { ok, refuse } from '../ports/result';

const toolTexts = z.record(z.string(), z.object({ description: z.string(), params: z.record(z.string(), z.string()) }));

/** Small texts that the program puts into prompts and onto disk; `{name}` is filled in by `fill`. */
const agentTexts = z.object({
  facts: z.string(),
  folder: z.string(),
  folderJoin: z.string(),
  projectRules: z.string(),
  styleNotes: z.string(),
  forbiddenWords: z.string(),
  forbiddenJoin: z.string(),
  forbiddenInstead: z.string(),
  forbiddenOr: z.string(),
  outline: z.string(),
  outlineTotal: z.string(),
  outlineLine: z.string(),
  outlineVolume: z.string(),
  outlineOthers: z.string(),
  changes: z.string(),
  changed: z.string(),
  added: z.string(),
  removed: z.string(),
  renamed: z.string(),
  changesMore: z.string(),
  linesMore: z.string(),
  noReply: z.string(),
  review: z.string(),
  reviewLine: z.string(),
  reviewJoin: z.string(),
  reviewAccepted: z.string(),
  reviewAcceptedSome: z.string(),
  reviewRejected: z.string(),
  reviewRejectedSome: z.string(),
  reviewTweaked: z.string(),
  reviewWaits: z.string(),
  reviewQuote: z.string(),
  passage: z.object({
    title: z.string(),
    rewrite: z.string(),
    expand: z.string(),
    shorten: z.string(),
    continue: z.string(),
    alternatives: z.string(),
    wish: z.string(),
    form: z.string(),
  }),
  nextChapter: z.string(),
  chapterTitle: z.string(),
  job: z.object({ title: z.string(), text: z.string(), given: z.string(), read: z.string(), words: z.string() }),
  outlineFile: z.string(),
  lastTitles: z.string(),
  lastWords: z.string(),
  textStart: z.string(),
  summary: z.string(),
  compactBefore: z.string(),
  compactTalk: z.string(),
  compactTurn: z.string(),
  compactAuthor: z.string(),
  compactAgent: z.string(),
  compactAction: z.string(),
  compactFailed: z.string(),
  compactAsked: z.string(),
  mentions: z.string(),
  mentionFile: z.string(),
  mentionGone: z.string(),
  mentionLine: z.string(),
  mentionLines: z.string(),
  mentionCut: z.string(),
  mentionCheckpoint: z.string(),
  mentionUnchanged: z.string(),
  mentionNoCheckpoint: z.string(),
});
export type AgentTexts = Readonly<z.infer<typeof agentTexts>>;

/** Everything the model is told that does not come from the project, in one language. */
export interface PromptAssets {
  /** `agent.md`, without outer white space. */
  readonly agentRules: string;
  /** `compact.md`: how earlier turns are summarised. */
  readonly compact: string;
  /** Descriptions by tool name, and of each parameter by dotted path (`edits.old`). */
  readonly tools: Readonly<z.infer<typeof toolTexts>>;
  readonly texts: AgentTexts;
  /** `next-chapter.md`: what is asked for with 「下一章」; places `{title}`, `{path}`, `{heading}`. */
  readonly nextChapter: string;
}

/** Reads `<assets>/prompts/<language>/`. Refuses `asset.missing` with the file's `{path}` under `assets/`, also when it is damaged or blank. */
export async function loadPromptAssets(assets: string, language: 'zh' | 'en'): Promise<Result<PromptAssets>> {
  const folder = `prompts/${language}`;
  const rules = await readText(assets, `${folder}/agent.md`);
  if (!rules.ok) return rules;
  const compact = await readText(assets, `${folder}/compact.md`);
  if (!compact.ok) return compact;
  const tools = await readJson(assets, `${folder}/tools.json`, toolTexts);
  if (!tools.ok) return tools;
  const texts = await readJson(assets, `${folder}/texts.json`, agentTexts);
  if (!texts.ok) return texts;
  const next = await readText(assets, `${folder}/next-chapter.md`);
  if (!next.ok) return next;
  return ok({ agentRules: rules.value.trim(), compact: compact.value.trim(), tools: tools.value, texts: texts.value, nextChapter: next.value.trim() });
}

async function readText(assets: string, path: string): Promise<Result<string>> {
  try {
    const text = (await readFile(join(assets, path), 'utf8')).replaceAll('\r\n', '\n');
    return text.trim() === '' ? refuse('asset.missing', { path }) : ok(text);
  } catch (error) {
    return refuse('asset.missing', { path }, error);
  }
}

async function readJson<T>(assets: string, path: string, schema: z.ZodType<T>): Promise<Result<T>> {
  const text = await readText(assets, path);
  if (!text.ok) return text;
  try {
    return ok(schema.parse(JSON.parse(text.value)));
  } catch (error) {
    return refuse('asset.missing', { path }, error);
  }
}

/** Puts values into `{name}` places. Values are taken literally; a name without a value stays as it is. */
export function fill(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name];
    return value === undefined ? place : String(value);
  });
}
