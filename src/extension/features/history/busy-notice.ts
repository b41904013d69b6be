import * as vscode from 'vscode';
import type { Host } from '../../host';

/** Milliseconds. */
const slowAfter = 1000;

type Progress = vscode.Progress<{ readonly message?: string; readonly increment?: number }>;

/** Work that can be broken off, and is told how to say how far it is once its notice shows. */
interface Watched {
  readonly cancel: () => void;
  readonly shown: (progress: Progress) => void;
}

/** What takes longer than a second says so. Without `watched` it cannot be left half-way, so there is nothing to cancel. */
export async function withBusyNotice<T>(host: Host, title: string, work: () => Promise<T>, watched?: Watched): Promise<T> {
  const running = work();
  const slow = new Promise<'slow'>((resolve) => { host.clock.after(slowAfter, () => { resolve('slow'); }); });
  if ((await Promise.race([running, slow])) !== 'slow') return running;
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: watched !== undefined }, async (progress, token) => {
    const listening = watched === undefined ? undefined : token.onCancellationRequested(watched.cancel);
    watched?.shown(progress);
    try {
      return await running;
    } finally {
      listening?.dispose();
    }
  });
}
