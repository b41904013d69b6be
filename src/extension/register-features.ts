import * as vscode from 'vscode';
import type { Feature, Host } from './host';

/** Registers the features one by one; one that throws is logged and left out, the others live on. */
export function registerFeatures(features: readonly Feature[], host: Host): vscode.Disposable {
  const registered: vscode.Disposable[] = [];
  for (const feature of features) {
    const started = performance.now();
    try {
      registered.push(feature.register(host));
      host.log.debug('feature registered', { feature: feature.name, ms: Math.round(performance.now() - started) });
    } catch (error) {
      host.log.error('feature failed to register', { feature: feature.name, error: String(error instanceof Error ? error.stack : error) });
    }
  }
  return vscode.Disposable.from(...registered.reverse());
}
