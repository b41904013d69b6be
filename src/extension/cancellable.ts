import * as vscode from 'vscode';

/** Runs work behind a notification with this title, whose Cancel aborts the signal. It shows at once; the work says itself what an abort means. */
export function withCancel<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Thenable<T> {
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, async (_, token) => {
    const controller = new AbortController();
    const listener = token.onCancellationRequested(() => { controller.abort(); });
    try {
      return await work(controller.signal);
    } finally {
      listener.dispose();
    }
  });
}
