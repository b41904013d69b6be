import * as vscode from 'vscode';

/** How long after a save VS Code may still be about to open a tab, in ms. */
const GRACE_MS = 1500;
/** How long a tab must stay behind to count as uninvited, in ms. */
const STAYS_MS = 500;

const textTab = (tab: vscode.Tab): string | undefined => (tab.input instanceof vscode.TabInputText ? tab.input.uri.toString() : undefined);
const allTabs = (): readonly vscode.Tab[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs);

/**
 * VS Code gives a tab, in the background, to a document that stays unsaved for most of a second, as a slow save participant
 * or a busy machine makes it. From now on such tabs of `documents` are watched for; `close` closes those that have come and
 * those that still come soon after. A tab that was there before, that the author has in front or as a preview, or that holds
 * unsaved words is left alone.
 */
export function watchUninvitedTabs(documents: readonly vscode.TextDocument[]): { close(): void } {
  const open = new Set(allTabs().map(textTab));
  const watched = new Set(documents.map((document) => document.uri.toString()).filter((uri) => !open.has(uri)));

  const uninvited = (): readonly vscode.Tab[] =>
    allTabs().filter((tab) => watched.has(textTab(tab) ?? '') && !tab.isActive && !tab.isPreview && !tab.isDirty);
  // A tab that the author has just opened is told before it is told to be in front: only what stays behind is closed.
  const sweep = (): void => {
    const seen = new Set(uninvited().map(textTab));
    if (seen.size === 0) return;
    setTimeout(() => {
      const still = uninvited().filter((tab) => seen.has(textTab(tab)));
      if (still.length > 0) void vscode.window.tabGroups.close(still, true);
    }, STAYS_MS);
  };

  return {
    close() {
      if (watched.size === 0) return;
      sweep();
      const listener = vscode.window.tabGroups.onDidChangeTabs(sweep);
      setTimeout(() => { listener.dispose(); }, GRACE_MS);
    },
  };
}
