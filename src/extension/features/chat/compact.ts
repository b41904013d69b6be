import * as vscode from 'vscode';
import { showRefusal } from '../../commands';
import type { Host } from '../../host';
import type { SessionChat } from './session-chat';

/** Compaction by command: progress that can be stopped, also while the conversation is not in view. */
export async function compactByCommand(host: Host, chat: SessionChat | undefined): Promise<void> {
  const { t } = host;
  if (chat === undefined) {
    await showRefusal(host, { code: 'summary.nothing' });
    return;
  }
  const refused = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: t('Summarising the earlier turns…'), cancellable: true }, async (_, token) => {
    const running = chat.compact();
    const stop = token.onCancellationRequested(() => { chat.stop(); });
    const result = await running;
    stop.dispose();
    return result.ok || result.error.code === 'turn.aborted' ? undefined : result.error;
  });
  if (refused !== undefined) await showRefusal(host, refused);
}
