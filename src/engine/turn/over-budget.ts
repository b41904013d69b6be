import type { EngineError } from '../ports/result';
import type { RoundsInput } from './rounds';

/**
 * A call was refused. Because of the day's limit: asks the person whether to go over it. `go-on`: the call may be made again; `stopped`: they would
 * rather stop. `refused`: it was for something else, or there is nobody to ask: a long job pauses.
 */
export async function askedToGoOver(input: Pick<RoundsInput, 'deps' | 'turnId' | 'only' | 'emit' | 'signal'>, error: EngineError): Promise<'go-on' | 'stopped' | 'refused'> {
  const { deps, turnId, emit, signal } = input;
  if (error.code !== 'usage.over-budget' || deps.budget === undefined || input.only !== undefined || signal.aborted) return 'refused';
  const askId = `budget:${deps.ids.next()}`;
  emit({ type: 'phase', phase: 'waiting' });
  emit({ type: 'overBudget', askId, error });
  const answer = await deps.ui.overBudget({ askId, error }, signal);
  emit({ type: 'overBudgetAnswered', askId, answer });
  if (answer === 'stop' || signal.aborted) return 'stopped';
  await deps.budget.allow(answer === 'turn' ? { kind: 'turn', turnId } : { kind: 'today' });
  return 'go-on';
}
