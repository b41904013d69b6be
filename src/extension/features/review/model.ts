import * as vscode from 'vscode';
import type { ProposalView } from '../../../engine/index';
import type { Host } from '../../host';
import type { OpenProject } from '../../project/active-project';
import { baseName, pathIn } from '../../project/paths';
import { uriIn } from '../../project/uris';

const folder = '.liyuan/local/review';
const settleMs = 60;

/** Whether a proposal waits, as far as the files say: the project is not opened for those that are decided. */
async function somethingWaits(at: vscode.Uri): Promise<boolean> {
  // No such folder, as a rule.
  const entries = await vscode.workspace.fs.readDirectory(at).then((found) => found, () => []);
  const files = entries.filter(([name]) => name.endsWith('.json'));
  const texts = await Promise.all(files.map(([name]) => vscode.workspace.fs.readFile(vscode.Uri.joinPath(at, name))));
  return texts.some((text) => Buffer.from(text).includes('"state":"pending"'));
}

/** What waits in the window's project, beside what stands in the files; empty until there is something. */
export interface ReviewModel {
  readonly onDidChange: vscode.Event<void>;
  views(): readonly ProposalView[];
  project(): OpenProject | undefined;
  /** The path of a document in the project; `undefined`: another document. */
  pathOf(uri: vscode.Uri): string | undefined;
  /** Opens the project when something lies in its review folder; resolves to it. */
  attached(): Promise<OpenProject | undefined>;
  dispose(): void;
}

export function createReviewModel(host: Host): ReviewModel {
  const changed = new vscode.EventEmitter<void>();
  let project: OpenProject | undefined;
  let views: readonly ProposalView[] = [];
  let stop: () => void = () => undefined;
  let timer: (() => void) | undefined;
  let watcher: vscode.Disposable = { dispose: () => undefined };
  let attaching: Promise<OpenProject | undefined> | undefined;
  let looked = Promise.resolve();

  const failed = (error: unknown): void => { host.log.error('proposals could not be looked at', { error: String(error instanceof Error ? error.stack : error) }); };

  async function look(): Promise<void> {
    const at = project;
    const found = at === undefined ? [] : await Promise.all(at.engine.review.pending().map(({ id }) => at.engine.review.view(id)));
    if (project !== at) return;
    views = found.filter((view) => view !== undefined);
    changed.fire();
  }

  function lookSoon(): void {
    timer ??= host.clock.after(settleMs, () => {
      timer = undefined;
      looked = looked.then(look).catch(failed);
    });
  }

  /** Once a project: what cannot be shown is at least named. */
  function tellLost({ engine }: OpenProject): void {
    const files = engine.review.lost();
    if (files.length === 0) return;
    const shown = files.slice(0, 3).map(baseName).join(host.t(', '));
    const words = host.t('Proposals for {files} cannot be shown: their texts are not in this copy of the project. They are kept, and come back once “.liyuan/objects” is complete again.', { files: shown });
    vscode.window.showWarningMessage(words).then(undefined, failed);
  }

  async function attach(): Promise<OpenProject | undefined> {
    const opened = await host.project.opened();
    if (!opened.ok) return undefined;
    const loaded = await opened.value.engine.review.load();
    if (!loaded.ok) {
      host.log.warn('proposals could not be read', { code: loaded.error.code });
      return undefined;
    }
    if (project !== opened.value) {
      stop();
      project = opened.value;
      stop = opened.value.engine.review.onChange(lookSoon);
      await look();
      tellLost(opened.value);
    }
    return project;
  }

  const attached = (): Promise<OpenProject | undefined> => {
    attaching ??= attach().then((done) => {
      if (done === undefined) attaching = undefined;
      return done;
    });
    return attaching;
  };

  /** Another window writes there as well: what it decided is read. */
  async function fileChanged(uri: vscode.Uri): Promise<void> {
    const session = /([\w-]+)\.json$/.exec(uri.path)?.[1];
    const at = await attached();
    if (session !== undefined && at !== undefined) await at.engine.review.refresh(session);
  }

  async function start(): Promise<void> {
    await host.project.settled;
    watcher.dispose();
    const { root } = host.project;
    if (root === undefined) return;
    const made = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(root, `${folder}/*.json`));
    const heard = (uri: vscode.Uri): void => { fileChanged(uri).catch(failed); };
    watcher = vscode.Disposable.from(made, made.onDidCreate(heard), made.onDidChange(heard));
    if (await somethingWaits(uriIn(root, folder))) await attached();
  }

  const onProject = host.project.onDidChange(() => {
    stop();
    stop = () => undefined;
    project = undefined;
    attaching = undefined;
    views = [];
    changed.fire();
    start().catch(failed);
  });
  start().catch(failed);

  return {
    onDidChange: changed.event,
    views: () => views,
    project: () => project,
    pathOf(uri) {
      const { root } = host.project;
      return root === undefined ? undefined : pathIn(root, uri);
    },
    attached,
    dispose() {
      timer?.();
      stop();
      watcher.dispose();
      onProject.dispose();
      changed.dispose();
    },
  };
}
