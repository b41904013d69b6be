import { frontMatterEnd } from './front-matter';

const heading = /^#[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$/;
const numberPrefix = /^[0-9０-９]+(?:[-_.、][0-9０-９]+)*(?:[-_.、\s—－]+)(?=\S)/;

/** The text of a chapter's `# ` heading, when that is its first non-blank line (after front matter). */
export function headingOf(text: string): string | undefined {
  let at = frontMatterEnd(text);
  if (at === 0 && text.charCodeAt(0) === 0xfeff) at = 1;
  while (at < text.length) {
    const newline = text.indexOf('\n', at);
    const line = text.slice(at, newline === -1 ? text.length : newline).replace(/\r$/, '');
    if (line.trim() !== '') return heading.exec(line)?.[1]?.trim();
    if (newline === -1) return undefined;
    at = newline + 1;
  }
  return undefined;
}

/** The name in `001-雨夜.md` without number prefix and extension; the whole name when nothing else is left. */
export function titleFromFileName(path: string): string {
  const name = (path.split('/').at(-1) ?? path).replace(/\.(?:md|txt)$/i, '');
  return name.replace(numberPrefix, '');
}

/** A chapter's title: its first `# ` heading if that is the first non-blank line, else the file name without its number. */
export function titleOf(path: string, text: string): string {
  return headingOf(text) ?? titleFromFileName(path);
}
