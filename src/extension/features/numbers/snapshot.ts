import type { EngineError } from '../../../engine/index';
import type { NumbersSnapshot } from '../../../protocol/numbers';
import type { Numbers } from './counter';

/** What the view shows, from what has been counted. `describe` words a refusal. */
export function numbersSnapshotOf(
  state: { readonly numbers: Numbers | undefined; readonly error: EngineError | undefined; readonly counting: NumbersSnapshot['counting'] },
  { target, day, describe }: { readonly target: number; readonly day: string; readonly describe: (error: EngineError) => string },
): NumbersSnapshot {
  const { numbers, error, counting } = state;
  const base = { today: { day, user: 0, agent: 0 }, days: [], target, chapters: [], lost: 0 };
  if (error?.code === 'project.none') return { project: 'none', ...base };
  if (error !== undefined) return { project: 'failed', message: describe(error), ...base };
  if (numbers === undefined) return { project: 'open', ...base, counting: counting ?? { done: 0, total: 0 } };
  return {
    project: 'open',
    today: numbers.today,
    days: [...numbers.days],
    target,
    lost: numbers.lost,
    ...(counting === undefined ? {} : { counting }),
    chapters: numbers.chapters.map(({ path, title, volume, words, target: wished }) => ({ path, title, volume, words, ...(wished === undefined ? {} : { target: wished }) })),
  };
}
