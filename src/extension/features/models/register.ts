import * as vscode from 'vscode';
import { registerCommand } from '../../commands';
import type { Feature, Host } from '../../host';
import { connectLater, showPage } from '../../webviews/page';

const pageId = 'liyuan.models.page';

/** Where the page is to stand; see `pagePlace`. */
interface Place {
  readonly title?: string;
  readonly add?: boolean;
}

/** Commands about the models: setting one up, switching, testing, keys, files of them, and the page on which they are changed. */
export const modelsFeature: Feature = {
  name: 'models',
  register: (host) => {
    const openPage = createPage(host);
    return vscode.Disposable.from(
      openPage,
      registerCommand(host, 'liyuan.model.configure', async () => (await import('./configure')).configureModel(host)),
      registerCommand(host, 'liyuan.model.switch', async () => (await import('./switch')).switchModel(host)),
      registerCommand(host, 'liyuan.model.openPage', (place?: unknown) => { openPage.show(placeOf(place)); }),
      registerCommand(host, 'liyuan.model.testConnection', async () => {
        const [{ checkConnection }, { configureModel }] = await Promise.all([import('./connection-commands'), import('./configure')]);
        return checkConnection(host, configureModel);
      }),
      registerCommand(host, 'liyuan.model.allowAddress', async () => (await import('./connection-commands')).allowAddress(host)),
      registerCommand(host, 'liyuan.model.removeKey', async () => (await import('./connection-commands')).removeKey(host)),
      registerCommand(host, 'liyuan.model.export', async (target?: unknown) => (await import('./transfer-commands')).exportModels(host, target instanceof vscode.Uri ? target : undefined)),
      registerCommand(host, 'liyuan.model.import', async (source?: unknown) => (await import('./transfer-commands')).importModels(host, source instanceof vscode.Uri ? source : undefined)),
    );
  },
};

/** A command's argument; from a menu it is something else. */
function placeOf(argument: unknown): Place {
  const { title, add } = (typeof argument === 'object' && argument !== null ? argument : {}) as { readonly title?: unknown; readonly add?: unknown };
  return { ...(typeof title === 'string' ? { title } : {}), ...(add === true ? { add } : {}) };
}

/** The page, in a tab of its own; there is one at most. */
function createPage(host: Host): vscode.Disposable & { readonly show: (place: Place) => void } {
  let panel: vscode.WebviewPanel | undefined;
  let waiting: Place = {};
  const places = new vscode.EventEmitter<Place>();
  const show = (place: Place): void => {
    if (panel !== undefined) {
      panel.reveal();
      places.fire(place);
      return;
    }
    waiting = place;
    // What is typed there and not saved is not lost by looking at another tab.
    const made = vscode.window.createWebviewPanel(pageId, host.t('Models'), vscode.ViewColumn.Active, { retainContextWhenHidden: true });
    made.onDidDispose(() => { panel = undefined; });
    panel = made;
    connectLater(host, made, 'models', async (port) =>
      (await import('./page/page')).connectModelsPage(host, {
        port,
        visible: () => made.visible,
        onDidChangeVisibility: (listener) => made.onDidChangeViewState(listener),
        onPlace: places.event,
        takePlace: () => {
          const place = waiting;
          waiting = {};
          return place;
        },
      }),
    );
    showPage(host, made.webview, 'models');
  };
  return { show, dispose: () => { panel?.dispose(); places.dispose(); } };
}
