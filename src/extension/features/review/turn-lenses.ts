import * as vscode from 'vscode';
import type { FileChange } from '../../../engine/index';
import { registerCommand, showRefusal } from '../../commands';
import { openDiff } from '../../diffs/diffs';
import type { Host } from '../../host';
import type { OpenProject } from '../../project/active-project';
import { lens } from './lenses';
import type { ReviewModel } from './model';

/** Longer texts get no lenses: they are compared anew with every pause in typing. */
const mostChars = 300_000;

interface ChangedText {
  readonly change: FileChange;
  readonly before: string;
  readonly after: string;
}

const wanted = (): boolean => {
  const config = vscode.workspace.getConfiguration('liyuan');
  return config.get('review.lens', true) && config.get<string>('agent.apply') !== 'review';
};

/** Over each place the last turn changed: what it was, and the way back; until the next turn, or until the author changes the place. */
export function registerTurnLenses(host: Host, model: ReviewModel): vscode.Disposable {
  const { t } = host;
  const changed = new vscode.EventEmitter<void>();
  let texts: ReadonlyMap<string, ChangedText> = new Map();
  let shown: string | undefined;

  const clear = (): void => {
    if (texts.size === 0) return;
    texts = new Map();
    changed.fire();
  };

  async function textOf(project: OpenProject, path: string, sha: string): Promise<string | undefined> {
    const bytes = await project.engine.objects.get(sha);
    if (!bytes.ok) return undefined;
    const text = await project.documents.decode(path, bytes.value);
    return text.ok && text.value.length <= mostChars ? text.value : undefined;
  }

  /** The newest checkpoint, when it is the agent's and new here. */
  async function look(): Promise<void> {
    const opened = await host.project.opened();
    if (!opened.ok) return;
    const project = opened.value;
    const head = await project.engine.checkpoints.head();
    if (!head.ok || head.value === undefined || head.value.id === shown) return;
    shown = head.value.id;
    if (head.value.author !== 'agent' || !wanted()) return clear();
    const changes = await project.engine.checkpoints.changesOf(head.value.id);
    if (!changes.ok) return;
    const found = new Map<string, ChangedText>();
    for (const change of changes.value) {
      if (change.before === null || change.after === null) continue;
      const [before, after] = await Promise.all([textOf(project, change.path, change.before), textOf(project, change.path, change.after)]);
      if (before !== undefined && after !== undefined) found.set(change.path, { change, before, after });
    }
    if (shown !== head.value.id) return;
    texts = found;
    changed.fire();
  }

  async function undo(path: string, place: string): Promise<void> {
    const { undoPlace } = await import('../../../engine/index');
    const opened = await host.project.opened();
    const known = texts.get(path);
    if (!opened.ok || known === undefined) return;
    const { documents } = opened.value;
    const live = await documents.read(path);
    if (!live.ok) return showRefusal(host, live.error);
    const changes = undoPlace(known.before, known.after, live.value.text, place);
    if (changes === undefined || changes.length === 0) return changed.fire();
    const applied = await documents.apply([{ path, version: live.value.version, changes }]);
    if (!applied.ok) await showRefusal(host, applied.error);
    changed.fire();
  }

  async function compare(path: string): Promise<void> {
    const opened = await host.project.opened();
    const known = texts.get(path);
    if (opened.ok && known !== undefined) await openDiff(opened.value, known.change, { what: t('this turn') }, t);
  }

  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    async provideCodeLenses(document) {
      const path = texts.size === 0 ? undefined : model.pathOf(document.uri);
      const known = path === undefined ? undefined : texts.get(path);
      if (path === undefined || known === undefined || !wanted()) return [];
      const { placesOf } = await import('../../../engine/index');
      return placesOf(known.before, known.after, document.getText()).flatMap(({ id, start }) => {
        const at = lens(document.positionAt(start));
        return [at(t('Liyuan changed this · compare'), 'liyuan.review.compareChange', [path]), at(t('Undo this change'), 'liyuan.review.undoChange', [path, id])];
      });
    },
  };
  const looking = (): void => { look().catch((error: unknown) => { host.log.error('the last turn’s changes could not be looked at', { error: String(error) }); }); };
  return vscode.Disposable.from(
    changed,
    host.signals.checkpointsChanged.event(looking),
    host.signals.turnStarted.event(clear),
    host.signals.conversationMoved.event(clear),
    host.project.onDidChange(clear),
    vscode.workspace.onDidChangeConfiguration((event) => { if (event.affectsConfiguration('liyuan.review.lens')) changed.fire(); }),
    vscode.languages.registerCodeLensProvider({ scheme: 'file', pattern: '**/*.{md,txt}' }, provider),
    registerCommand(host, 'liyuan.review.compareChange', (path?: string) => (path === undefined ? undefined : compare(path))),
    registerCommand(host, 'liyuan.review.undoChange', (path?: string, place?: string) => (path === undefined || place === undefined ? undefined : undo(path, place))),
  );
}
