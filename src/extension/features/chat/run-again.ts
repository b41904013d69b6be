import * as vscode from 'vscode';
import type { GoBackPlan, Result } from '../../../engine/index';
import type { Host } from '../../host';
import { againWords, needsAsking } from './again-words';
import type { SessionChat } from './session-chat';

/**
 * Says a turn again. What later turns did, or files with the author's own words in them, are asked about once. Resolves to whether the
 * new turn has been started; a refusal is given as it is.
 */
export async function runAgain(host: Host, chat: SessionChat, turnId: string, text?: string): Promise<Result<boolean>> {
  const { t } = host;
  const plan = await chat.planAgain(turnId);
  if (!plan.ok) return plan;
  const how = needsAsking(plan.value) ? await ask(t, plan.value, text !== undefined) : 'files-and-conversation';
  if (how === undefined) return { ok: true, value: false };
  const started = await chat.runAgain(turnId, how, text);
  return started.ok ? { ok: true, value: true } : started;
}

async function ask(t: Host['t'], plan: GoBackPlan, edited: boolean): Promise<'files-and-conversation' | 'conversation' | undefined> {
  const both = t('Take back and send');
  const conversation = t('Conversation only; leave the files');
  const question = edited ? t('Send the changed message from here?') : t('Run this turn again from here?');
  const choices = plan.files.length === 0 ? [both] : [both, conversation];
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail: againWords(t, plan) }, ...choices);
  if (answer === both) return 'files-and-conversation';
  return answer === conversation ? 'conversation' : undefined;
}
