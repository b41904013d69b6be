/** One sentence of a chapter in other words. */
export interface Rewrite {
  readonly chapter: string;
  readonly old: string;
  readonly fresh: string;
}

/** What `turns` turns change, chapter by chapter and round again; each finds what those before it have left. */
export function rewrites(files: Readonly<Record<string, Uint8Array>>, turns: number): readonly Rewrite[] {
  const chapters = Object.keys(files).filter((name) => name.startsWith('正文/')).sort();
  const texts = new Map(chapters.map((name) => [name, Buffer.from(files[name] ?? []).toString('utf8')]));
  return Array.from({ length: turns }, (_, turn) => {
    const chapter = chapters[turn % chapters.length] ?? '';
    const text = texts.get(chapter) ?? '';
    const old = sentenceOf(text);
    const fresh = `${old.slice(0, -1)}，第${turn + 1}稿。`;
    texts.set(chapter, text.replace(old, fresh));
    return { chapter, old, fresh };
  });
}

/** The first sentence of a chapter that occurs once in it. */
function sentenceOf(text: string): string {
  const found = [...text.matchAll(/[^。\n#]{8,40}。/g)].map(([sentence]) => sentence).find((sentence) => text.split(sentence).length === 2);
  if (found === undefined) throw new Error('a chapter has no sentence of its own');
  return found;
}
