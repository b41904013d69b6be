import { lookUpCast, totalWords } from './cast';
import type { KnownChapter } from './chapters';
import { findChapter, folderOf, lookUpChapters, sayNoChapter } from './chapters';
import { edgesOf } from './create';
import type { ChapterRef } from './intents';
import { MOST_READ } from './intents';
import type { Receipt, Speaker, Work } from './talk';
import { call, errorIn, listIn, need, numberIn, textIn } from './talk';

const SHOWN_HITS = 20;

/** 目录 */
export function* tellOutline(speaker: Speaker): Work {
  speaker.say('lookOutline');
  const chapters = yield* lookUpChapters();
  if (chapters.length === 0) return speaker.say('noChapters');
  speaker.say('outline', { count: chapters.length, words: totalWords(chapters) });
  for (const chapter of chapters) speaker.say('outlineLine', { ...chapter });
}

/** 读第三章、读《…》 */
export function* readChapters(refs: readonly ChapterRef[], speaker: Speaker): Work {
  speaker.say('lookOutline');
  const chapters = yield* lookUpChapters();
  const found: KnownChapter[] = [];
  for (const ref of refs.slice(0, MOST_READ)) {
    const chapter = findChapter(ref, chapters);
    if (chapter !== undefined) found.push(chapter);
    // Another text of the project, such as the notes.
    else if (ref.by === 'path') found.push({ path: ref.path, title: ref.path, words: 0 });
    else sayNoChapter(speaker, ref, chapters);
  }
  yield* readAll(found, speaker);
}

/** 读前三章 */
export function* readFirst(count: number, speaker: Speaker): Work {
  speaker.say('lookOutline');
  const chapters = yield* lookUpChapters();
  if (chapters.length === 0) return speaker.say('noChapters');
  yield* readAll(chapters.slice(0, Math.min(count, MOST_READ)), speaker);
}

function* readAll(chapters: readonly KnownChapter[], speaker: Speaker): Work {
  if (chapters.length === 0) return;
  const joiner = speaker.phrase('joiner');
  speaker.say('reading', { titles: chapters.map((chapter) => `${speaker.phrase('quoteOpen')}${chapter.title}${speaker.phrase('quoteClose')}`).join(joiner) });
  const receipts = yield chapters.map(({ path }) => ({ name: 'read', args: { path } }));
  chapters.forEach((chapter, at) => {
    tellRead(chapter, receipts[at] ?? {}, speaker);
  });
}

function tellRead(chapter: KnownChapter, receipt: Receipt, speaker: Speaker): void {
  const error = errorIn(receipt);
  if (error !== undefined) return speaker.say('failedAt', { path: chapter.path, error });
  const edges = edgesOf(textIn(receipt, 'text'));
  if (edges === undefined) return speaker.say('readEmpty', { title: chapter.title });
  const start = numberIn(receipt, 'start') || 1;
  const end = numberIn(receipt, 'end');
  speaker.say('readDone', { title: chapter.title, start, end, of: numberIn(receipt, 'of') || end, ...edges });
}

/** 搜索「X」 */
export function* searchText(pattern: string, speaker: Speaker): Work {
  speaker.say('lookFor', { text: pattern });
  const receipt = yield* call('grep', { pattern });
  const error = errorIn(receipt);
  if (error !== undefined) return speaker.say('failed', { error });
  const hits = listIn(receipt, 'matches');
  if (hits.length === 0) return speaker.say('searchNone', { text: pattern });
  const count = Math.max(hits.length, numberIn(receipt, 'lines'));
  speaker.say('found', { text: pattern, count });
  for (const hit of hits.slice(0, SHOWN_HITS)) speaker.say('foundLine', { path: textIn(hit, 'path'), line: numberIn(hit, 'line'), line_text: textIn(hit, 'text').trim().slice(0, 60) });
  if (count > SHOWN_HITS) speaker.say('more', { count: count - SHOWN_HITS });
}

/** 删除第三章 */
export function* deleteChapter(ref: ChapterRef, speaker: Speaker): Work {
  const path = yield* pathFor(ref, speaker);
  if (path === undefined) return;
  speaker.say('removing', { path });
  const error = errorIn(yield* call('delete', { path }));
  if (error === undefined) speaker.say('removed', { path });
  else speaker.say('failedAt', { path, error });
}

/** 第三章改名为《…》: the number in the file's name stays, the heading follows. */
export function* renameChapter(ref: ChapterRef, title: string, speaker: Speaker): Work {
  const from = yield* pathFor(ref, speaker);
  if (from === undefined) return;
  const prefix = /^\d+(?:[-_.、]\d+)*[-_.、 ]+/.exec(from.slice(folderOf(from).length))?.[0] ?? '';
  const to = `${folderOf(from)}${prefix}${title.replace(/[\\/:*?"<>|\0]/g, ' ').replace(/\.md$/, '').trim()}.md`;
  speaker.say('renaming', { from, to });
  const receipt = yield* call('rename', { from, to });
  const error = errorIn(receipt);
  if (error !== undefined) return speaker.say('failedAt', { path: from, error });
  const old = textIn(receipt, 'heading');
  if (receipt['headingShowsOldTitle'] !== true || old === '') return speaker.say('renamed', { from, to });
  const spelled = /^(?:第\S+?[章回节]\s*|Chapter \d+[:.]?\s*)/.exec(old)?.[0] ?? '';
  const heading = spelled + title;
  speaker.say('headingToo');
  const edited = errorIn(yield* call('edit', { edits: [{ path: to, old: `# ${old}`, new: `# ${heading}` }] }));
  speaker.say('renamed', { from, to });
  if (edited === undefined) speaker.say('headingDone', { heading });
  else speaker.say('failedAt', { path: to, error: edited });
}

/** 给个选项: a question made of who and what is in the files. */
export function* offerOptions(speaker: Speaker): Work {
  speaker.say('lookForOptions');
  const chapters = yield* lookUpChapters();
  const cast = yield* lookUpCast(chapters, listIn(yield* need('list', {}), 'entries'));
  const a = cast.people[0] ?? speaker.phrase('someone');
  const b = cast.people[1] ?? speaker.phrase('someoneElse');
  const place = cast.places[0] ?? speaker.phrase('somewhere');
  speaker.say('optionsHere');
  const receipt = yield* call('ask', {
    question: speaker.phrase('question'),
    options: [speaker.phrase('optionAsk', { a }), speaker.phrase('optionLeave', { a, place }), speaker.phrase('optionOther', { b }), speaker.phrase('optionWait')],
  });
  const answer = textIn(receipt, 'answer');
  if (answer === '') speaker.say('stopped');
  else speaker.say('chosen', { answer });
}

function* pathFor(ref: ChapterRef, speaker: Speaker): Work<string | undefined> {
  speaker.say('lookOutline');
  const chapters = yield* lookUpChapters();
  const chapter = findChapter(ref, chapters);
  if (chapter === undefined) sayNoChapter(speaker, ref, chapters);
  return chapter?.path;
}
