import { newChapterPlace, pathOfPlace } from '../manuscript/chapter-place';
import type { Chapter } from '../manuscript/manuscript';
import type { AgentTexts } from '../prompt/assets';
import { fill } from '../prompt/assets';
import type { PromptBlock } from '../prompt/blocks';
import type { EntryData } from '../session/entries';
import { outlinePart, textEnd } from '../text/excerpts';
import { compareNatural } from '../text/natural-order';
import type { TurnDeps } from './deps';

/** Characters of an outline that go in; the agent reads the rest by itself. */
const MOST_OUTLINE = 3_000;
/** Characters of the last chapter's end. */
const LAST_END = 600;
const LAST_TITLES = 8;
/** A folder, or a file, for outlines. */
const OUTLINE = /大纲|细纲|outline/iu;

export interface TaskBlocks {
  /** Material, before the list of chapters. */
  readonly world?: readonly PromptBlock[];
  readonly task?: readonly PromptBlock[];
}

/**
 * What the turn's task puts before the author's words. Material that cannot be read is left out. The ledger and the summary get their
 * place here once they are kept: as blocks of `world`.
 */
export async function taskBlocks(deps: TurnDeps, task: EntryData<'user'>['task'], chapters: readonly Chapter[]): Promise<TaskBlocks> {
  return task?.kind === 'next-chapter' ? nextChapterBlocks(deps, chapters) : {};
}

async function nextChapterBlocks(deps: TurnDeps, chapters: readonly Chapter[]): Promise<TaskBlocks> {
  const { texts, nextChapter } = deps.assets();
  const place = newChapterPlace(deps.manuscript.folder, chapters);
  const title = texts.chapterTitle;
  const path = pathOfPlace(place, title);
  const text = fill(nextChapter, { number: place.number, path, heading: `${place.headingHead}${title}`, title });
  const material = [await outlineBlock(deps, texts, chapters.at(-1)), titlesBlock(texts, chapters), await endBlock(deps, texts, chapters.at(-1))];
  return {
    world: material.filter((block) => block !== undefined),
    task: [{ kind: 'task', title: texts.nextChapter, source: `prompts/${deps.project.config.language}/next-chapter.md`, text: `${texts.nextChapter}\n${text}` }],
  };
}

async function outlineBlock(deps: TurnDeps, texts: AgentTexts, last: Chapter | undefined): Promise<PromptBlock | undefined> {
  const folder = deps.project.config.folders.texts.find((name) => OUTLINE.test(name));
  if (folder === undefined) return undefined;
  const files = (await deps.documents.list(folder)).map(({ path }) => path).filter((path) => /\.(?:md|txt)$/i.test(path)).sort(compareNatural);
  const [path] = files;
  const live = path === undefined ? undefined : await deps.documents.read(path);
  if (path === undefined || live?.ok !== true) return undefined;
  const near = [last?.title, last?.volume.split('/').at(-1)].filter((word) => word !== undefined && word !== '');
  const part = outlinePart(live.value.text, near as readonly string[], MOST_OUTLINE);
  if (part === '') return undefined;
  return { kind: 'material', title: path, source: path, text: `${fill(texts.outlineFile, { path })}\n${part}` };
}

function titlesBlock(texts: AgentTexts, chapters: readonly Chapter[]): PromptBlock | undefined {
  if (chapters.length === 0) return undefined;
  const lines = chapters.slice(-LAST_TITLES).map(({ path, title }) => `${title}　${path}`);
  return { kind: 'material', title: texts.lastTitles, source: 'chapters', text: [texts.lastTitles, ...lines].join('\n') };
}

async function endBlock(deps: TurnDeps, texts: AgentTexts, last: Chapter | undefined): Promise<PromptBlock | undefined> {
  const live = last === undefined ? undefined : await deps.documents.read(last.path);
  if (last === undefined || live?.ok !== true) return undefined;
  const end = textEnd(live.value.text, LAST_END);
  if (end.text === '') return undefined;
  const text = `${fill(texts.lastWords, { path: last.path })}\n${end.cut ? `${texts.textStart}\n` : ''}${end.text}`;
  return { kind: 'material', title: last.path, source: last.path, text };
}
