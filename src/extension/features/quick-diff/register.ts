import * as vscode from 'vscode';
import { objectUri } from '../../diffs/diffs';
import type { Feature, Host } from '../../host';
import { pathIn } from '../../project/paths';

const settingIsOn = (): boolean => vscode.workspace.getConfiguration('liyuan').get('history.gutter', true);

/** Marks beside the lines of a chapter that differ from the newest checkpoint, as version control has them. */
export const quickDiffFeature: Feature = {
  name: 'quick-diff',
  register: (host) => {
    let control: vscode.SourceControl | undefined;
    const provider = originals(host);

    const start = (): void => {
      const { root } = host.project;
      control?.dispose();
      control = undefined;
      if (root === undefined || !settingIsOn()) return;
      // No groups, no message box: it is there for the gutter alone.
      control = vscode.scm.createSourceControl('liyuan', host.t('Liyuan checkpoints'), root);
      control.inputBox.visible = false;
      control.quickDiffProvider = provider;
    };
    /** The editor asks for originals anew when there is another provider. */
    const refresh = (): void => {
      if (control === undefined) return;
      provider.forget();
      const again: { quickDiffProvider?: vscode.QuickDiffProvider | undefined } = control;
      again.quickDiffProvider = undefined;
      control.quickDiffProvider = provider;
    };
    void host.project.settled.then(start);
    return vscode.Disposable.from(
      host.project.onDidChange(() => {
        provider.forget();
        start();
      }),
      host.signals.checkpointsChanged.event(refresh),
      vscode.workspace.onDidChangeConfiguration((event) => { if (event.affectsConfiguration('liyuan.history.gutter')) start(); }),
      { dispose: () => { control?.dispose(); } },
    );
  },
};

/** A chapter's text at the newest checkpoint; none for what it does not hold. */
function originals(host: Host): vscode.QuickDiffProvider & { forget(): void } {
  let newest: Promise<ReadonlyMap<string, string>> | undefined;

  async function manifest(): Promise<ReadonlyMap<string, string>> {
    const opened = await host.project.opened();
    if (!opened.ok) return new Map();
    const { checkpoints } = opened.value.engine;
    const head = await checkpoints.head();
    const found = head.ok && head.value !== undefined ? await checkpoints.manifest(head.value.id) : undefined;
    return found?.ok === true ? found.value : new Map<string, string>();
  }

  return {
    forget: () => { newest = undefined; },
    async provideOriginalResource(uri) {
      const { root } = host.project;
      const path = root === undefined ? undefined : pathIn(root, uri);
      if (root === undefined || path === undefined || !/\.(?:md|txt)$/i.test(path)) return undefined;
      newest ??= manifest();
      const sha = (await newest).get(path);
      return sha === undefined ? undefined : objectUri(root, path, sha);
    },
  };
}
