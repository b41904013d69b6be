import os from 'node:os';
import * as vscode from 'vscode';
import type { Budget, Clock, Documents, Engine, Files, Ids, Log, Models, Result, Ui } from '../../engine/index';
import { createClosing } from './closing';
import { chooseRoot, findProjectRoots } from './find-roots';

const rememberedKey = 'project.root';
/** Stopped turns have this long to write their end. */
const endsWithinMs = 2500;

/** The window's project, opened. */
export interface OpenProject {
  readonly root: vscode.Uri;
  readonly engine: Engine;
  readonly documents: Documents;
  readonly files: Files;
  /** Set for a folder that is not trusted: nothing is written. */
  readonly readOnly: boolean;
}

export interface NewProject {
  readonly title: string;
  readonly language: 'zh' | 'en';
  /** Folder of the chapters below the project's; `正文` when absent. */
  readonly manuscript?: string;
}

/** Which folder of the window is the project, and its engine, opened when first needed. */
export interface ActiveProject {
  /** Resolves when the folders have been looked at for the first time. */
  readonly settled: Promise<void>;
  readonly root: vscode.Uri | undefined;
  /** All folders of the window that hold a project. */
  readonly roots: readonly vscode.Uri[];
  /** True while several folders hold a project and none was ever chosen. */
  readonly undecided: boolean;
  /** Another root, trust given, or the project made or gone. The engine of before is disposed of. */
  readonly onDidChange: vscode.Event<void>;
  /** `end` is called when the project is left, and waited for (not for ever) before its engine is disposed of. */
  beforeClose(end: () => Promise<void>): vscode.Disposable;
  /** The language the project is written in, once it is open. */
  language(): 'zh' | 'en' | undefined;
  /** Refuses `project.none`, and whatever opening refuses. */
  opened(): Promise<Result<OpenProject>>;
  choose(root: vscode.Uri): Promise<void>;
  /** Makes `.liyuan/` in a folder of the window; touches no text. Refuses `workspace.untrusted`. */
  create(folder: vscode.Uri, input: NewProject): Promise<Result<OpenProject>>;
  /** The same for a folder that is not the window's own: it is not opened here. */
  make(folder: vscode.Uri, input: NewProject): Promise<Result<void>>;
  dispose(): Promise<void>;
}

export interface ActiveProjectDeps {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly models: Models;
  readonly ui: Ui;
  readonly budget?: Budget;
  /** A checkpoint was taken that nobody asked for. */
  readonly onCheckpoint: () => void;
}

