import type { Chapter } from '../manuscript/manuscript';
import type { ProjectConfig } from '../project/project';
import type { AgentTexts, PromptAssets } from './assets';
import { fill } from './assets';
import type { AuthorChange } from './author-changes';
import { renderAuthorChanges } from './author-changes';
import type { BuiltMessage, PromptBlock } from './blocks';
import { systemMessage } from './blocks';
import type { ReviewNews } from '../review/review';
import { renderReviewNews } from './review-news';

export interface SystemInput {
  readonly assets: PromptAssets;
  readonly config: ProjectConfig;
  /** The project's rules as they are used (`rule-blocks.ts`): `AGENTS.md`, style notes, forbidden words. */
  readonly rules?: readonly PromptBlock[];
  /** Blocks between the project's rules and the facts: card material, constant lore. */
  readonly material?: readonly PromptBlock[];
}

/** The system message: rules, the project's rules, material, facts. The same bytes for as long as its inputs are the same. */
export function agentSystem(input: SystemInput): BuiltMessage {
  const { assets, config } = input;
  const rules: PromptBlock = {
    kind: 'rules',
    title: 'rules',
    source: `prompts/${config.language}/agent.md`,
    text: assets.agentRules,
  };
  return systemMessage([rules, ...(input.rules ?? []), ...(input.material ?? []), factsBlock(config, assets.texts)]);
}

function factsBlock(config: ProjectConfig, texts: AgentTexts): PromptBlock {
  const folders = config.folders.texts.map((path) => fill(texts.folder, { path })).join(texts.folderJoin);
  return {
    kind: 'facts',
    title: 'facts',
    source: 'project.json',
    text: fill(texts.facts, { title: config.title, manuscript: config.folders.manuscript, texts: folders }),
  };
}

export interface StateInput {
  readonly texts: AgentTexts;
  readonly folder: string;
  /** In order. */
  readonly chapters: readonly Chapter[];
  /** `undefined`: the agent has not looked yet, or nothing changed. */
  readonly authorChanges?: readonly AuthorChange[];
  /** What became of earlier proposals. */
  readonly review?: ReviewNews;
  /** Blocks that come before the list of chapters: summary, world state, roster. */
  readonly world?: readonly PromptBlock[];
  /** What the program asks on the author's behalf; it comes last. */
  readonly task?: readonly PromptBlock[];
}

/** What is put before the author's words, frozen for the whole turn. */
export function stateBlocks(input: StateInput): readonly PromptBlock[] {
  const outline: PromptBlock = {
    kind: 'outline',
    title: input.texts.outline,
    source: `${input.folder}/`,
    text: `${input.texts.outline}\n${outlineLines(input).join('\n')}`,
  };
  const changes: readonly PromptBlock[] =
    input.authorChanges === undefined || input.authorChanges.length === 0
      ? []
      : [
          {
            kind: 'author-changes',
            title: input.texts.changes,
            source: 'checkpoints',
            text: renderAuthorChanges(input.authorChanges, input.texts),
          },
        ];
  const news: readonly PromptBlock[] =
    input.review === undefined || input.review.notes.length + input.review.pending.length === 0
      ? []
      : [{ kind: 'review', title: input.texts.review, source: 'review', text: renderReviewNews(input.review, input.texts) }];
  return [...(input.world ?? []), outline, ...changes, ...news, ...(input.task ?? [])];
}

const MOST_CHAPTER_LINES = 60;
const NEWEST = 20;

function outlineLines({ texts, folder, chapters }: StateInput): readonly string[] {
  const total = fill(texts.outlineTotal, { folder, files: chapters.length, words: sumOf(chapters) });
  if (chapters.length <= MOST_CHAPTER_LINES) return [total, ...chapters.map((chapter) => chapterLine(chapter, texts))];

  const newest = new Set(
    chapters
      .map((chapter, at) => ({ chapter, at }))
      .sort((a, b) => b.chapter.mtime - a.chapter.mtime || b.at - a.at)
      .slice(0, NEWEST)
      .map(({ chapter }) => chapter),
  );
  const rest = chapters.filter((chapter) => !newest.has(chapter));
  const volumes = byVolume(rest);
  const room = MOST_CHAPTER_LINES - NEWEST;
  const named = volumes.size > room ? room - 1 : volumes.size;
  const volumeLines = [...volumes].slice(0, named).map(([volume, inside]) =>
    fill(texts.outlineVolume, {
      path: volume === '' ? folder : `${folder}/${volume}`,
      files: inside.length,
      words: sumOf(inside),
    }),
  );
  const others = [...volumes.values()].slice(named);
  const othersLine =
    others.length === 0
      ? []
      : [fill(texts.outlineOthers, { volumes: others.length, files: others.flat().length, words: sumOf(others.flat()) })];
  return [
    total,
    ...volumeLines,
    ...othersLine,
    ...chapters.filter((chapter) => newest.has(chapter)).map((chapter) => chapterLine(chapter, texts)),
  ];
}

function byVolume(chapters: readonly Chapter[]): ReadonlyMap<string, readonly Chapter[]> {
  const volumes = new Map<string, Chapter[]>();
  for (const chapter of chapters) {
    const inside = volumes.get(chapter.volume);
    if (inside === undefined) volumes.set(chapter.volume, [chapter]);
    else inside.push(chapter);
  }
  return volumes;
}

function chapterLine(chapter: Chapter, texts: AgentTexts): string {
  return fill(texts.outlineLine, { path: chapter.path, words: chapter.words, time: localTime(chapter.mtime) });
}

function sumOf(chapters: readonly Chapter[]): number {
  return chapters.reduce((sum, chapter) => sum + chapter.words, 0);
}

/** `YYYY-MM-DD HH:MM` in the machine's time zone. */
export function localTime(ms: number): string {
  const at = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
