import type { EngineError } from './result';

/** What the engine asks of the person in front of it. */
export interface AskRequest {
  readonly askId: string;
  readonly question: string;
  /** 2 to 4. */
  readonly options: readonly string[];
}
export type AskAnswer =
  | { readonly kind: 'answer'; readonly text: string; readonly by: 'option' | 'text' }
  | { readonly kind: 'stopped' };

/** How far calls may go over the limit of the day: in this turn, until midnight, or not at all. */
export type OverBudgetAnswer = 'turn' | 'today' | 'stop';

export interface Ui {
  /** Shows a choice card with free text; resolves when the user answered or stopped. Aborting the signal means `stopped`. */
  ask(request: AskRequest, signal: AbortSignal): Promise<AskAnswer>;
  /** Whether to go over the limit of the day; `error` is `usage.over-budget`. Shown as a question of the turn. Aborting means `stop`. */
  overBudget(request: { readonly askId: string; readonly error: EngineError }, signal: AbortSignal): Promise<OverBudgetAnswer>;
  /** A confirmation for something the agent may not do alone, e.g. changing `AGENTS.md`; shown as a question of the turn. Aborting means no. */
  confirm(request: { readonly kind: 'write-rules'; readonly path: string; readonly askId: string }, signal: AbortSignal): Promise<boolean>;
}
