import { parseDocument } from 'yaml';

/** What a chapter says about itself before its text. */
export interface FrontMatter {
  /** The keys as plain values, when the block is a YAML mapping that parses. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** The parser's first complaint, when it does not. */
  readonly problem?: string;
}

/**
 * UTF-16 offset just behind a front matter block (its closing `---` line included), or 0 when there is none.
 * A block opens with `---` alone on the very first line (a BOM before it is tolerated) and must be closed.
 */
export function frontMatterEnd(text: string): number {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  if (!text.startsWith('---', start)) return 0;
  const open = /---[ \t]*\r?\n/y;
  open.lastIndex = start;
  if (!open.test(text)) return 0;
  const close = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/gm;
  close.lastIndex = open.lastIndex;
  for (let hit = close.exec(text); hit !== null; hit = close.exec(text)) {
    const end = hit.index + hit[0].length;
    // `$` with the m flag also matches before a line end other than the one eaten above.
    if (hit[0].endsWith('\n') || end === text.length) return end;
    if (text[end] === '\r') return end + 1;
  }
  return 0;
}

/** Reads the front matter of a chapter; `undefined` when it has none. Never throws on bad YAML. */
export function readFrontMatter(text: string): FrontMatter | undefined {
  const end = frontMatterEnd(text);
  if (end === 0) return undefined;
  const body = text
    .slice(0, end)
    .replace(/^\uFEFF?---[ \t]*\r?\n/, '')
    .replace(/(?:---|\.\.\.)[ \t]*\r?\n?$/, '');
  const document = parseDocument(body, { prettyErrors: false });
  const first = document.errors[0];
  if (first !== undefined) return { problem: first.message };
  const data: unknown = document.toJS({ maxAliasCount: 20 });
  if (data === null || data === undefined) return { data: {} };
  if (typeof data !== 'object' || Array.isArray(data)) return { problem: 'not a mapping' };
  return { data: data as Record<string, unknown> };
}
