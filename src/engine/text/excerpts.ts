import { frontMatterEnd } from './front-matter';

/** The end of a text, at least `least` UTF-16 units where it has them, from the beginning of a paragraph. Comments are left out. */
export function textEnd(text: string, least: number): { readonly text: string; readonly cut: boolean } {
  const body = text.slice(frontMatterEnd(text)).replaceAll('\r\n', '\n').replace(/<!--[\s\S]*?-->/g, '').replace(/\n{3,}/g, '\n\n').trim();
  if (body.length <= least) return { text: body, cut: false };
  const from = body.length - least;
  const paragraph = body.lastIndexOf('\n', from);
  // A paragraph that begins far before is cut where a sentence ends.
  const sentence = /[。！？!?…]['"”’」』]*\s*/u;
  if (paragraph !== -1 && from - paragraph <= least) return { text: body.slice(paragraph + 1), cut: paragraph > 0 };
  const tail = body.slice(from);
  const at = sentence.exec(tail);
  return { text: at === null ? tail : tail.slice(at.index + at[0].length) || tail, cut: true };
}

/**
 * What of an outline stands near the story's place, at most `most` UTF-16 units of whole lines: all of it when it is short; else its head
 * line, then the lines around the last one that names one of `near` (the first of them that is named counts), or else its end.
 */
export function outlinePart(text: string, near: readonly string[], most: number): string {
  const body = text.slice(frontMatterEnd(text)).replaceAll('\r\n', '\n').trim();
  if (body.length <= most) return body;
  const lines = body.split('\n');
  const named = near.map((word) => lines.findLastIndex((line) => line.includes(word))).find((line) => line !== -1);
  const at = named ?? lines.length - 1;
  let [from, to] = [at, at + 1];
  let size = (lines[at] ?? '').length;
  // A third of the room looks back, the rest ahead.
  const grow = (limit: number, next: () => number | undefined, take: (line: number) => void): void => {
    for (let line = next(); line !== undefined && size + (lines[line] ?? '').length + 1 <= limit; line = next()) {
      size += (lines[line] ?? '').length + 1;
      take(line);
    }
  };
  const back = (): number | undefined => (from > 0 ? from - 1 : undefined);
  const ahead = (): number | undefined => (to < lines.length ? to : undefined);
  grow(Math.floor(most / 3), back, (line) => { from = line; });
  grow(most, ahead, (line) => { to = line + 1; });
  grow(most, back, (line) => { from = line; });
  return [...(from > 0 ? ['…'] : []), ...lines.slice(from, to), ...(to < lines.length ? ['…'] : [])].join('\n').slice(0, most + 4);
}
