import * as vscode from 'vscode';
import type { Ui } from '../engine/index';
import type { Asks } from './asks';
import type { Translate } from './l10n/translate';

/** What the engine asks of the person: questions through the chat, permissions through a dialog. */
export function createUi(asks: Asks, t: Translate): Ui {
  return {
    ask: (request, signal) => asks.ask(request, signal),
    confirm: async ({ path }, signal) => {
      if (signal.aborted) return false;
      const allow = t('Allow this change');
      const chosen = await vscode.window.showWarningMessage(
        t('May the agent change {path}?', { path }),
        { modal: true, detail: t('This file holds the rules the agent itself works by.') },
        allow,
      );
      return chosen === allow && !signal.aborted;
    },
  };
}
