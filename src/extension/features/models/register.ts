import * as vscode from 'vscode';
import type { Feature } from '../../host';

/** Commands about the model: setting it up, testing it, forgetting its key. */
export const modelsFeature: Feature = {
  name: 'models',
  register: (host) => {
    const later = (run: (configure: typeof import('./configure')) => Promise<unknown>) => async (): Promise<void> => {
      await run(await import('./configure'));
    };
    return vscode.Disposable.from(
      vscode.commands.registerCommand('liyuan.model.configure', later(({ configureModel }) => configureModel(host))),
      vscode.commands.registerCommand('liyuan.model.testConnection', later(({ checkConnection }) => checkConnection(host))),
      vscode.commands.registerCommand('liyuan.model.allowAddress', later(({ allowAddress }) => allowAddress(host))),
      vscode.commands.registerCommand('liyuan.model.removeKey', later(({ removeKey }) => removeKey(host))),
    );
  },
};
