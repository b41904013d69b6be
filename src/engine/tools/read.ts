import * as z from 'zod';
import { ok, refuse } from '../ports/result';
import { readablePath, readSeen } from './paths';
import { fitting, headFitting } from './receipts';
import type { Receipt, Tool } from './tool';

const schema = z.object({
  path: z.string().min(1),
  start: z.int().min(1).optional(),
  end: z.int().min(1).optional(),
  exact: z.boolean().optional(),
});

const ORIENTATION_CHARS = 12;

/**
 * `{path, start, end, of, text, numbered, rest?}`: lines `start` to `end` of `of`. `text` is what stands there (LF, the last
 * line's own newline visible; with `exact` its own line ends), `numbered` the number and first characters of each line that is not blank.
 */
export const readTool: Tool<typeof schema> = {
  name: 'read',
  schema,
  reads: true,
  async run(args, context) {
    const path = readablePath(args.path, context);
    if (!path.ok) return path;
    const live = await readSeen(path.value, context);
    if (!live.ok) return live;
    const exact = args.exact === true;
    const lines = linesOf(exact ? live.value.text : live.value.text.replaceAll('\r\n', '\n'));
    const start = args.start ?? 1;
    if (start > Math.max(1, lines.length)) return refuse('tool.bad-args', { field: 'start', message: `the file has ${lines.length} lines` });
    const wanted = lines.slice(start - 1, args.end === undefined ? undefined : Math.max(start, args.end));
    // No more lines than a result could hold are looked at.
    const within = wanted.slice(0, linesWithin(wanted, context.resultLimit));
    const numbered = within.map((line, at) => orientation(line, start + at));
    const shown = fitting(
      within.map((line, at) => (exact ? line : [line, numbered[at]])),
      context.resultLimit,
    );
    const end = start + shown - 1;
    const last = start + wanted.length - 1;
    return ok({
      receipt: {
        path: path.value,
        start,
        end,
        of: lines.length,
        ...textOf(wanted.slice(0, shown), context.resultLimit, start),
        ...(exact ? {} : { numbered: numbered.slice(0, shown).filter((line) => line !== undefined) }),
        ...(live.value.eol === '\r\n' ? { lineEnds: 'CRLF' } : {}),
        ...(end < last ? { rest: { start: end + 1, end: last } } : {}),
      },
    });
  },
};

/** Lines with their line ends. An empty text has none. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** How many of the first lines hold, together, at least `chars` characters; all, when they hold fewer. */
function linesWithin(lines: readonly string[], chars: number): number {
  let sum = 0;
  const at = lines.findIndex((line) => (sum += line.length) >= chars);
  return at === -1 ? lines.length : at + 1;
}

/** One line alone may be longer than a result: then its head, and how much of it there is. */
function textOf(lines: readonly string[], limit: number, start: number): Receipt {
  const whole = lines.join('');
  if (lines.length !== 1) return { text: whole };
  const text = headFitting(whole, limit);
  return text === whole ? { text } : { text, cut: { line: start, chars: text.length, of: whole.length } };
}

function orientation(line: string, number: number): string | undefined {
  const text = line.trim();
  if (text === '') return undefined;
  const head = Array.from(text.slice(0, ORIENTATION_CHARS * 2)).slice(0, ORIENTATION_CHARS).join('');
  return `${number}: ${head}${head.length < text.length ? '…' : ''}`;
}
