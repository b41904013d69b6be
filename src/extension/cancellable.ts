import * as vscode from 'vscode';

/**
 * Runs work behind a notification with this title, whose Cancel aborts the signal. It shows at once; the work says itself what an abort means,
 * and may report how far it is.
 */
export function withCancel<T>(title: string, work: (signal: AbortSignal, report: vscode.Progress<{ readonly message?: string; readonly increment?: number }>) => Promise<T>): Thenable<T> {
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, async (report, token) => {
    const controller = new AbortController();
    const listener = token.onCancellationRequested(() => { controller.abort(); });
    try {
      return await work(controller.signal, report);
    } finally {
      listener.dispose();
    }
  });
}
