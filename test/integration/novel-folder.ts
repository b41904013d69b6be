import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Documents, LiveText, Log } from '../../src/engine/index';
import { createVsCodeDocuments } from '../../src/extension/ports/documents';
import { saveParticipantsAreOn } from './save-participants';

/** A folder of its own inside the workspace, with the documents port over it and an author's hands. */
export interface NovelFolder {
  readonly root: vscode.Uri;
  readonly documents: Documents & vscode.Disposable;
  readonly logged: readonly string[];
  uri(name: string): vscode.Uri;
  /** Writes a file behind VS Code's back. */
  write(name: string, content: string | Uint8Array): vscode.Uri;
  /** The bytes on disk; undefined: no such file. */
  disk(name: string): Buffer | undefined;
  diskText(name: string): string | undefined;
  /** Opens a file in a tab with the focus in it. */
  show(name: string, encoding?: string): Promise<vscode.TextEditor>;
  read(name: string): Promise<LiveText>;
  dispose(): Promise<void>;
}

export const silentLog: Log = { trace: () => undefined, debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

export function workspaceRoot(): vscode.Uri {
  const workspace = vscode.workspace.workspaceFolders?.[0];
  assert.ok(workspace, 'a folder is open');
  return workspace.uri;
}

export async function openNovelFolder(): Promise<NovelFolder> {
  // A name never used before: VS Code keeps documents of files that are gone for a while.
  const root = vscode.Uri.file(fs.mkdtempSync(path.join(workspaceRoot().fsPath, 'documents-')));
  fs.mkdirSync(path.join(root.fsPath, '正文'), { recursive: true });
  const logged: string[] = [];
  const keep = (message: string, data?: unknown): void => void logged.push(`${message} ${JSON.stringify(data)}`);
  const documents = createVsCodeDocuments({ root, log: { ...silentLog, warn: keep, error: keep } });
  const uri = (name: string): vscode.Uri => vscode.Uri.joinPath(root, ...name.split('/'));
  return {
    root,
    documents,
    logged,
    uri,
    write(name, content) {
      fs.mkdirSync(path.dirname(uri(name).fsPath), { recursive: true });
      fs.writeFileSync(uri(name).fsPath, content);
      return uri(name);
    },
    disk: (name) => (fs.existsSync(uri(name).fsPath) ? fs.readFileSync(uri(name).fsPath) : undefined),
    diskText: (name) => (fs.existsSync(uri(name).fsPath) ? fs.readFileSync(uri(name).fsPath, 'utf8') : undefined),
    async show(name, encoding) {
      const document = await vscode.workspace.openTextDocument(uri(name), ...(encoding === undefined ? [] : [{ encoding }]));
      return vscode.window.showTextDocument(document);
    },
    async read(name) {
      const live = await documents.read(name);
      assert.ok(live.ok, JSON.stringify(live));
      return live.value;
    },
    async dispose() {
      documents.dispose();
      await closeTabs();
      fs.rmSync(root.fsPath, { recursive: true, force: true });
    },
  };
}

/** Closes every tab, throwing away what is unsaved in it. */
export async function closeTabs(): Promise<void> {
  const tabs = (): readonly vscode.Tab[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  for (let tried = 0; tabs().length > 0; tried += 1) {
    assert.ok(tried < 30, 'the tabs close');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
}

/** The author types at an offset of the buffer; the words stay unsaved. */
export async function type(editor: vscode.TextEditor, offset: number, text: string): Promise<void> {
  const at = editor.document.positionAt(offset);
  assert.ok(await editor.edit((edit) => edit.insert(at, text)));
}

/** Offsets of the only occurrence of `old`, replaced by `text`. */
export function replacing(live: LiveText, old: string, text: string): { readonly path: string; readonly version: string; readonly changes: readonly { readonly start: number; readonly end: number; readonly text: string }[] } {
  const start = live.text.indexOf(old);
  assert.ok(start !== -1 && live.text.indexOf(old, start + 1) === -1, `${old} occurs once`);
  return { path: live.path, version: live.version, changes: [{ start, end: start + old.length, text }] };
}

/** One step of undo in the focused editor. */
export async function undo(): Promise<void> {
  await vscode.commands.executeCommand('undo');
}

/** The names of all tabs. */
export const tabNames = (): readonly string[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));

/** Resolves with the tabs that came up within `ms`; a dirty file without a tab gets one after about 800 ms. */
export function tabsOpenedWithin(ms: number): Promise<readonly string[]> {
  const opened: string[] = [];
  const listener = vscode.window.tabGroups.onDidChangeTabs((event) => void opened.push(...event.opened.map((tab) => tab.label)));
  return new Promise((resolve) => {
    setTimeout(() => {
      listener.dispose();
      resolve(opened);
    }, ms);
  });
}

/** Resolves when `happened` is true, looking again at each document and file event, and every 50 ms; fails after 10 s. */
export function until(what: string, happened: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const watcher = vscode.workspace.createFileSystemWatcher('**/*');
    const look = (): void => {
      if (!happened()) return;
      stop();
      resolve();
    };
    const poll = setInterval(() => { look(); }, 50);
    const late = setTimeout(() => {
      stop();
      reject(new Error(`did not happen within 10 s: ${what}`));
    }, 10_000);
    const parts = [
      watcher,
      watcher.onDidChange(look),
      watcher.onDidCreate(look),
      watcher.onDidDelete(look),
      vscode.workspace.onDidChangeTextDocument(look),
      vscode.workspace.onDidSaveTextDocument(look),
      vscode.workspace.onDidCloseTextDocument(look),
      vscode.window.tabGroups.onDidChangeTabs(look),
    ];
    const stop = (): void => {
      clearTimeout(late);
      clearInterval(poll);
      for (const part of parts) part.dispose();
    };
    look();
  });
}

/** With auto-save on, VS Code saves unsaved words by itself; then a test cannot say that they stay unsaved. */
export const wordsStayUnsaved = !saveParticipantsAreOn;
