import * as z from 'zod';
import type { Result } from '../ports/result';
import { ok } from '../ports/result';
import { countWords } from '../text/count-words';
import type { MatchLevel } from '../text/match-quotes';
import { locateQuotes } from '../text/match-quotes';
import type { TextPlan, ToolError } from './apply-text';
import { applyPlans, savedReceipt } from './apply-text';
import { forbiddenReceipt } from './forbidden';
import { notFound, writablePath } from './paths';
import { proposedReceipt, type Tool, type ToolContext } from './tool';

const schema = z.object({
  edits: z.array(z.object({ path: z.string().min(1), old: z.string(), new: z.string() })).min(1),
});
type Edits = z.infer<typeof schema>['edits'];

interface Found {
  /** Place in the call. */
  readonly index: number;
  readonly line: number;
  readonly level: MatchLevel;
}

/**
 * `{matches:[{path, line, level}], proposed?, files:[{path, words, changedOnSave?, unsaved?, forbidden?}]}`: a match per edit in the order of the call,
 * `line` as it was before. All edits are found first and applied together, over all files, or not at all.
 */
export const editTool: Tool<typeof schema> = {
  name: 'edit',
  schema,
  reads: false,
  prepare: standardForm,
  async run({ edits }, context) {
    const paths = await pathsOf(edits, context);
    if (!paths.ok) return paths;
    const outcome = await applyPlans(
      [...paths.value].map(([path, indexes]) => planFor(path, edits, indexes)),
      context,
    );
    if (!outcome.ok) {
      return outcome.error.code === 'doc.not-found' ? notFound(String(outcome.error.args?.['path'] ?? ''), outcome.error, context) : outcome;
    }
    const matches = outcome.value.flatMap(({ path, found }) => found.map((match) => ({ ...match, path })));
    return ok({
      receipt: {
        matches: matches.sort((a, b) => a.index - b.index).map(({ path, line, level }) => ({ path, line, level })),
        ...proposedReceipt(context),
        files: outcome.value.map(({ path, before, text, applied }) => ({
          path,
          words: countWords(text),
          ...savedReceipt(applied),
          ...forbiddenReceipt(path, before, text, context),
        })),
      },
    });
  },
};

/** The files of a call, each asked for once, with the places of their edits. */
async function pathsOf(edits: Edits, context: ToolContext): Promise<Result<ReadonlyMap<string, readonly number[]>, ToolError>> {
  const given = new Map<string, string>();
  const byPath = new Map<string, number[]>();
  for (const [index, { path }] of edits.entries()) {
    let normal = given.get(path);
    if (normal === undefined) {
      const checked = await writablePath(path, context);
      if (!checked.ok) return checked;
      normal = checked.value;
      given.set(path, normal);
    }
    const indexes = byPath.get(normal);
    if (indexes === undefined) byPath.set(normal, [index]);
    else indexes.push(index);
  }
  return ok(byPath);
}

function planFor(path: string, edits: Edits, indexes: readonly number[]): TextPlan<readonly Found[]> {
  return {
    path,
    plan(live) {
      const located = locateQuotes(
        live.text,
        indexes.map((index) => ({ old: edits[index]?.old ?? '', new: edits[index]?.new ?? '' })),
      );
      if (!located.ok) {
        const { index, other, ...args } = located.error.args ?? {};
        return {
          ok: false,
          error: {
            ...located.error,
            args: {
              path,
              ...(typeof index === 'number' ? { index: indexes[index] ?? index } : {}),
              ...(typeof other === 'number' ? { other: indexes[other] ?? other } : {}),
              ...args,
            },
          },
        };
      }
      return ok({
        changes: located.value.map(({ start, end, text }) => ({ start, end, text })),
        found: located.value.map(({ index, level, quoteStart }) => ({
          index: indexes[index] ?? index,
          level,
          line: live.text.slice(0, quoteStart).split('\n').length,
        })),
      });
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The flat form, other names of `old` and `new`, one edit without its list, a path said once for all. */
function standardForm(args: unknown): unknown {
  if (!isFields(args)) return args;
  const given = args['edits'] ?? args;
  const list = typeof given === 'string' ? parsedList(given) : given;
  const edits: readonly unknown[] = Array.isArray(list) ? list : [list];
  return {
    edits: edits.map((edit) =>
      isFields(edit)
        ? {
            path: edit['path'] ?? args['path'],
            old: edit['old'] ?? edit['oldText'] ?? edit['old_string'],
            new: edit['new'] ?? edit['newText'] ?? edit['new_string'],
          }
        : edit,
    ),
  };
}

/** A list that came as JSON text. */
function parsedList(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
