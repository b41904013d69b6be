import * as vscode from 'vscode';
import type { Host } from '../../host';

/** Where the chapters of a folder that becomes a project are, as the person says. */
export type ChaptersAt =
  /** In this folder below the root; it is named in `project.json`. */
  | { readonly kind: 'folder'; readonly name: string }
  /** In `正文/`, and these files of the root go there first. */
  | { readonly kind: 'move'; readonly files: readonly string[] }
  /** In `正文/`, as it is. */
  | { readonly kind: 'default' };

const MANUSCRIPT = '正文';
/** Names that are hardly chapters. */
const OTHERS = /^(?:readme|agents|changelog|license|notes?)\b|^(?:大纲|设定|人物|备注|说明)/i;
const MOST = 2_000;

interface Found {
  /** Of the root itself, in natural order. */
  readonly loose: readonly string[];
  /** Folders of the root with the number of texts below them. */
  readonly folders: ReadonlyMap<string, number>;
}

/** The `.md` and `.txt` files of a folder, by where they lie; dot-folders and `node_modules` are not looked into. */
async function findTexts(root: vscode.Uri): Promise<Found> {
  const { compareNatural } = await import('../../../engine/index');
  const found = await vscode.workspace.findFiles(new vscode.RelativePattern(root, '**/*.{md,txt}'), '{**/.*/**,**/node_modules/**}', MOST);
  const loose: string[] = [];
  const folders = new Map<string, number>();
  for (const uri of found) {
    const [first = '', ...rest] = uri.path.slice(root.path.length + 1).split('/');
    if (rest.length === 0) loose.push(first);
    else folders.set(first, (folders.get(first) ?? 0) + 1);
  }
  return { loose: loose.filter((name) => !OTHERS.test(name)).sort(compareNatural), folders };
}

/** Asks where the chapters are when they are not in `正文/` already. `undefined`: the person ended it. */
export async function askForChapters(host: Host, root: vscode.Uri): Promise<ChaptersAt | undefined> {
  const { t } = host;
  const { loose, folders } = await findTexts(root);
  if (folders.has(MANUSCRIPT) || (loose.length === 0 && folders.size === 0)) return { kind: 'default' };
  const items: (vscode.QuickPickItem & { readonly chosen: ChaptersAt })[] = [...folders]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => ({
      label: `$(folder) ${name}/`,
      description: t('texts: {count}', { count }),
      detail: t('The chapters stay where they are.'),
      chosen: { kind: 'folder', name },
    }));
  if (loose.length > 0) {
    items.push({
      label: `$(arrow-right) ${t('Move the texts of this folder into 正文/')}`,
      description: t('texts: {count}', { count: loose.length }),
      detail: shortList(loose),
      chosen: { kind: 'move', files: loose },
    });
  }
  items.push({
    label: `$(new-folder) ${t('A new folder 正文/')}`,
    detail: t('For chapters to come. Texts elsewhere are not seen by the agent and not kept in checkpoints.'),
    chosen: { kind: 'default' },
  });
  const picked = await vscode.window.showQuickPick(items, { title: t('Set up a project: where are the chapters?'), ignoreFocusOut: true });
  return picked?.chosen;
}

const shortList = (names: readonly string[]): string => `${names.slice(0, 6).join('  ')}${names.length > 6 ? '  …' : ''}`;

/** Moves files of the root into `正文/`, as one step that VS Code can undo. False when it would not; then nothing was moved. */
export async function moveIntoManuscript(root: vscode.Uri, names: readonly string[]): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  for (const name of names) edit.renameFile(vscode.Uri.joinPath(root, name), vscode.Uri.joinPath(root, MANUSCRIPT, name), { overwrite: false });
  return vscode.workspace.applyEdit(edit);
}
