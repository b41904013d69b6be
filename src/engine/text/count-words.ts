import { frontMatterEnd } from './front-matter';

const enum Kind {
  /** Not classified yet. */
  Unknown = 0,
  None = 1,
  Space = 2,
  /** Counts one by itself: Han, kana, hangul, full-width marks. */
  Wide = 3,
  /** Part of a run: letters, digits, marks on them. */
  Run = 4,
  /** A mark that is full-width in Chinese text and narrow in Latin text: “ ” ‘ ’ — … · */
  Either = 5,
}

const kinds = new Uint8Array(0x10000);

/** Inclusive ranges that count one per character. */
const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f], // leading hangul jamo
  [0x2e80, 0x2fdf], // radicals
  [0x3001, 0x3029],
  [0x3030, 0x303f],
  [0x3041, 0x3096],
  [0x309b, 0x318f], // kana, bopomofo, hangul letters
  [0x31a0, 0x31ff],
  [0x3200, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf], // Han, Yi
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6b],
  [0xff01, 0xff0f],
  [0xff1a, 0xff20],
  [0xff3b, 0xff40],
  [0xff5b, 0xff9d],
  [0xffa0, 0xffdc],
  [0xffe0, 0xffe6],
];
const eitherMarks = '\u2013\u2014\u2015\u2018\u2019\u201c\u201d\u2025\u2026\u22ef\u00b7\u203b';
const letter = /[\p{L}\p{N}\p{M}]/u;
const space = /\s/;

function kindOf(code: number): Kind {
  const known = kinds[code] as Kind;
  if (known !== Kind.Unknown) return known;
  const char = String.fromCharCode(code);
  let kind = Kind.None;
  if (wideRanges.some(([from, to]) => code >= from && code <= to)) kind = Kind.Wide;
  else if (eitherMarks.includes(char)) kind = Kind.Either;
  else if (space.test(char)) kind = Kind.Space;
  // Sound marks and joining vowels belong to the character before them.
  else if (code === 0x3099 || code === 0x309a || code === 0xff9e || code === 0xff9f || (code >= 0xfe00 && code <= 0xfe0f)) kind = Kind.None;
  else if ((code >= 0x1160 && code <= 0x11ff) || (code >= 0xd7b0 && code <= 0xd7ff) || (code >= 0x302a && code <= 0x302f)) kind = Kind.None;
  else if (letter.test(char)) kind = Kind.Run;
  kinds[code] = kind;
  return kind;
}

const lineMarks = /[ \t\u3000]*(?:>[ \t]?)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)?/y;
const destination = /\]\((?:<[^<>\n]*>|[^\s()]*)(?:[ \t]+"[^"\n]*")?\)/y;
const htmlTag = /<\/?[A-Za-z][^<>\n]{0,200}>/y;
const entity = /&(?:[A-Za-z]{2,8}|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});/y;

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

const isAsciiDigit = (code: number): boolean => code >= 48 && code <= 57;

/**
 * 字数, as Word counts it: each Han, kana or hangul character and each full-width punctuation mark is one; each run of letters
 * or digits is one (an apostrophe between letters and a point or comma between digits stay inside it). White space, half-width
 * marks, emoji, front matter and markdown (list marks, link targets, tags, comments, entities) are none. Curly quotes, dashes,
 * ellipses and the middle dot are full-width marks unless they stand among Latin text only.
 */
export function countWords(text: string): number {
  const length = text.length;
  let at = frontMatterEnd(text);
  let count = 0;
  let lineStart = true;
  /** The last thing seen that was not white space, for marks that depend on their neighbours. */
  let before: Kind = Kind.Unknown;
  const marks: Marks = { noCommentEnd: false, ahead: -1, wide: false };
  while (at < length) {
    const code = text.charCodeAt(at);
    if (lineStart) {
      lineStart = false;
      if (code < 0x80 || code === 0x3000) {
        const next = skip(lineMarks, text, at);
        if (next > at) {
          at = next;
          continue;
        }
      }
    }
    if (code >= 0xd800 && code <= 0xdbff) {
      if ((code >= 0xd840 && code <= 0xd8bf) || code === 0xd82c) {
        count += 1;
        before = Kind.Wide;
      }
      at += 2;
      continue;
    }
    switch (kindOf(code)) {
      case Kind.Wide:
        count += 1;
        before = Kind.Wide;
        at += 1;
        break;
      case Kind.Space:
        if (code === 10 || code === 13) lineStart = true;
        at += 1;
        break;
      case Kind.Run:
        at = endOfRun(text, at + 1);
        count += 1;
        before = Kind.Run;
        break;
      case Kind.Either: {
        let end = at + 1;
        while (end < length && kindOf(text.charCodeAt(end)) === Kind.Either) end += 1;
        if (before === Kind.Wide || isWideAhead(text, end, before === Kind.Unknown, marks)) {
          count += end - at;
          before = Kind.Wide;
        } else before = Kind.None;
        at = end;
        break;
      }
      default: {
        const next = skipMarkup(text, at, code, marks);
        if (next > at) at = next;
        else {
          before = Kind.None;
          at += 1;
        }
      }
    }
  }
  return count;
}

/** What has been looked for ahead, so that nothing is looked for twice. */
interface Marks {
  /** No comment ends from here on. */
  noCommentEnd: boolean;
  /** The next thing that is neither white space nor a mark that depends on its neighbours stands here, and whether it is full-width. */
  ahead: number;
  wide: boolean;
}

function endOfRun(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (kindOf(code) === Kind.Run) at += 1;
    else if ((code === 0x27 || code === 0x2019) && kindOf(text.charCodeAt(at + 1) || 0) === Kind.Run) at += 1;
    else if ((code === 0x2e || code === 0x2c) && isAsciiDigit(text.charCodeAt(at - 1)) && isAsciiDigit(text.charCodeAt(at + 1))) at += 1;
    else break;
  }
  return at;
}

/** Whether what follows is full-width; `alone` is the answer when nothing follows at all. */
function isWideAhead(text: string, from: number, alone: boolean, marks: Marks): boolean {
  if (from > marks.ahead) {
    let at = from;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const kind = kindOf(code);
      if (kind === Kind.Space || kind === Kind.Either) continue;
      marks.wide = kind === Kind.Wide || (code >= 0xd840 && code <= 0xd8bf);
      break;
    }
    marks.ahead = at;
  }
  return marks.ahead >= text.length ? alone : marks.wide;
}

function skipMarkup(text: string, at: number, code: number, marks: Marks): number {
  if (code === 0x5d) return skip(destination, text, at);
  if (code === 0x26) return skip(entity, text, at);
  if (code !== 0x3c) return at;
  if (text.startsWith('<!--', at)) {
    const end = marks.noCommentEnd ? -1 : text.indexOf('-->', at + 4);
    marks.noCommentEnd ||= end === -1;
    return end === -1 ? at : end + 3;
  }
  return skip(htmlTag, text, at);
}
