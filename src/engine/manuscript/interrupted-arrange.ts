import * as z from 'zod';
import type { Documents } from '../ports/documents';
import type { Files } from '../ports/files';
import type { Log } from '../ports/log';
import { EngineFailure } from '../ports/result';
import type { Checkpoints } from './checkpoints';
import type { RenameStep } from './rename-steps';
import type { ChapterMove } from './renumber';

/** Where it is noted. */
export const ARRANGE_PLAN = '.liyuan/local/arrange.json';

const moveSchema = z.object({ from: z.string(), to: z.string(), heading: z.object({ from: z.string(), to: z.string() }).optional() });
const planSchema = z.object({
  v: z.literal(1),
  moves: z.array(moveSchema),
  steps: z.array(z.object({ from: z.string(), to: z.string() })),
  /** So many steps are done for sure; the next one may be. All: headings may have been changed. */
  done: z.number().int(),
  /** How many such arrangements the checkpoints had before this one. */
  earlier: z.number(),
});
type Plan = z.infer<typeof planSchema>;

/** What is under way while chapters change their names, so that the next window can take it back when this one is killed. */
export interface ArrangeNote {
  begin(moves: readonly ChapterMove[], steps: readonly RenameStep[]): Promise<void>;
  /** So many steps are done. */
  done(steps: number): Promise<void>;
  end(): Promise<void>;
  /** What was under way when a window went away; `finished`: only its end was not noted. */
  left(): Promise<{ readonly moves: readonly ChapterMove[]; readonly steps: readonly RenameStep[]; readonly done: number; readonly finished: boolean } | undefined>;
}

export function createArrangeNote({ files, checkpoints, log }: { readonly files: Files; readonly checkpoints: Checkpoints; readonly log: Log }): ArrangeNote {
  let plan: Plan | undefined;

  const arrangements = async (): Promise<number> => {
    const records = await checkpoints.records();
    return records.ok ? records.value.filter(({ moved }) => moved !== undefined).length : 0;
  };
  const write = (now: Plan, fsync: boolean): Promise<void> => files.writeAtomic(ARRANGE_PLAN, new TextEncoder().encode(JSON.stringify(now)), { fsync });

  return {
    async begin(moves, steps) {
      plan = { v: 1, moves: moves.map((move) => ({ ...move })), steps: steps.map((step) => ({ ...step })), done: 0, earlier: await arrangements() };
      await write(plan, true);
    },
    async done(done) {
      if (plan !== undefined) await write({ ...plan, done }, done === plan.steps.length);
    },
    async end() {
      plan = undefined;
      try {
        await files.remove(ARRANGE_PLAN);
      } catch (error) {
        if (!(error instanceof EngineFailure)) throw error;
        log.warn('that chapters have their names could not be noted', { code: error.error.code });
      }
    },
    async left() {
      const bytes = await files.read(ARRANGE_PLAN);
      if (bytes === undefined) return undefined;
      const parsed = planSchema.safeParse(jsonOf(new TextDecoder().decode(bytes)));
      if (!parsed.success) {
        log.warn('what chapters were to be called cannot be read', { path: ARRANGE_PLAN });
        return undefined;
      }
      const { moves, steps, done, earlier } = parsed.data;
      const plain = moves.map(({ from, to, heading }): ChapterMove => ({ from, to, ...(heading === undefined ? {} : { heading }) }));
      return { moves: plain, steps, done, finished: (await arrangements()) > earlier };
    },
  };
}

/** Takes the first `done` steps back, and the one after them if the files tell that it was carried out. */
export async function namesBack(documents: Documents, steps: readonly RenameStep[], done: number, log: Log): Promise<void> {
  for (const { from, to } of steps.slice(0, done + 1).reverse()) {
    if ((await documents.bytes(to)) === undefined || (await documents.bytes(from)) !== undefined) continue;
    const returned = await documents.rename(to, from);
    if (!returned.ok) log.error('a rename could not be taken back', { path: to, code: returned.error.code });
  }
}

/** Headings that say what they were to say get their former words; `placeOf` finds them. Chapters bear their new names. */
export async function headingsBack(documents: Documents, moves: readonly ChapterMove[], placeOf: (text: string, heading: string) => number | undefined, log: Log): Promise<void> {
  for (const { to, heading } of moves) {
    const live = heading === undefined ? undefined : await documents.read(to);
    const at = heading === undefined || live?.ok !== true ? undefined : placeOf(live.value.text, heading.to);
    if (heading === undefined || live?.ok !== true || at === undefined) continue;
    const changes = [{ start: at, end: at + heading.to.length, text: heading.from }];
    const applied = await documents.apply([{ path: to, version: live.value.version, changes }]);
    if (!applied.ok) log.error('a heading could not be taken back', { path: to, code: applied.error.code });
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
