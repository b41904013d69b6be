import type { FileChange } from '../manuscript/checkpoints';
import type { Mention } from '../session/mentions';
import type { AgentTexts } from './assets';
import { fill } from './assets';
import { headLine } from './author-changes';

/** A mention and what is known of it now; `undefined` where it is not there any more, or cannot be read. */
export type Mentioned =
  | { readonly kind: 'file'; readonly path: string; readonly known: { readonly words: number; readonly title: string } | undefined }
  | { readonly kind: 'selection'; readonly mention: Extract<Mention, { readonly kind: 'selection' }> }
  | { readonly kind: 'checkpoint'; readonly title: string; readonly time: string; readonly changes: readonly FileChange[] | undefined };

const MOST_FILES = 40;

/** 【提到的内容】: of a file where it is and how long, of a selection its words, of a checkpoint what has changed since. No chapter goes in by itself. */
export function renderMentions(mentioned: readonly Mentioned[], texts: AgentTexts): string {
  return [texts.mentions, ...mentioned.flatMap((one) => linesOf(one, texts))].join('\n');
}

function linesOf(one: Mentioned, texts: AgentTexts): readonly string[] {
  switch (one.kind) {
    case 'file': {
      const { path, known } = one;
      return [known === undefined ? fill(texts.mentionGone, { path }) : fill(texts.mentionFile, { path, ...known })];
    }
    case 'selection': {
      const { ref, start, end, text, words } = one.mention;
      const fence = '`'.repeat(Math.max(3, longestTicks(text) + 1));
      const head = fill(start === end ? texts.mentionLine : texts.mentionLines, { path: ref, start, end });
      return [head, fence, text, fence, ...(words === undefined ? [] : [fill(texts.mentionCut, { words })])];
    }
    case 'checkpoint': {
      const { title, time, changes } = one;
      if (changes === undefined) return [fill(texts.mentionNoCheckpoint, { title, time })];
      const head = fill(texts.mentionCheckpoint, { title, time });
      if (changes.length === 0) return [head, texts.mentionUnchanged];
      const more = changes.length - MOST_FILES;
      return [head, ...changes.slice(0, MOST_FILES).map((change) => headLine(change, texts)), ...(more > 0 ? [fill(texts.changesMore, { count: more })] : [])];
    }
  }
}

const longestTicks = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
