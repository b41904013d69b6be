import * as vscode from 'vscode';
import type { EngineError } from '../../../engine/index';
import { passageEvents, passageRequests, type PassageState } from '../../../protocol/passage';
import { passageStrings } from '../../../protocol/passage-strings';
import type { Host } from '../../host';
import { localiseError } from '../../l10n/localise-error';
import { createHostConnection } from '../../webviews/connection';
import { pageStrings, showPage } from '../../webviews/page';

/** How often a text that is arriving is shown, in ms. */
const PACE_MS = 60;

export interface PassagePanel {
  /** Brings it to the front beside the chapter, and leaves the focus where it is. */
  show(title: string): void;
  /** Something of the state changed. */
  update(): void;
  dispose(): void;
}

export interface PanelActions {
  state(): PassageState | undefined;
  accept(text: string): Promise<EngineError | undefined>;
  again(wish: string): Promise<void>;
  stop(): void;
  reveal(): Promise<void>;
  closed(): void;
}

export function createPassagePanel(host: Host, actions: PanelActions): PassagePanel {
  const { t } = host;
  const panel = vscode.window.createWebviewPanel('liyuan.passage', t('Passage'), { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
  const { webview } = panel;
  const epoch = host.ids.next();
  let seq = 0;
  let cancelPace: (() => void) | undefined;

  const state = (): PassageState => {
    const now = actions.state();
    if (now === undefined) throw new Error('nothing is on the desk');
    return now;
  };
  const connection = createHostConnection({
    port: webview,
    requests: passageRequests,
    events: passageEvents,
    log: host.log,
    handlers: {
      ready: () => ({ state: state(), strings: pageStrings(t, passageStrings), locale: vscode.env.language }),
      accept: async ({ text }) => {
        const refused = await actions.accept(text);
        if (refused !== undefined) throw new Error(localiseError(refused, t));
        return {};
      },
      again: async ({ wish }) => {
        await actions.again(wish);
        return {};
      },
      stop: () => {
        actions.stop();
        return {};
      },
      copy: async ({ text }) => {
        await vscode.env.clipboard.writeText(text);
        return {};
      },
      reveal: async () => {
        await actions.reveal();
        return {};
      },
      close: () => {
        panel.dispose();
        return {};
      },
    },
  });

  const post = (): void => {
    cancelPace = undefined;
    const now = actions.state();
    seq += 1;
    if (now !== undefined && panel.visible) connection.post('state', now, { epoch, seq });
  };

  panel.onDidDispose(() => {
    cancelPace?.();
    connection.dispose();
    actions.closed();
  });

  showPage(host, webview, 'passage');

  return {
    show: (title) => {
      panel.title = title;
      panel.reveal(undefined, true);
    },
    update: () => { cancelPace ??= host.clock.after(PACE_MS, post); },
    dispose: () => { panel.dispose(); },
  };
}
