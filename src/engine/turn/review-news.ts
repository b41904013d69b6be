import type { Result } from '../ports/result';
import type { ReviewNews } from '../review/review';
import type { Entry } from '../session/entries';
import type { TurnDeps } from './deps';

/** What became of this session's proposals, for its next turn: the last one of the branch. */
export function newsOf(deps: Pick<TurnDeps, 'review'>, sessionId: string, entries: readonly Entry[]): Promise<Result<ReviewNews>> {
  const turns = entries.flatMap((entry) => (entry.type === 'user' ? [entry.id] : []));
  return deps.review.tell(sessionId, turns.at(-1) ?? '', turns);
}

type Span = readonly [from: string, to: string];

/** So far back it is looked for what was accepted since the last turn. */
const MOST_RECORDS = 500;

/**
 * From one checkpoint to a later one, what is not this session's own agent's: the whole way, or, where proposals of it were accepted in
 * between, its other parts.
 */
export async function spansSince(deps: Pick<TurnDeps, 'checkpoints'>, from: string, to: string, sessionId: string): Promise<readonly Span[]> {
  if (from === to) return [];
  const whole: readonly Span[] = [[from, to]];
  const spans: Span[] = [];
  let own = false;
  let id = to;
  for (let count = 0; id !== from; count += 1) {
    const record = count < MOST_RECORDS ? await deps.checkpoints.get(id) : undefined;
    const parent = record?.ok === true ? record.value.parents[0] : undefined;
    if (record?.ok !== true || parent === undefined) return whole;
    const { author, turn } = record.value;
    if (author === 'agent' && turn?.sessionId === sessionId) own = true;
    else spans.unshift([parent, id]);
    id = parent;
  }
  return own ? spans : whole;
}
