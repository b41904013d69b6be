import * as vscode from 'vscode';
import { withCancel } from '../../cancellable';
import type { Host } from '../../host';
import { isVolume, likelyChapters } from './likely-chapters';
import { walkTexts, type FoundTexts } from './walk-texts';

/** Where the chapters of a folder that becomes a project are, as the person says. */
export type ChaptersAt =
  /** In this folder below the root; it is named in `project.json`. */
  | { readonly kind: 'folder'; readonly name: string }
  /** In `正文/`, and these files and folders of the root go there first. */
  | { readonly kind: 'move'; readonly names: readonly string[] }
  /** In `正文/`, as it is. */
  | { readonly kind: 'default' };

const MANUSCRIPT = '正文';
const SOON_MS = 700;
/** Folders that every project has for other things than chapters. */
const OTHER_FOLDERS: ReadonlySet<string> = new Set(['大纲', '设定', '角色卡', '世界书', '预设']);

type Choice = vscode.QuickPickItem & { readonly chosen: ChaptersAt };

/** What may be meant, the likeliest first; `[]`: there is nothing to ask. */
async function choicesOf({ t }: Host, { loose, folders, complete }: FoundTexts): Promise<readonly Choice[]> {
  const { compareNatural } = await import('../../../engine/index');
  const chapters = [...likelyChapters(loose)].sort(compareNatural);
  const others = [...folders].filter(([name]) => !OTHER_FOLDERS.has(name)).sort(([a, x], [b, y]) => y - x || compareNatural(a, b));
  if (folders.has(MANUSCRIPT) || (chapters.length === 0 && others.length === 0)) return [];
  const counted = (count: number): string => (complete ? t('texts: {count}', { count }) : t('texts: {count} or more', { count }));
  const volumes = others.map(([name]) => name).filter(isVolume).sort(compareNatural);
  const scattered = volumes.length + Math.min(chapters.length, 1) > 1 && volumes.length > 0;
  const inVolumes = volumes.reduce((sum, name) => sum + (folders.get(name) ?? 0), 0);
  return [
    // A novel in several places is one only when they stand in one folder.
    ...(scattered ? [{
      label: `$(arrow-right) ${chapters.length === 0 ? t('Move the volumes into 正文/') : t('Move the volumes and chapters into 正文/')}`,
      description: counted(inVolumes + chapters.length),
      detail: shortList([...volumes.map((name) => `${name}/`), ...chapters]),
      chosen: { kind: 'move', names: [...volumes, ...chapters] },
    } satisfies Choice] : []),
    ...others.map(([name, count]): Choice => ({
      label: `$(folder) ${name}/`,
      description: counted(count),
      detail: t('The chapters stay where they are.'),
      chosen: { kind: 'folder', name },
    })),
    ...(chapters.length === 0 ? [] : [{
      label: `$(arrow-right) ${t('Move the texts of this folder into 正文/')}`,
      description: t('texts: {count}', { count: chapters.length }),
      detail: shortList(chapters),
      chosen: { kind: 'move', names: chapters },
    } satisfies Choice]),
    {
      label: `$(new-folder) ${t('A new folder 正文/')}`,
      detail: t('For chapters to come. Texts elsewhere are not seen by the agent and not kept in checkpoints.'),
      chosen: { kind: 'default' },
    },
  ];
}

/** Looks at the folder, for as long as the person waits, and asks where the chapters are when they are not in `正文/` already. `undefined`: the person ended it. */
export async function askForChapters(host: Host, root: vscode.Uri): Promise<ChaptersAt | undefined> {
  const { t } = host;
  const found = await look(host, root);
  if (found.unread > 0) host.log.info('folders could not be read', { count: found.unread });
  const items = await choicesOf(host, found);
  if (items.length === 0) return { kind: 'default' };
  const picked = await vscode.window.showQuickPick(items, { title: t('Set up a project: where are the chapters?'), ignoreFocusOut: true });
  return picked?.chosen;
}

/** What is soon found needs no notification; what takes long has one, with a way to end it. */
async function look({ t, clock }: Host, root: vscode.Uri): Promise<FoundTexts> {
  const controller = new AbortController();
  const walk = walkTexts(root.fsPath, { signal: controller.signal });
  let cancel: () => void = () => undefined;
  const slow = new Promise<'slow'>((resolve) => { cancel = clock.after(SOON_MS, () => { resolve('slow'); }); });
  try {
    if ((await Promise.race([walk, slow])) !== 'slow') return await walk;
    return await withCancel(t('Looking for the chapters…'), (signal) => {
      signal.addEventListener('abort', () => { controller.abort(); }, { once: true });
      return walk;
    });
  } finally {
    cancel();
  }
}

const shortList = (names: readonly string[]): string => `${names.slice(0, 6).join('  ')}${names.length > 6 ? '  …' : ''}`;

/** Moves files and folders of the root into `正文/`, as one step that VS Code can undo. False when it would not; then nothing was moved. */
export async function moveIntoManuscript(root: vscode.Uri, names: readonly string[]): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  for (const name of names) edit.renameFile(vscode.Uri.joinPath(root, name), vscode.Uri.joinPath(root, MANUSCRIPT, name), { overwrite: false });
  return vscode.workspace.applyEdit(edit);
}
