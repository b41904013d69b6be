import { frontMatterEnd } from './front-matter';

/** The text of a line `# …`, closing marks and outer spaces left out; by hand, since a pattern would try every split of long white space. */
function headingIn(line: string): string | undefined {
  if (line[0] !== '#' || (line[1] !== ' ' && line[1] !== '\t')) return undefined;
  const text = line.slice(1).trim();
  let end = text.length;
  while (end > 0 && text[end - 1] === '#') end -= 1;
  const closed = end < text.length && end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t');
  const title = closed ? text.slice(0, end).trim() : text;
  return title === '' ? undefined : title;
}
const numberPrefix = /^[0-9０-９]+(?:[-_.、][0-9０-９]+)*(?:[-_.、\s—－]+)(?=\S)/;

/** The text of a chapter's `# ` heading, when that is its first non-blank line (after front matter). */
export function headingOf(text: string): string | undefined {
  let at = frontMatterEnd(text);
  if (at === 0 && text.charCodeAt(0) === 0xfeff) at = 1;
  while (at < text.length) {
    const newline = text.indexOf('\n', at);
    const line = text.slice(at, newline === -1 ? text.length : newline).replace(/\r$/, '');
    if (line.trim() !== '') return headingIn(line);
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
