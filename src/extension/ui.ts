import type { Ui } from '../engine/index';
import type { Asks } from './asks';
import { overBudgetAnswers, overBudgetOptions, permissionOptions } from './l10n/permission';
import type { Translate } from './l10n/translate';

/** What the engine asks of the person: questions and permissions, both as cards in the conversation, so that nothing takes the focus. */
export function createUi(asks: Asks, t: Translate): Ui {
  return {
    ask: (request, signal) => asks.ask(request, signal),
    overBudget: async ({ askId }, signal) => {
      const options = overBudgetOptions(t);
      const answer = await asks.ask({ askId, question: '', options }, signal);
      const chosen = answer.kind === 'answer' && answer.by === 'option' && !signal.aborted ? options.indexOf(answer.text) : -1;
      return overBudgetAnswers[chosen] ?? 'stop';
    },
    confirm: async ({ askId }, signal) => {
      const options = permissionOptions(t);
      const answer = await asks.ask({ askId, question: '', options }, signal);
      return answer.kind === 'answer' && answer.by === 'option' && answer.text === options[0] && !signal.aborted;
    },
  };
}
