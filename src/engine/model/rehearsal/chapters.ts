import { titleFromFileName } from '../../text/titles';
import type { ChapterRef } from './intents';
import type { Speaker, Work } from './talk';
import { listIn, need, numberIn, textIn } from './talk';

export interface KnownChapter {
  readonly path: string;
  readonly title: string;
  readonly words: number;
}

const MOST_PAGES = 20;

/** All chapters, through `outline`, page after page. */
export function* lookUpChapters(): Work<readonly KnownChapter[]> {
  const chapters: KnownChapter[] = [];
  let start: number | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const receipt = yield* need('outline', start === undefined ? {} : { start });
    chapters.push(...listIn(receipt, 'chapters').map((item) => ({ path: textIn(item, 'path'), title: textIn(item, 'title'), words: numberIn(item, 'words') })));
    const rest = receipt['rest'] as { readonly start?: unknown } | undefined;
    if (typeof rest?.start !== 'number') break;
    start = rest.start;
  }
  return chapters;
}

/** The chapter that is meant: by its file's number or else its place, its title, its path or the end of it. */
export function findChapter(ref: ChapterRef, chapters: readonly KnownChapter[]): KnownChapter | undefined {
  switch (ref.by) {
    case 'last':
      return chapters.at(-1);
    case 'number': {
      const numbered = chapters.filter((chapter) => fileNumber(chapter.path) === ref.n);
      return numbered.length === 1 ? numbered[0] : chapters[ref.n - 1];
    }
    case 'title': {
      const wanted = ref.title.trim();
      const same = (chapter: KnownChapter): boolean => chapter.title === wanted || titleFromFileName(chapter.path) === wanted;
      const near = (chapter: KnownChapter): boolean => chapter.title.includes(wanted) || chapter.path.includes(wanted);
      return chapters.find(same) ?? chapters.find(near);
    }
    case 'path': {
      const wanted = ref.path.replace(/^\.?\//, '').normalize('NFC');
      return (
        chapters.find((chapter) => chapter.path === wanted) ??
        chapters.find((chapter) => chapter.path.endsWith(wanted) || wanted.endsWith(chapter.path) || wanted.endsWith(fileName(chapter.path)))
      );
    }
  }
}

/** Says which chapter was not found and what there is. */
export function sayNoChapter(speaker: Speaker, ref: ChapterRef, chapters: readonly KnownChapter[]): void {
  if (chapters.length === 0) speaker.say('noChapters');
  else speaker.say('noChapter', { ref: nameOf(speaker, ref), titles: chapters.slice(0, 20).map((chapter) => chapter.title).join(speaker.phrase('joiner')) });
}

/** The number a file's name begins with. */
export function fileNumber(path: string): number | undefined {
  const match = /^(\d+)/.exec(fileName(path));
  return match === null ? undefined : Number(match[1]);
}

export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folder of a path, with its slash; `''` at the top. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function nameOf(speaker: Speaker, ref: ChapterRef): string {
  switch (ref.by) {
    case 'last':
      return speaker.phrase('lastChapter');
    case 'number':
      return speaker.phrase('chapterNumber', { n: ref.n });
    case 'title':
      return ref.title;
    case 'path':
      return ref.path;
  }
}
