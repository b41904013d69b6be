import type { ChatItem } from '../../../src/protocol/chat';
import { splitPath } from '../../shared/format';

/** One place where the wanted words stand: the `nth` (from 0) of its item. */
export interface Hit {
  readonly id: string;
  readonly nth: number;
}

/** More places than this are not counted. */
export const mostHits = 10_000;

/** How long one step of a search may take before the page is let go on, ms. */
const stepMs = 8;

/** What a reader sees of a Markdown text: without its marks. Near enough to find words by. */
export function withoutMarks(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replace(/^ {0,3}(?:#{1,6} +|> ?|[-+*] +)+/gm, '')
    .replace(/\*\*|__|~~|`+|\*(?=\S)|(?<=\S)\*/g, '');
}

/** The strings in a JSON text, one a line; a text that is no JSON is given as it is. */
function stringsIn(json: string): string {
  if (json === '') return '';
  const found: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
    else found.push(String(value));
  };
  try {
    collect(JSON.parse(json));
    return found.join('\n');
  } catch (error) {
    if (error instanceof SyntaxError) return json;
    throw error;
  }
}

/** All words of an item, those of its folded parts too, in the order in which they are seen. */
export function wordsOf(item: ChatItem): string {
  switch (item.kind) {
    case 'user':
    case 'steer':
    case 'notice':
      return item.text;
    case 'assistant':
      return `${item.reasoning}\n${withoutMarks(item.text)}`;
    case 'tool':
      return [item.title, item.note, item.preview ?? '', stringsIn(item.args), stringsIn(item.result)].join('\n');
    case 'ask':
      return [item.question, ...(item.state === 'open' ? item.options : []), item.answer ?? ''].join('\n');
    case 'changes':
    case 'proposal':
      return item.files.map(({ path }) => splitPath(path)).map(({ folder, name }) => `${name}\n${folder.replace(/\/$/, '')}`).join('\n');
    case 'interrupted':
      return item.partial;
    case 'summary':
      return item.text;
  }
}

/** What is looked for: these words, whatever the case of their letters. Blank words look for nothing. */
export function patternOf(wanted: string): RegExp | undefined {
  return wanted.trim() === '' ? undefined : new RegExp(wanted.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu');
}

export interface Search {
  /** Looks through all items, a few at a time, so that the page stays alive; hits in the order of the items. `undefined` when aborted. */
  run(items: readonly ChatItem[], wanted: string, signal: AbortSignal): Promise<readonly Hit[] | undefined>;
}

/** A search that keeps the words of items it has seen, for as long as it is kept itself. */
export function createSearch(pause: () => Promise<void> = () => new Promise((resolve) => { setTimeout(resolve); })): Search {
  const words = new WeakMap<ChatItem, string>();
  const read = (item: ChatItem): string => {
    const known = words.get(item) ?? wordsOf(item);
    words.set(item, known);
    return known;
  };
  return {
    run: async (items, wanted, signal) => {
      const pattern = patternOf(wanted);
      const hits: Hit[] = [];
      if (pattern === undefined) return hits;
      let since = performance.now();
      for (const item of [...items]) {
        if (performance.now() - since > stepMs) {
          await pause();
          if (signal.aborted) return undefined;
          since = performance.now();
        }
        let nth = 0;
        for (const _ of read(item).matchAll(pattern)) {
          hits.push({ id: item.id, nth });
          nth += 1;
          if (hits.length === mostHits) return hits;
        }
      }
      return signal.aborted ? undefined : hits;
    },
  };
}
