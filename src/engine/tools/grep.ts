import * as z from 'zod';
import { ok } from '../ports/result';
import type { Result } from '../ports/result';
import { compareNatural } from '../text/natural-order';
import { coveredFiles, notFound, readablePath, tidyPath } from './paths';
import { fitting } from './receipts';
import type { LineHit, LineHits } from './regex-search';
import type { Receipt, Tool, ToolContext } from './tool';

const schema = z.object({
  pattern: z.string().min(1),
  regex: z.boolean().optional(),
  path: z.string().optional(),
  limit: z.int().min(1).optional(),
});

const DEFAULT_LIMIT = 50;
const MOST_LINES = 500;
const LINE_CHARS = 300;
const AROUND = 120;
const TOGETHER = 16;

/**
 * `{matches:[{path, line, text, cut?}], lines, unread?}` over the live texts: `lines` is how many match in all, `text` the line itself
 * (a part of it around the match when `cut`), `unread` what could not be searched.
 */
export const grepTool: Tool<typeof schema> = {
  name: 'grep',
  schema,
  reads: true,
  async run(args, context) {
    const paths = await pathsOf(args.path, context);
    if (!paths.ok) return paths;
    const { texts, unread } = await readAll(paths.value, context);
    const limit = Math.min(args.limit ?? DEFAULT_LIMIT, MOST_LINES);
    const found =
      args.regex === true
        ? await context.regexSearch({ pattern: args.pattern, texts: texts.map(({ text }) => text), limit }, context.signal)
        : ok(plainHits(args.pattern, texts, limit));
    if (!found.ok) return found;
    const matches = found.value.hits.map((hit) => matchOf(hit, texts));
    const shown = fitting(matches, context.resultLimit);
    return ok({
      receipt: {
        matches: matches.slice(0, shown),
        lines: found.value.total,
        ...(unread.length === 0 ? {} : { unread: unread.slice(0, 20) }),
      },
    });
  },
};

interface SearchedText {
  readonly path: string;
  readonly text: string;
}

async function pathsOf(path: string | undefined, context: ToolContext): Promise<Result<readonly string[]>> {
  const tidy = tidyPath(path ?? '');
  if (tidy === '' || tidy === '.') return ok([...(await coveredFiles(context.rules.roots, context))].sort(compareNatural));
  const normal = readablePath(tidy, context);
  if (!normal.ok) return normal;
  const below = await coveredFiles([normal.value], context);
  if (below.length > 0) return ok([...below].sort(compareNatural));
  const live = await context.documents.read(normal.value);
  if (live.ok) return ok([normal.value]);
  if (context.rules.roots.includes(normal.value)) return ok([]);
  return live.error.code === 'doc.not-found' ? notFound(normal.value, live.error, context) : live;
}

async function readAll(
  paths: readonly string[],
  context: ToolContext,
): Promise<{ readonly texts: readonly SearchedText[]; readonly unread: readonly string[] }> {
  const texts: SearchedText[] = [];
  const unread: string[] = [];
  for (let at = 0; at < paths.length && !context.signal.aborted; at += TOGETHER) {
    const part = paths.slice(at, at + TOGETHER);
    const read = await Promise.all(part.map((path) => context.documents.read(path)));
    part.forEach((path, i) => {
      const live = read[i];
      if (live?.ok === true) texts.push({ path, text: live.value.text });
      else unread.push(path);
    });
  }
  return { texts, unread };
}

function plainHits(pattern: string, texts: readonly SearchedText[], limit: number): LineHits {
  const hits: LineHit[] = [];
  let total = 0;
  texts.forEach(({ text }, index) => {
    let line = 1;
    let counted = 0;
    for (let at = text.indexOf(pattern); at !== -1; ) {
      for (let feed = text.indexOf('\n', counted); feed !== -1 && feed < at; feed = text.indexOf('\n', counted)) {
        line += 1;
        counted = feed + 1;
      }
      total += 1;
      if (hits.length < limit) hits.push({ text: index, line, column: at - counted, length: pattern.length });
      const next = text.indexOf('\n', at);
      at = next === -1 ? -1 : text.indexOf(pattern, next + 1);
    }
  });
  return { hits, total };
}

function matchOf(hit: LineHit, texts: readonly SearchedText[]): Receipt {
  const { path, text } = texts[hit.text] ?? { path: '', text: '' };
  const line = (text.split('\n', hit.line)[hit.line - 1] ?? '').replace(/\r$/, '');
  if (line.length <= LINE_CHARS) return { path, line: hit.line, text: line };
  const from = wholeCharacter(line, Math.max(0, hit.column - AROUND));
  const to = wholeCharacter(line, Math.min(line.length, hit.column + Math.min(hit.length, LINE_CHARS) + AROUND));
  return { path, line: hit.line, text: line.slice(from, to), cut: true };
}

/** Moves an offset out of the middle of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
