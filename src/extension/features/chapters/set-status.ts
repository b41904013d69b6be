import * as vscode from 'vscode';
import { setFrontMatter } from '../../../engine/index';
import { showRefusal, writableProject } from '../../commands';
import type { OpenProject } from '../../project/active-project';
import { chapterMeant, chaptersMeant, type ChapterDesk } from './desk';
import { volumesOf, type ChaptersNode } from './nodes';
import { statusIcons, statusKind, statusWords } from './status';

/** Writes one key into the front matter of chapters, each in its live text. The first refusal ends it and is told. */
async function write(desk: ChapterDesk, project: OpenProject, paths: readonly string[], key: string, value: string | number | undefined): Promise<void> {
  for (const path of paths) {
    const live = await project.documents.read(path);
    if (!live.ok) return showRefusal(desk.host, live.error);
    const change = setFrontMatter(live.value.text, key, value);
    if (!change.ok) return showRefusal(desk.host, { ...change.error, args: { ...change.error.args, path } });
    if (change.value === undefined) continue;
    const applied = await project.documents.apply([{ path, version: live.value.version, changes: [change.value] }]);
    if (!applied.ok) return showRefusal(desk.host, applied.error);
  }
}

function meant(desk: ChapterDesk, node: ChaptersNode | undefined, chosen: readonly ChaptersNode[] | undefined): readonly string[] {
  const paths = chaptersMeant(desk, node, chosen);
  const one = paths.length > 0 ? undefined : chapterMeant(desk, node);
  return one === undefined ? paths : [one.path];
}

/** Asks for a status: the usual ones, those in use, another, or none. */
export async function setStatus(desk: ChapterDesk, node: ChaptersNode | undefined, chosen: readonly ChaptersNode[] | undefined): Promise<void> {
  const { t } = desk.host;
  const paths = meant(desk, node, chosen);
  const project = paths.length === 0 ? undefined : await writableProject(desk.host);
  if (project === undefined) return;
  const usual = Object.values(statusWords[project.engine.project.config.language]);
  const used = desk.store.all().flatMap(({ status }) => (status === undefined ? [] : [status]));
  const now = desk.store.known(paths[0] ?? '')?.status;
  const rows = [
    ...[...new Set([...usual, ...used])].map((word) => ({ label: `$(${statusIcons[statusKind(word)]}) ${word}`, description: word === now ? t('now') : '', word: word, other: false })),
    { label: `$(tag) ${t('Another word…')}`, description: '', word: undefined, other: true },
    { label: `$(clear-all) ${t('None')}`, description: '', word: undefined, other: false },
  ];
  const row = await vscode.window.showQuickPick(rows, { title: t('Status of the chapter'), placeHolder: t('It is written at the top of the chapter (front matter)') });
  if (row === undefined) return;
  const word = row.other ? (await vscode.window.showInputBox({ title: t('Status of the chapter'), value: now ?? '' }))?.trim() : row.word;
  if (row.other && (word === undefined || word === '')) return;
  await write(desk, project, paths, 'status', word);
}

/** Asks for the 字 that chapters are to have. */
export async function setTarget(desk: ChapterDesk, node: ChaptersNode | undefined, chosen: readonly ChaptersNode[] | undefined): Promise<void> {
  const { t } = desk.host;
  const paths = meant(desk, node, chosen);
  const project = paths.length === 0 ? undefined : await writableProject(desk.host);
  if (project === undefined) return;
  const now = desk.store.known(paths[0] ?? '')?.target;
  const given = await vscode.window.showInputBox({
    title: t('Target of the chapter'),
    prompt: t('How many words it is to have; empty: no target'),
    value: now === undefined ? '' : String(now),
    validateInput: (value) => (/^\s*\d{0,7}\s*$/.test(value) ? undefined : t('A whole number, or nothing.')),
  });
  if (given === undefined) return;
  const target = Number(given.trim());
  await write(desk, project, paths, 'target', target > 0 ? target : undefined);
}

/** Title, volume, 字, status and target of all chapters, as a table that a spreadsheet takes. */
export async function copyTable(desk: ChapterDesk): Promise<void> {
  const { t } = desk.host;
  const chapters = await desk.store.chapters();
  const head = [t('Volume'), t('Chapter'), t('Words'), t('Target'), t('Status')];
  const cell = (text: string): string => text.replace(/[\t\r\n]+/g, ' ');
  const rows = chapters.map(({ volume, title, words, target, status }) => [volume, title, String(words), target === undefined ? '' : String(target), status ?? '']);
  const sum = ['', t('All'), String(chapters.reduce((all, { words }) => all + words, 0)), '', ''];
  await vscode.env.clipboard.writeText([head, ...rows, sum].map((row) => row.map(cell).join('\t')).join('\n'));
  void vscode.window.setStatusBarMessage(t('Copied: {count} chapters in {volumes} volumes', { count: chapters.length, volumes: volumesOf(chapters).length }), 4000);
}
