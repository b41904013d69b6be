import * as vscode from 'vscode';
import type { Translate } from '../l10n/translate';

/** Whether the agent changes files at once, or proposes and waits. */
export type ApplyMode = 'auto' | 'review';

const SETTING = 'agent.apply';

export const applyMode = (): ApplyMode => (vscode.workspace.getConfiguration('liyuan').get<string>(SETTING) === 'review' ? 'review' : 'auto');

/** Written where it is set: for this workspace when it has a value of its own, else for the user. Counts from the next turn on. */
export async function setApplyMode(mode: ApplyMode): Promise<void> {
  const config = vscode.workspace.getConfiguration('liyuan');
  const inWorkspace = config.inspect(SETTING)?.workspaceValue !== undefined;
  await config.update(SETTING, mode, inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global);
}

/** What the mode means, in one sentence. */
export const applyModeWords = (t: Translate, mode: ApplyMode): string =>
  mode === 'review' ? t('The agent proposes from the next turn on; you accept or reject.') : t('The agent changes files at once from the next turn on; every turn can be undone.');
