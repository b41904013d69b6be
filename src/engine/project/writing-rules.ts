import type { Documents } from '../ports/documents';
import type { Log } from '../ports/log';
import type { ForbiddenMatcher, ForbiddenWord } from '../text/forbidden-words';
import { createForbiddenMatcher, forbiddenSection, parseForbiddenWords } from '../text/forbidden-words';
import type { Project, ProjectConfig } from './project';
import { RULES_FILE } from './rules';

/** The author's standing rules: `AGENTS.md`, notes on style, forbidden words. */
export const RULE_IDS = ['agents', 'style', 'forbidden'] as const;
export type RuleId = (typeof RULE_IDS)[number];

export interface RuleText {
  readonly id: RuleId;
  /** Where it is, or where one would begin it. */
  readonly path: string;
  /** `undefined`: there is no such file, or the folder is not trusted. */
  readonly text: string | undefined;
  /** The author wants it used. */
  readonly on: boolean;
}

export interface WritingRules {
  readonly agents: RuleText;
  readonly style: RuleText;
  readonly forbidden: RuleText & {
    /** Of the list and of the section in the style notes, whether they are used or not. */
    readonly words: readonly ForbiddenWord[];
  };
}

const STYLE_NAMES = ['文风.md', 'style.md'] as const;
const FORBIDDEN_NAMES = ['禁用词.txt', 'forbidden-words.txt'] as const;

export interface WritingRulesDeps {
  readonly documents: Pick<Documents, 'read'>;
  readonly project: Pick<Project, 'config'>;
  /** Without trust none of them is read. */
  readonly trusted: () => boolean;
  readonly log: Log;
}

/** The rules as they stand now, in buffers or on the disk. What cannot be read is as if it were not there, and logged. */
export async function readWritingRules({ documents, project, trusted, log }: WritingRulesDeps): Promise<WritingRules> {
  const { config } = project;
  const on = (id: RuleId): boolean => config.rules?.[id] !== false;
  const read = async (path: string): Promise<string | undefined> => {
    if (!trusted()) return undefined;
    const live = await documents.read(path);
    if (live.ok) return live.value.text;
    if (live.error.code !== 'doc.not-found') log.warn('a rule of the project cannot be read', { path, code: live.error.code });
    return undefined;
  };
  const first = async (id: 'style' | 'forbidden'): Promise<RuleText> => {
    for (const path of ruleCandidates(config, id)) {
      const text = await read(path);
      if (text !== undefined) return { id, path, text, on: on(id) };
    }
    return { id, path: rulePath(config, id), text: undefined, on: on(id) };
  };
  const style = await first('style');
  const forbidden = await first('forbidden');
  return {
    agents: { id: 'agents', path: RULES_FILE, text: await read(RULES_FILE), on: on('agents') },
    style,
    forbidden: { ...forbidden, words: unite(parseForbiddenWords(forbidden.text ?? ''), forbiddenSection(style.text ?? '')) },
  };
}

/** The words to be looked for, when the author wants them used and there are any. */
export function forbiddenMatcher({ forbidden }: WritingRules): ForbiddenMatcher | undefined {
  return forbidden.on && forbidden.words.length > 0 ? createForbiddenMatcher(forbidden.words) : undefined;
}

/** Where a rule may be: the path that `project.json` names, else in each folder of texts under its names. */
export function ruleCandidates(config: ProjectConfig, id: 'style' | 'forbidden'): readonly string[] {
  const named = config.files?.[id];
  if (named !== undefined) return [named];
  const names = id === 'style' ? STYLE_NAMES : FORBIDDEN_NAMES;
  return config.folders.texts.flatMap((folder) => names.map((name) => `${folder}/${name}`));
}

/** Where a rule is begun. */
function rulePath(config: ProjectConfig, id: 'style' | 'forbidden'): string {
  const named = config.files?.[id];
  if (named !== undefined) return named;
  const { texts } = config.folders;
  const folder = texts.find((name) => /设定|setting|notes?|style/i.test(name)) ?? texts[0];
  const name = (id === 'style' ? STYLE_NAMES : FORBIDDEN_NAMES)[config.language === 'zh' ? 0 : 1];
  return folder === undefined ? name : `${folder}/${name}`;
}

function unite(a: readonly ForbiddenWord[], b: readonly ForbiddenWord[]): readonly ForbiddenWord[] {
  const known = new Set(a.map(({ word }) => word.toLowerCase()));
  return [...a, ...b.filter(({ word }) => !known.has(word.toLowerCase()))];
}
