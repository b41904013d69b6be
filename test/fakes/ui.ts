import type { AskAnswer, AskRequest, Ui } from '../../src/engine/ports/ui';

export interface FakeUi extends Ui {
  /** Questions shown so far, oldest first. */
  readonly asked: readonly AskRequest[];
  /** Files whose change was asked about. */
  readonly confirmed: readonly string[];
  /** What the author does at the next question not yet planned for; in order. */
  answer(...answers: readonly AskAnswer[]): void;
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
  let agreed = false;
  let open: ((answer: AskAnswer) => void) | undefined;
  let tellWaiting: ((request: AskRequest) => void) | undefined;

  return {
    asked,
    confirmed,
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
