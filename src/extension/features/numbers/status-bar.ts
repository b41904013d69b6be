import * as vscode from 'vscode';
import type { Host } from '../../host';
import { pathIn } from '../../project/paths';
import type { Counter } from './counter';
import { dailyTarget } from './settings';
import { statusWords } from './status-words';

/** Pause in typing or selecting before the chapter is counted, ms: nothing is counted at a key. */
const PAUSE_MS = 150;

/** The chapter's and the day's 字 in the status bar, while an editor of a chapter is the active one. Light until then. */
export function createStatusBar(host: Host, counter: Counter): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('liyuan.numbers', vscode.StatusBarAlignment.Right, 99);
  item.name = host.t('Liyuan: numbers');
  item.command = 'liyuan.numbers.open';
  let cancel: (() => void) | undefined;
  /** The last count of a document, by its version. */
  let known: { readonly uri: string; readonly version: number; readonly words: number } | undefined;
  let failed = '';

  const wanted = (): boolean => vscode.workspace.getConfiguration('liyuan.numbers').get('statusBar', true);

  /** The chapter's document, and where it stands in the project; `undefined`: another file, or none. */
  const chapterEditor = async (): Promise<vscode.TextEditor | undefined> => {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || editor.document.uri.scheme !== 'file' || !wanted()) return undefined;
    await host.project.settled;
    const { root } = host.project;
    const path = root === undefined ? undefined : pathIn(root, editor.document.uri);
    if (path === undefined || !/\.(?:md|txt)$/i.test(path)) return undefined;
    const opened = await host.project.opened();
    if (!opened.ok) return undefined;
    const { isChapter } = await import('../../../engine/index');
    return isChapter(path, opened.value.engine.manuscript.folder) ? editor : undefined;
  };

  async function show(): Promise<void> {
    const editor = await chapterEditor();
    if (editor === undefined || editor !== vscode.window.activeTextEditor) {
      if (editor === undefined) item.hide();
      return;
    }
    const { countWords } = await import('../../../engine/index');
    const { document } = editor;
    const uri = document.uri.toString();
    if (known?.uri !== uri || known.version !== document.version) known = { uri, version: document.version, words: countWords(document.getText()) };
    const selections = editor.selections.filter((one) => !one.isEmpty);
    const { numbers } = counter;
    const words = statusWords(
      host.t,
      {
        chapter: known.words,
        selected: selections.length === 0 ? undefined : selections.reduce((sum, one) => sum + countWords(document.getText(one)), 0),
        today: numbers?.today,
        target: dailyTarget(),
        book: numbers?.chapters.reduce((sum, one) => sum + one.words, 0),
      },
      vscode.env.language,
    );
    item.text = words.text;
    item.tooltip = words.tooltip.join('\n');
    item.accessibilityInformation = { label: words.label, role: 'button' };
    item.show();
    counter.start();
  }

  const soon = (ms: number): void => {
    cancel?.();
    cancel = host.clock.after(ms, () => {
      show().catch((error: unknown) => {
        const text = String(error instanceof Error ? error.stack : error);
        if (text !== failed) host.log.error('the status bar was not brought up to date', { error: text });
        failed = text;
      });
    });
  };

  soon(0);
  return vscode.Disposable.from(
    item,
    vscode.window.onDidChangeActiveTextEditor(() => { soon(0); }),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => { if (textEditor === vscode.window.activeTextEditor) soon(PAUSE_MS); }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => { if (document === vscode.window.activeTextEditor?.document) soon(PAUSE_MS); }),
    vscode.workspace.onDidChangeConfiguration((event) => { if (event.affectsConfiguration('liyuan.numbers')) soon(0); }),
    host.project.onDidChange(() => { soon(0); }),
    counter.onDidChange(() => { soon(0); }),
    { dispose: () => cancel?.() },
  );
}
