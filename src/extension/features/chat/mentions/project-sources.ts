import type { ChatMention } from '../../../../protocol/mentions';
import type { Translate } from '../../../l10n/translate';
import type { OpenProject } from '../../../project/active-project';
import { baseName } from '../../../project/paths';
import { oneLine } from '../titles';
import type { Candidate, MentionSource } from './sources';

/** Before anything is typed, the chapters written last. */
const NEWEST = 8;
const MOST_CHECKPOINTS = 200;
const TITLE_CHARACTERS = 24;

/** Where cards and lore lie; as files, until they are more to the program than that. */
const loreFolders: ReadonlySet<string> = new Set(['世界书', '角色卡']);

/** A file's name without its ending. */
export const nameOf = (path: string): string => baseName(path).replace(/\.[^.]+$/, '');
const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/');

/** All chapters: title, place in the book, 字. */
export function chapterSource(t: Translate): MentionSource {
  const newest = new WeakMap<readonly Candidate[], readonly Candidate[]>();
  return {
    all: async ({ engine }) => {
      const chapters = await engine.manuscript.chapters();
      if (!chapters.ok) return [];
      const rows = chapters.value.map(({ path, title, words, volume, mtime }, at) => ({
        mtime,
        candidate: {
          mention: { kind: 'file' as const, ref: path, title },
          group: t('Chapters'),
          icon: 'book',
          title,
          detail: [...(volume === '' ? [] : [volume]), t('no. {number}, {words} words', { number: at + 1, words })].join(' · '),
          also: path,
          number: at + 1,
        },
      }));
      const all = rows.map(({ candidate }) => candidate);
      newest.set(all, [...rows].sort((a, b) => b.mtime - a.mtime).slice(0, NEWEST).map(({ candidate }) => candidate));
      return all;
    },
    first: (all) => newest.get(all) ?? all,
  };
}

/** The project's other texts, then its cards and lore. */
export function textSource(t: Translate): MentionSource {
  return {
    all: async ({ engine, documents }) => {
      const { compareNatural } = await import('../../../../engine/index');
      const { rules, config } = engine.project;
      const folders = rules.roots.filter((root) => root !== engine.manuscript.folder && !root.startsWith(`${engine.manuscript.folder}/`));
      const lists = await Promise.all(folders.map((folder) => documents.list(folder)));
      const paths = [...new Set(lists.flat().map(({ path }) => path))].filter((path) => rules.covered(path) && !path.startsWith(`${config.folders.manuscript}/`));
      const isLore = (path: string): boolean => loreFolders.has(path.split('/')[0] ?? '');
      return paths
        .sort((a, b) => Number(isLore(a)) - Number(isLore(b)) || compareNatural(a, b))
        .map((path) => ({
          mention: { kind: 'file' as const, ref: path, title: nameOf(path) },
          group: isLore(path) ? t('Cards and lore') : t('Other texts'),
          icon: isLore(path) ? 'globe' : 'file',
          title: nameOf(path),
          detail: folderOf(path),
          also: path,
        }));
    },
  };
}

/** What is selected in the editor, when it is a text of the project. */
export function selectionSource(t: Translate, selected: (project: OpenProject) => ChatMention | undefined): MentionSource {
  return {
    all: (project) => {
      const mention = selected(project);
      if (mention?.kind !== 'selection') return Promise.resolve([]);
      const lines = mention.start === mention.end ? String(mention.start) : `${mention.start}–${mention.end}`;
      const detail = t('{path}, lines {lines}', { path: nameOf(mention.ref), lines });
      return Promise.resolve([{ mention, group: t('In the editor'), icon: 'selection', title: t('Selected text'), detail, also: mention.ref }]);
    },
  };
}

/** Recent checkpoints by name or message and time. */
export function checkpointSource(t: Translate, locale: () => string): MentionSource {
  return {
    all: async ({ engine }) => {
      const [records, marks] = await Promise.all([engine.checkpoints.list(), engine.checkpoints.marks()]);
      if (!records.ok) return [];
      const when = new Intl.DateTimeFormat(locale(), { month: 'numeric', day: 'numeric', hour: '2-digit', minute: '2-digit' });
      return records.value.slice(0, MOST_CHECKPOINTS).map((record) => {
        const mark = marks.ok ? marks.value.get(record.id) : undefined;
        const name = mark?.name ?? (record.message === '' ? t('Checkpoint') : record.message);
        const time = when.format(record.ts);
        return {
          mention: { kind: 'checkpoint' as const, ref: record.id, title: `${short(name)} ${time}` },
          group: t('Checkpoints'),
          icon: 'history',
          title: oneLine(name),
          detail: time,
        };
      });
    },
  };
}

/** Fit for the words of a message: one short line without the marks that enclose it there. */
function short(name: string): string {
  const characters = Array.from(oneLine(name).replace(/[「」]/g, ''));
  return characters.length <= TITLE_CHARACTERS ? characters.join('') : `${characters.slice(0, TITLE_CHARACTERS - 1).join('')}…`;
}
