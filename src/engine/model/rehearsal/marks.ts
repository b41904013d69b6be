/** Words with their quotes, titles and paths replaced by marks `⟦q0⟧`, `⟦t1⟧`, `⟦p2⟧`, so that patterns see the sentence only. */
export interface MarkedWords {
  readonly text: string;
  /** What a mark stands for, without its quotes. */
  value(mark: string): string;
  /** Marks put back as they were written. */
  restore(text: string): string;
}

export const QUOTE = '⟦q\\d+⟧';
export const TITLE = '⟦t\\d+⟧';
export const PATH = '⟦p\\d+⟧';

const QUOTED = [
  '「((?:[^「」]|「[^「」]*」)*)」',
  '『([^『』]*)』',
  '“([^“”]*)”',
  '"([^"\\n]*)"',
  '‘([^‘’]*)’',
  "(?<![\\p{L}\\p{N}])'([^'\\n]+)'(?![\\p{L}\\p{N}])",
];
const NAMED = '《([^《》]+)》';
/** A verb written against a path, as Chinese does, does not belong to it. */
const PATHS = '(?:读一下|读|看看|看|打开|把|将|在|删除|删掉|重命名)?([^\\s「」『』“”"《》⟦⟧，。；：、！？,;:!?()（）]+\\.(?:md|txt|json|yaml))(?![A-Za-z0-9])';
const PATTERN = new RegExp([...QUOTED, NAMED, PATHS].join('|'), 'gu');

export function markWords(words: string): MarkedWords {
  const found: { readonly value: string; readonly written: string }[] = [];
  const text = words.replace(PATTERN, (whole: string, ...rest: readonly unknown[]) => {
    const groups = rest.slice(0, QUOTED.length + 2) as readonly (string | undefined)[];
    const at = groups.findIndex((group) => group !== undefined);
    const value = groups[at] ?? '';
    const isPath = at === QUOTED.length + 1;
    const kind = isPath || /\.(?:md|txt|json|yaml)$/.test(value) ? 'p' : at === QUOTED.length ? 't' : 'q';
    const before = isPath ? whole.slice(0, whole.length - value.length) : '';
    found.push({ value, written: whole.slice(before.length) });
    return `${before}⟦${kind}${String(found.length - 1)}⟧`;
  });
  const lookUp = (mark: string): { readonly value: string; readonly written: string } | undefined => found[Number(mark.slice(2, -1))];
  return {
    text,
    value: (mark) => lookUp(mark)?.value ?? '',
    restore: (part) => part.replace(/⟦[qtp]\d+⟧/g, (mark) => lookUp(mark)?.written ?? ''),
  };
}
