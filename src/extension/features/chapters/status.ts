/** The states of a chapter that the view knows; any other word is shown as it is written. */
export type StatusKind = 'draft' | 'revising' | 'final' | 'other';

const words: Readonly<Record<Exclude<StatusKind, 'other'>, readonly string[]>> = {
  draft: ['草稿', '初稿', 'draft'],
  revising: ['修改', '修改中', '修订', '二稿', 'revised', 'revising', 'revision', 'in revision'],
  final: ['定稿', '完稿', '完成', 'final', 'done'],
};

/** What is written into the front matter, by the language of the project. */
export const statusWords: Readonly<Record<'zh' | 'en', Readonly<Record<Exclude<StatusKind, 'other'>, string>>>> = {
  zh: { draft: '草稿', revising: '修改', final: '定稿' },
  en: { draft: 'draft', revising: 'revised', final: 'final' },
};

export const statusIcons: Readonly<Record<StatusKind, string>> = { draft: 'circle-outline', revising: 'edit', final: 'pass-filled', other: 'tag' };

export function statusKind(status: string): StatusKind {
  const wanted = status.trim().toLowerCase();
  for (const kind of ['draft', 'revising', 'final'] as const) if (words[kind].includes(wanted)) return kind;
  return 'other';
}

/** Whole percent of a target, at least 0; may be above 100. */
export const progressOf = (count: number, target: number): number => Math.floor((count / target) * 100);
