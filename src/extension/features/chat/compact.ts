import { withCancel } from '../../cancellable';
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
  const done = await withCancel(t('Summarising the earlier turns…'), (signal) => {
    signal.addEventListener('abort', () => { chat.stop(); }, { once: true });
    return chat.compact();
  });
  if (!done.ok && done.error.code !== 'turn.aborted') await showRefusal(host, done.error);
}
