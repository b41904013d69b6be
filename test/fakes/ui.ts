import type { EngineError } from '../../src/engine/ports/result';
import type { AskAnswer, AskRequest, OverBudgetAnswer, Ui } from '../../src/engine/ports/ui';

export interface FakeUi extends Ui {
  /** Questions shown so far, oldest first. */
  readonly asked: readonly AskRequest[];
  /** Files whose change was asked about. */
  readonly confirmed: readonly string[];
  /** What the author does at the next question not yet planned for; in order. */
  answer(...answers: readonly AskAnswer[]): void;
  /** Errors of calls over the limit of the day that were asked about. */
  readonly overBudgetAsked: readonly EngineError[];
  /** How the author answers those. At first: stop. */
  goOver(answer: OverBudgetAnswer): void;
  /** Whether the author agrees to changes of `AGENTS.md`. At first: no. */
  agree(yes: boolean): void;
  /** Resolves when a question without a planned answer is waiting; it then waits for `answer` or the signal. */
  waiting(): Promise<AskRequest>;
}

/** An author who answers as planned, or later. */
export function createFakeUi(): FakeUi {
  const planned: AskAnswer[] = [];
  const asked: AskRequest[] = [];
  const confirmed: string[] = [];
  const overBudgetAsked: EngineError[] = [];
  let over: OverBudgetAnswer = 'stop';
  let agreed = false;
  let open: ((answer: AskAnswer) => void) | undefined;
  let tellWaiting: ((request: AskRequest) => void) | undefined;

  return {
    asked,
    confirmed,
    overBudgetAsked,
    overBudget({ error }) {
      overBudgetAsked.push(error);
      return Promise.resolve(over);
    },
    goOver(answer) {
      over = answer;
    },
    ask(request, signal) {
      asked.push(request);
      const next = planned.shift();
      if (next !== undefined) return Promise.resolve(next);
      return new Promise((resolve) => {
        open = resolve;
        signal.addEventListener('abort', () => resolve({ kind: 'stopped' }), { once: true });
        tellWaiting?.(request);
      });
    },
    confirm({ path }) {
      confirmed.push(path);
      return Promise.resolve(agreed);
    },
    answer(...answers) {
      planned.push(...answers);
      if (open === undefined) return;
      const answer = planned.shift();
      if (answer !== undefined) open(answer);
      open = undefined;
    },
    agree(yes) {
      agreed = yes;
    },
    waiting: () =>
      new Promise((resolve) => {
        const last = asked.at(-1);
        if (open !== undefined && last !== undefined) resolve(last);
        else tellWaiting = resolve;
      }),
  };
}
