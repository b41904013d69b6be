import * as vscode from 'vscode';
import type { ForbiddenHit, ForbiddenMatcher } from '../../../engine/index';
import type { Host } from '../../host';
import type { OpenProject } from '../../project/active-project';
import { pathIn } from '../../project/paths';

/** After a change of a chapter, so long until it is looked through, in ms. */
const QUIET_MS = 150;
const MOST_MARKS = 500;
const section = 'liyuan.forbiddenWords.mark';

const isOn = (uri: vscode.Uri): boolean => vscode.workspace.getConfiguration('liyuan.forbiddenWords', uri).get('mark', true);

/** A mark with what a quick fix needs to know. */
export class ForbiddenMark extends vscode.Diagnostic {
  constructor(range: vscode.Range, message: string, readonly instead: readonly string[]) {
    super(range, message, vscode.DiagnosticSeverity.Information);
    this.source = '梨园';
    this.code = 'forbidden-word';
  }
}

/** Underlines forbidden words in the open chapters of the project, while they are used. In an untrusted folder there are none. */
export function createForbiddenMarks(host: Host): vscode.Disposable {
  const marks = vscode.languages.createDiagnosticCollection('liyuan.forbiddenWords');
  const waiting = new Map<string, ReturnType<typeof setTimeout>>();
  /** The list is read when a chapter is looked through, not with every change of a text that may hold it. */
  let known: { readonly at: OpenProject; matcher?: Promise<ForbiddenMatcher | undefined> } | undefined;
  let unwatch: () => void = () => undefined;

  const forget = (): void => {
    known = undefined;
    unwatch();
    unwatch = () => undefined;
  };

  async function project(): Promise<OpenProject | undefined> {
    if (host.project.root === undefined || !vscode.workspace.isTrusted) return undefined;
    const opened = await host.project.opened();
    return opened.ok ? opened.value : undefined;
  }

  async function matcherOf(at: OpenProject): Promise<ForbiddenMatcher | undefined> {
    if (known?.at !== at) {
      forget();
      known = { at };
      const { manuscript } = at.engine;
      unwatch = at.documents.watch(({ path }) => {
        if (path.startsWith(`${manuscript.folder}/`)) return;
        // Any text beside the chapters may be the list, or the style notes that hold one.
        known = { at };
        lookAtAll();
      });
    }
    return (known.matcher ??= at.engine.rules.forbidden());
  }

  /** The path of a document that may be a chapter. For any other one the project is not even opened. */
  function markdownPath({ uri }: vscode.TextDocument): string | undefined {
    const { root } = host.project;
    return root !== undefined && uri.path.endsWith('.md') ? pathIn(root, uri) : undefined;
  }

  async function look(document: vscode.TextDocument): Promise<void> {
    const at = await project();
    const chapters = at === undefined ? '' : `${at.engine.manuscript.folder.normalize('NFC')}/`;
    if (at === undefined || document.isClosed || markdownPath(document)?.startsWith(chapters) !== true) return;
    const matcher = isOn(document.uri) ? await matcherOf(at) : undefined;
    if (document.isClosed) return;
    const hits = matcher?.find(document.getText()).slice(0, MOST_MARKS) ?? [];
    marks.set(document.uri, hits.map((hit) => markOf(host, document, hit)));
  }

  function lookSoon(document: vscode.TextDocument, afterMs = QUIET_MS): void {
    if (markdownPath(document) === undefined) return;
    const key = document.uri.toString();
    clearTimeout(waiting.get(key));
    waiting.set(key, setTimeout(() => {
      waiting.delete(key);
      look(document).catch((error: unknown) => { host.log.error('looking for forbidden words failed', { error: String(error) }); });
    }, afterMs));
  }

  function lookAtAll(): void {
    for (const document of vscode.workspace.textDocuments) lookSoon(document);
  }

  function anew(): void {
    forget();
    marks.clear();
    lookAtAll();
  }

  void host.project.settled.then(lookAtAll);
  return vscode.Disposable.from(
    marks,
    { dispose: () => { forget(); for (const timer of waiting.values()) clearTimeout(timer); } },
    host.project.onDidChange(anew),
    host.signals.rulesChanged.event(anew),
    vscode.workspace.onDidGrantWorkspaceTrust(anew),
    vscode.workspace.onDidOpenTextDocument((document) => { lookSoon(document, 0); }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => { lookSoon(document); }),
    vscode.workspace.onDidCloseTextDocument((document) => { marks.delete(document.uri); }),
    vscode.workspace.onDidChangeConfiguration((change) => { if (change.affectsConfiguration(section)) lookAtAll(); }),
  );
}

function markOf({ t }: Host, document: vscode.TextDocument, { word, instead, start, end }: ForbiddenHit): vscode.Diagnostic {
  const message = instead.length === 0 ? t('Forbidden word: {word}', { word }) : t('Forbidden word: {word} → {instead}', { word, instead: instead.join(' / ') });
  return new ForbiddenMark(new vscode.Range(document.positionAt(start), document.positionAt(end)), message, instead);
}
