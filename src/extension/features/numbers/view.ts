import * as vscode from 'vscode';
import { dayOf } from '../../../engine/index';
import { numbersEvents, numbersRequests, type NumbersSnapshot } from '../../../protocol/numbers';
import { numbersStrings } from '../../../protocol/numbers-strings';
import type { Host } from '../../host';
import { localiseError } from '../../l10n/localise-error';
import { uriIn } from '../../project/uris';
import { createHostConnection, type MessagePort } from '../../webviews/connection';
import { pageStrings } from '../../webviews/page';
import type { Counter } from './counter';
import { dailyTarget } from './settings';
import { numbersSnapshotOf } from './snapshot';

/** The least time between two whole snapshots while checkpoints are being counted, ms. */
const APART_MS = 250;

/** Where the numbers are shown: the view in the side bar, or the tab. */
export interface NumbersPlace {
  readonly visible: () => boolean;
  readonly onDidChangeVisibility: (listener: () => void) => vscode.Disposable;
  readonly port: MessagePort;
}

/** Keeps the numbers up to date there while they are seen. */
export function connectNumbersView(host: Host, counter: Counter, { visible, onDidChangeVisibility, port }: NumbersPlace): vscode.Disposable {
  const epoch = host.ids.next();
  let seq = 0;
  let cancel: (() => void) | undefined;
  let last = 0;

  const snapshot = (): NumbersSnapshot =>
    numbersSnapshotOf(counter, { target: dailyTarget(), day: dayOf(host.clock.now()), describe: (error) => localiseError(error, host.t) });

  const connection = createHostConnection({
    port,
    requests: numbersRequests,
    events: numbersEvents,
    log: host.log,
    handlers: {
      ready: () => {
        counter.start();
        return {
          snapshot: snapshot(),
          strings: pageStrings(host.t, numbersStrings),
          locale: vscode.env.language,
        };
      },
      openChapter: async ({ path }) => {
        const known = counter.numbers?.chapters.some((chapter) => chapter.path === path) === true;
        if (host.project.root !== undefined && known) await vscode.window.showTextDocument(uriIn(host.project.root, path));
        return {};
      },
      setTarget: async () => {
        await vscode.commands.executeCommand('workbench.action.openSettings', 'liyuan.numbers.dailyTarget');
        return {};
      },
      exportCsv: async () => {
        await vscode.commands.executeCommand('liyuan.numbers.export');
        return {};
      },
    },
  });

  const post = (): void => {
    cancel?.();
    cancel = host.clock.after(Math.max(0, last + APART_MS - host.clock.now()), () => {
      last = host.clock.now();
      if (visible()) connection.post('snapshot', snapshot(), { epoch, seq: (seq += 1) });
    });
  };

  return vscode.Disposable.from(
    connection,
    counter.onDidChange((what) => {
      const today = counter.numbers?.today;
      if (what === 'all' || today === undefined) post();
      else if (visible()) connection.post('today', today, { epoch, seq: (seq += 1) });
    }),
    onDidChangeVisibility(() => { if (visible()) post(); }),
    vscode.workspace.onDidChangeConfiguration((event) => { if (event.affectsConfiguration('liyuan.numbers')) post(); }),
    { dispose: () => cancel?.() },
  );
}
