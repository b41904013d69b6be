import * as vscode from 'vscode';
import type { Log, Result, Session } from '../../../engine/index';
import { withCancel } from '../../cancellable';
import type { Host } from '../../host';
import { localiseError } from '../../l10n/localise-error';
import type { Desk } from './desk';

/** How long the log of a session has to be quiet before what another window wrote is shown, in ms. */
const QUIET_MS = 250;

/** Asks the other window for the conversation that is shown; what it does not give up is taken away if the person says so. */
export async function takeOver(host: Host, desk: Pick<Desk, 'takeOver'>): Promise<void> {
  const { t } = host;
  const asked = await withCancel(t('Asking the other window for this conversation…'), (signal) => desk.takeOver({ force: false, signal }));
  if (asked.ok || asked.error.code === 'session.not-taken') return;
  if (asked.error.code !== 'session.held') throw new Error(localiseError(asked.error, t));
  const { host: machine, app } = asked.error.args ?? {};
  const where = typeof app === 'string' && typeof machine === 'string' ? t('It is open in {app} on {machine}.', { app, machine }) : '';
  const take = t('Take It Away');
  const answer = await vscode.window.showWarningMessage(
    t('The other window does not give this conversation up.'),
    { modal: true, detail: [where, t('A turn may be running there, or it does not answer. A turn that runs there ends as interrupted; nothing that was written is lost.')].filter((part) => part !== '').join('\n') },
    take,
  );
  if (answer !== take) return;
  const taken = await desk.takeOver({ force: true, signal: new AbortController().signal });
  if (!taken.ok) throw new Error(localiseError(taken.error, t));
}

/** Shows what another window writes into a session that can only be read here. */
export function followOtherWindow(parts: {
  readonly root: vscode.Uri;
  readonly session: Pick<Session, 'header' | 'refresh'>;
  readonly log: Log;
  readonly onNew: () => Promise<void>;
}): vscode.Disposable {
  const { root, session, log, onNew } = parts;
  const folder = vscode.Uri.joinPath(root, '.liyuan', 'sessions');
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, `${session.header.id}.jsonl`));
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const grew: Result<boolean> = await session.refresh();
    if (!grew.ok) log.warn('what another window wrote cannot be read', { code: grew.error.code });
    else if (grew.value) await onNew();
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      look().catch((error: unknown) => { log.error('showing what another window wrote failed', { error: String(error) }); });
    }, QUIET_MS);
  };
  return vscode.Disposable.from(watcher, watcher.onDidChange(soon), watcher.onDidCreate(soon), new vscode.Disposable(() => { clearTimeout(timer); }));
}