export function createActiveProject(deps: ActiveProjectDeps): ActiveProject {
  const { context, log } = deps;
  const changed = new vscode.EventEmitter<void>();
  let roots: readonly vscode.Uri[] = [];
  let root: vscode.Uri | undefined;
  let opening: Promise<Result<OpenProject>> | undefined;
  const closing = createClosing({ clock: deps.clock, log, mostMs: endsWithinMs });
  let watchers: vscode.Disposable[] = [];
  let release: (() => Promise<void>) | undefined;
  let language: 'zh' | 'en' | undefined;
  let disposed = false;
  /** Grows whenever a project is left: one that is still being opened then is no longer wanted. */
  let left = 0;

  const remembered = (): string | undefined => context.workspaceState.get<string>(rememberedKey);

  function close(how: 'close' | 'abandon' = 'close'): void {
    const old = release;
    left += 1;
    opening = undefined;
    release = undefined;
    language = undefined;
    if (old !== undefined) closing[how](old);
  }

  async function look(): Promise<void> {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file');
    const found = await findProjectRoots(
      folders.map((folder) => ({ path: folder.uri.fsPath, uri: folder.uri })),
      (folder, error) => { log.warn('folder could not be looked into', { folder: folder.path, error: String(error) }); },
    );
    if (disposed) return;
    roots = found.map((folder) => folder.uri);
    const next = chooseRoot(found, remembered())?.uri;
    if (next?.toString() === root?.toString()) return;
    root = next;
    close();
    changed.fire();
  }

  function watchFolders(): void {
    for (const watcher of watchers) watcher.dispose();
    watchers = (vscode.workspace.workspaceFolders ?? []).map((folder) => {
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '.liyuan/project.json'), false, true, false);
      watcher.onDidCreate(() => void look());
      watcher.onDidDelete(() => void look());
      return watcher;
    });
  }

  async function open(at: vscode.Uri): Promise<Result<OpenProject>> {
    const wanted = left;
    await closing.done();
    const [{ createEngine, createNodeFiles, createTokenScale }, { createVsCodeDocuments }, { keptTokenScale }] = await Promise.all([
      import('../../engine/index'),
      import('../ports/documents'),
      import('../models/kept-token-scale'),
    ]);
    const readOnly = !vscode.workspace.isTrusted;
    const files = createNodeFiles(at.fsPath);
    const documents = createVsCodeDocuments({ root: at, log });
    const engine = await createEngine({
      ports: { files, documents, models: deps.models, clock: deps.clock, ids: deps.ids, log, ui: deps.ui, ...(deps.budget === undefined ? {} : { budget: deps.budget }) },
      assets: context.asAbsolutePath('assets'),
      trusted: () => vscode.workspace.isTrusted,
      readOnly,
      tokenScale: createTokenScale(keptTokenScale({ memory: context.globalState, log })),
      apply: () => (vscode.workspace.getConfiguration('liyuan', at).get<string>('agent.apply') === 'review' ? 'review' : 'auto'),
      onQuietCheckpoint: deps.onCheckpoint,
      holder: { host: os.hostname(), app: vscode.env.appName, pid: process.pid },
    });
    if (!engine.ok) {
      documents.dispose();
      log.warn('project did not open', { code: engine.error.code, cause: engine.error.cause ?? '' });
      return engine;
    }
    const opened = { root: at, engine: engine.value, documents, files, readOnly };
    const dispose = async (): Promise<void> => {
      await engine.value.dispose();
      documents.dispose();
    };
    if (left !== wanted) {
      await dispose();
      return { ok: false, error: { code: 'project.none' } };
    }
    release = dispose;
    language = engine.value.project.config.language;
    return { ok: true, value: opened };
  }

  const subscriptions = [
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      watchFolders();
      void look();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      close();
      changed.fire();
    }),
  ];
  watchFolders();
  const settled = look();

  const self: ActiveProject = {
    settled,
    get root() { return root; },
    get roots() { return roots; },
    get undecided() { return roots.length > 1 && !roots.some((one) => one.fsPath === remembered()); },
    onDidChange: changed.event,
    beforeClose: (end) => new vscode.Disposable(closing.before(end)),
    language: () => language,
    opened: async () => {
      await settled;
      const at = root;
      if (at === undefined) return { ok: false, error: { code: 'project.none' } };
      opening ??= open(at);
      const mine = opening;
      const result = await mine;
      // A refusal is not kept: the file may be mended before the next try.
      if (!result.ok && opening === mine) opening = undefined;
      return result;
    },
    choose: async (next) => {
      await context.workspaceState.update(rememberedKey, next.fsPath);
      await look();
    },
    make: async (folder, input) => {
      if (!vscode.workspace.isTrusted) return { ok: false, error: { code: 'workspace.untrusted' } };
      const { createNodeFiles, createProject } = await import('../../engine/index');
      const made = await createProject({ files: createNodeFiles(folder.fsPath), ids: deps.ids, log }, input);
      return made.ok ? { ok: true, value: undefined } : made;
    },
    create: async (folder, input) => {
      const made = await self.make(folder, input);
      if (!made.ok) return made;
      await self.choose(folder);
      return self.opened();
    },
    dispose: async () => {
      disposed = true;
      for (const one of [...subscriptions, ...watchers]) one.dispose();
      close('abandon');
      await closing.done();
      changed.dispose();
    },
  };
  return self;
}
