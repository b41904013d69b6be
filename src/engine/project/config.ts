import * as z from 'zod';
import { ok, refuse, type Result } from '../ports/result';
import { versionOf } from '../text/json';
import type { ProjectConfig } from './project';
import { normalisePath } from './rules';

/** Version of `project.json` that this code writes. */
export const PROJECT_VERSION = 1;
export const PROJECT_FILE = '.liyuan/project.json';

export const DEFAULT_FOLDERS: ProjectConfig['folders'] = {
  manuscript: '正文',
  texts: ['大纲', '设定', '角色卡', '世界书', '预设'],
};

/** A folder, or a file, of the project. */
const folder = z.string().transform((name, context) => {
  const path = normalisePath(name);
  if (path.ok && path.value !== '' && !path.value.split('/').some((part) => part.startsWith('.'))) return path.value;
  context.addIssue({ code: 'custom', message: 'not a path of the project' });
  return z.NEVER;
});

/** `project.json`. What is missing has its default, unknown keys are kept. */
export const projectSchema = z.looseObject({
  v: z.number().int().positive().default(PROJECT_VERSION),
  title: z.string().default(''),
  language: z.enum(['zh', 'en']).default('zh'),
  folders: z
    .looseObject({
      manuscript: folder.default(DEFAULT_FOLDERS.manuscript),
      texts: z.array(folder).default([...DEFAULT_FOLDERS.texts]),
    })
    .default({ manuscript: DEFAULT_FOLDERS.manuscript, texts: [...DEFAULT_FOLDERS.texts] }),
  files: z.looseObject({ style: folder.optional(), forbidden: folder.optional() }).optional(),
  rules: z.looseObject({ agents: z.boolean().optional(), style: z.boolean().optional(), forbidden: z.boolean().optional() }).optional(),
  /** Globs the agent may not write, on top of the rules. */
  deny: z.array(z.string()).optional(),
});
export type ProjectFile = z.infer<typeof projectSchema>;

interface Conflict {
  readonly line: number;
  readonly ours: string;
  readonly theirs: string;
}

const SHOWN = 400;

/** The first merge conflict of a text, by git's markers; `line` from 1. */
export function findConflict(text: string): Conflict | undefined {
  const lines = text.split(/\r?\n/);
  const from = lines.findIndex((line) => line.startsWith('<<<<<<<'));
  if (from === -1) return undefined;
  const after = (marker: string, start: number): number => {
    const at = lines.findIndex((line, i) => i >= start && line.startsWith(marker));
    return at === -1 ? lines.length : at;
  };
  const middle = after('=======', from + 1);
  const base = Math.min(after('|||||||', from + 1), middle);
  const end = after('>>>>>>>', middle + 1);
  const side = (start: number, stop: number): string =>
    lines
      .slice(start, stop)
      .map((line) => line.trim())
      .join('\n')
      .slice(0, SHOWN);
  return { line: from + 1, ours: side(from + 1, base), theirs: side(middle + 1, end) };
}

/** The raw object and the checked settings. Refuses `project.conflict` (naming both sides), `project.bad-json`. */
export function parseProjectFile(text: string): Result<{ readonly raw: Readonly<Record<string, unknown>>; readonly config: ProjectFile }> {
  const conflict = findConflict(text);
  if (conflict !== undefined) return refuse('project.conflict', { path: PROJECT_FILE, ...conflict });
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return refuse('project.bad-json', { path: PROJECT_FILE, key: '', reason: error instanceof Error ? error.message : '' }, error);
  }
  const parsed = projectSchema.safeParse(value);
  const v = versionOf(value);
  if (!parsed.success && v > PROJECT_VERSION) return refuse('store.newer-version', { path: PROJECT_FILE, v });
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return refuse('project.bad-json', { path: PROJECT_FILE, key: issue?.path.join('.') ?? '', reason: issue?.message ?? '' });
  }
  return ok({ raw: value as Readonly<Record<string, unknown>>, config: parsed.data });
}

/** One key a line (and one item of a list), so that two people's changes merge. */
export function formatProjectFile(value: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
