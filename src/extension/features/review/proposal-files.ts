import * as vscode from 'vscode';
import type { Host } from '../../host';
import { localiseError } from '../../l10n/localise-error';
import { proposalUri } from '../../review/decide';
import { proposalIdOf, proposalScheme } from '../../review/proposal-uris';
import type { ReviewModel } from './model';

/** What has been typed into a proposal is taken in so long after the last letter, in ms. */
const takenInMs = 1000;

interface Shown {
  readonly text: string;
  readonly mtime: number;
}

/** Proposals as documents that the author may change: what is saved there is what would be accepted. In memory; nothing of the author's is touched. */
export function registerProposalFiles(host: Host, model: ReviewModel): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const shown = new Map<string, Shown>();
  const timers = new Map<string, () => void>();

  /** The time changes with the text alone, so that a document that is being typed in never looks older than its file. */
  const remember = (id: string, text: string): Shown => {
    const known = shown.get(id);
    if (known?.text === text) return known;
    const next = { text, mtime: Math.max(host.clock.now(), (known?.mtime ?? 0) + 1) };
    shown.set(id, next);
    return next;
  };

  async function found(uri: vscode.Uri): Promise<Shown & { readonly waits: boolean }> {
    const id = proposalIdOf(uri);
    const project = await model.attached();
    const view = id === undefined ? undefined : await project?.engine.review.view(id);
    if (id === undefined || view === undefined || view.proposal.text === null) throw vscode.FileSystemError.FileNotFound(uri);
    return { ...remember(id, view.proposal.text), waits: view.proposal.state === 'pending' };
  }

  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    watch: () => ({ dispose: () => undefined }),
    async stat(uri) {
      const { text, mtime, waits } = await found(uri);
      return { type: vscode.FileType.File, ctime: 0, mtime, size: Buffer.byteLength(text), ...(waits ? {} : { permissions: vscode.FilePermission.Readonly }) };
    },
    readFile: async (uri) => Buffer.from((await found(uri)).text, 'utf8'),
    async writeFile(uri, content) {
      const id = proposalIdOf(uri);
      const project = await model.attached();
      if (id === undefined || project === undefined) throw vscode.FileSystemError.FileNotFound(uri);
      const text = Buffer.from(content).toString('utf8');
      const taken = await project.engine.review.setText(id, text);
      if (!taken.ok) throw vscode.FileSystemError.NoPermissions(localiseError(taken.error, host.t));
      remember(id, text);
    },
    readDirectory: () => [],
    createDirectory: (uri) => { throw vscode.FileSystemError.NoPermissions(uri); },
    delete: (uri) => { throw vscode.FileSystemError.NoPermissions(uri); },
    rename: (uri) => { throw vscode.FileSystemError.NoPermissions(uri); },
  };

  /** Typed words are taken in by themselves: no document of ours is left unsaved. */
  function takeInSoon(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    timers.get(key)?.();
    timers.delete(key);
    if (!document.isDirty || document.isClosed) return;
    timers.set(key, host.clock.after(takenInMs, () => {
      timers.delete(key);
      if (document.isDirty && !document.isClosed) void document.save();
    }));
  }

  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerFileSystemProvider(proposalScheme, provider, { isCaseSensitive: true }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme === proposalScheme) takeInSoon(document);
    }),
    model.onDidChange(() => {
      const events: vscode.FileChangeEvent[] = [];
      const waiting = new Set<string>();
      for (const { proposal } of model.views()) {
        waiting.add(proposal.id);
        const known = shown.get(proposal.id);
        if (known === undefined || proposal.text === null || known.text === proposal.text) continue;
        remember(proposal.id, proposal.text);
        events.push({ type: vscode.FileChangeType.Changed, uri: proposalUri(proposal) });
      }
      for (const id of [...shown.keys()]) {
        if (waiting.has(id)) continue;
        const decided = model.project()?.engine.review.find(id);
        shown.delete(id);
        if (decided !== undefined) events.push({ type: vscode.FileChangeType.Changed, uri: proposalUri(decided) });
      }
      if (events.length > 0) changed.fire(events);
    }),
    { dispose: () => { for (const cancel of timers.values()) cancel(); } },
  );
}
