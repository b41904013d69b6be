import * as vscode from 'vscode';
import { dayOf, speedOf } from '../../../engine/index';
import { usageEvents, usageRequests, type UsageSnapshot } from '../../../protocol/usage';
import { usageStrings } from '../../../protocol/usage-strings';
import { refusalOf, showRefusal } from '../../commands';
import type { Host } from '../../host';
import { localiseError } from '../../l10n/localise-error';
import { dayLimits } from '../../usage/settings';
import { createHostConnection, type MessagePort } from '../../webviews/connection';
import { pageStrings } from '../../webviews/page';
import { exportUsage } from './export';
import { usageSnapshotOf } from './snapshot';

/** The least time between two snapshots, ms. */
const APART_MS = 250;

export interface UsagePlace {
  readonly visible: () => boolean;
  readonly onDidChangeVisibility: (listener: () => void) => vscode.Disposable;
  readonly port: MessagePort;
}

/** Keeps the usage page up to date while it is seen. Calls of other windows are seen when it is shown again, or with the next call here. */
export function connectUsagePage(host: Host, { visible, onDidChangeVisibility, port }: UsagePlace): vscode.Disposable {
  const { t, clock, log, usage } = host;
  const epoch = host.ids.next();
  let seq = 0;
  let cancel: (() => void) | undefined;

  async function snapshot(): Promise<UsageSnapshot> {
    const day = dayOf(clock.now());
    const limits = dayLimits();
    try {
      const store = await usage.store();
      await usage.settled();
      const [days, calls, { allowed }] = [await store.days(), await store.calls(), await store.today()];
      return usageSnapshotOf({ day, days, calls, limits, allowed }, { t, speedOf });
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      return { day, days: [], calls: [], limits, allowed: false, message: localiseError(refusal, t) };
    }
  }

  const post = (): void => {
    cancel?.();
    cancel = clock.after(APART_MS, () => {
      if (!visible()) return;
      snapshot().then(
        (body) => { connection.post('snapshot', body, { epoch, seq: (seq += 1) }); },
        (error: unknown) => { log.error('the usage page was not brought up to date', { error: String(error) }); },
      );
    });
  };

  const connection = createHostConnection({
    port,
    requests: usageRequests,
    events: usageEvents,
    log,
    handlers: {
      ready: async () => ({ snapshot: await snapshot(), strings: pageStrings(t, usageStrings), locale: vscode.env.language }),
      export: async ({ format }) => {
        await exportUsage(host, format);
        return {};
      },
      clear: async () => {
        try {
          await (await usage.store()).clear();
        } catch (error) {
          const refusal = refusalOf(error);
          if (refusal === undefined) throw error;
          void showRefusal(host, refusal);
        }
        usage.changed();
        return {};
      },
      setLimits: async () => {
        await vscode.commands.executeCommand('workbench.action.openSettings', 'liyuan.usage');
        return {};
      },
    },
  });

  return vscode.Disposable.from(
    connection,
    usage.onDidChange(post),
    onDidChangeVisibility(() => { if (visible()) post(); }),
    vscode.workspace.onDidChangeConfiguration((event) => { if (event.affectsConfiguration('liyuan.usage')) post(); }),
    { dispose: () => cancel?.() },
  );
}
