import { headingOf, titleFromFileName } from '../../text/titles';
import type { Cast } from './cast';
import { lookUpCast, manuscriptFolder, wordsIn } from './cast';
import type { KnownChapter } from './chapters';
import { fileName, folderOf, lookUpChapters } from './chapters';
import type { Intent } from './intents';
import { chineseNumber, NUMERALS } from './numbers';
import type { Speaker, Work } from './talk';
import { call, errorIn, listIn, need, textIn } from './talk';

type Create = Extract<Intent, { kind: 'create' }>;

/** 新建一章《…》: a short draft whose names and places stand in the author's files. `system`: the system message. */
export function* createChapter(intent: Create, system: string, speaker: Speaker): Work {
  speaker.say('lookAround');
  const chapters = yield* lookUpChapters();
  const same = chapters.find((chapter) => chapter.title === intent.title || bare(chapter.title) === intent.title || titleFromFileName(chapter.path) === intent.title);
  if (same !== undefined) return speaker.say('exists', { title: intent.title, path: same.path });
  const folders = listIn(yield* need('list', {}), 'entries');
  speaker.say('readForDraft');
  const cast = yield* lookUpCast(chapters, folders);
  const path = newPath(intent.title, chapters, manuscriptFolder(folders, system));
  speaker.say('writing', { title: intent.title });
  const receipt = yield* call('write', { path, content: `# ${heading(intent.title, chapters)}\n\n${draft(intent, cast, speaker)}\n` });
  const error = errorIn(receipt);
  if (error !== undefined) return speaker.say('failedAt', { path, error });
  const used = [...cast.people.slice(0, 2), ...cast.places.slice(0, 1)];
  speaker.say('written', {
    path: textIn(receipt, 'path') || path,
    words: wordsIn(receipt),
    names: used.length === 0 ? '' : speaker.phrase('namesFrom', { names: used.join(speaker.phrase('joiner')) }),
  });
}

/** After the last chapter, in its folder, numbered on as it is. */
function newPath(title: string, chapters: readonly KnownChapter[], folder: string): string {
  const last = chapters.at(-1);
  const name = `${title.replace(/[\\/:*?"<>|\0]/g, ' ').trim()}.md`;
  if (last === undefined) return `${folder}001-${name}`;
  const number = /^(\d+)([-_.、 ]*)/.exec(fileName(last.path));
  if (number === null) return `${folderOf(last.path)}${name}`;
  const next = String(Number(number[1]) + 1).padStart(number[1]?.length ?? 0, '0');
  return `${folderOf(last.path)}${next}${number[2] === '' ? '-' : (number[2] ?? '-')}${name}`;
}

/** Numbered in words when the last chapter's title is, e.g. 「第九章 」. */
function heading(title: string, chapters: readonly KnownChapter[]): string {
  const last = chapters.at(-1)?.title ?? '';
  const spelled = new RegExp(`^第([${NUMERALS}]+)(章|回|节)(\\s*)`, 'u').exec(last);
  if (spelled !== null) {
    const n = chapters.length + 1;
    return `第${/^\d+$/.test(spelled[1] ?? '') ? String(n) : chineseNumber(n)}${spelled[2] ?? ''}${spelled[3] === '' ? ' ' : (spelled[3] ?? ' ')}${title}`;
  }
  return /^Chapter \d+/.test(last) ? `Chapter ${String(chapters.length + 1)}: ${title}` : title;
}

function bare(title: string): string {
  return title.replace(new RegExp(`^第[${NUMERALS}]+[章回节]\\s*`, 'u'), '').replace(/^Chapter \d+[:.]?\s*/, '');
}

function draft(intent: Create, cast: Cast, speaker: Speaker): string {
  const [a, b] = cast.people;
  const [place] = cast.places;
  const sentence = intent.brief === '' ? [] : [/[。.!?！？…]$/.test(intent.brief) ? intent.brief : intent.brief + (speaker.phrase('joiner') === '、' ? '。' : '.')];
  return [
    place === undefined ? speaker.phrase('draftNoPlace') : speaker.phrase('draftPlace', { place }),
    ...sentence,
    a === undefined ? speaker.phrase('draftNobody') : speaker.phrase('draftOne', { a }),
    ...(a === undefined || b === undefined ? [] : [speaker.phrase('draftTwo', { a, b })]),
    speaker.phrase('draftEnd'),
  ].join('\n\n');
}

/** First and last sentence of a text, its title left out. */
export function edgesOf(text: string): { readonly first: string; readonly last: string } | undefined {
  const title = headingOf(text);
  const body = text
    .replace(/^\uFEFF?---\n[\s\S]*?\n---\n/, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== `# ${title ?? ''}`);
  const first = body[0];
  const last = body.at(-1);
  if (first === undefined || last === undefined) return undefined;
  return { first: sentences(first)[0] ?? first, last: sentences(last).at(-1) ?? last };
}

function sentences(line: string): readonly string[] {
  return line.match(/[^。！？.!?]*[。！？.!?]+[」』”"’']?|[^。！？.!?]+$/g)?.map((part) => part.trim()) ?? [];
}
