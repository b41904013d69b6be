/** What an answer holds of texts that are offered, and what it says beside them. */
export interface Candidates {
  /** Each without the line ends next to its tags; the last one may still be growing. */
  readonly texts: readonly string[];
  /** The words outside the tags. */
  readonly remark: string;
}

const OPEN = '<draft>';
const CLOSE = '</draft>';

/** The length of the beginning of `tag` that `text` ends in: what may still become the tag. */
function halfTag(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(tag.slice(0, length))) return length;
  }
  return 0;
}

const trimmed = (text: string): string => text.replace(/^(?:[ \t]*\r?\n)+/, '').replace(/(?:\r?\n[ \t]*)+$/, '');

/**
 * Reads `<draft>…</draft>` out of an answer, also while it is still arriving (`done` false): half a tag at its end is not shown, and what
 * stands outside the tags is a remark. A whole answer without any tag is one candidate by itself.
 */
export function readCandidates(answer: string, done: boolean): Candidates {
  const texts: string[] = [];
  let remark = '';
  let at = 0;
  for (;;) {
    const open = answer.indexOf(OPEN, at);
    if (open < 0) {
      const rest = answer.slice(at);
      remark += done ? rest : rest.slice(0, rest.length - halfTag(rest, OPEN));
      break;
    }
    remark += answer.slice(at, open);
    const from = open + OPEN.length;
    const close = answer.indexOf(CLOSE, from);
    // The next candidate begins although this one was not ended.
    const next = answer.indexOf(OPEN, from);
    if (close < 0 || (next >= 0 && next < close)) {
      if (next >= 0) {
        texts.push(trimmed(answer.slice(from, next)));
        at = next;
        continue;
      }
      const rest = answer.slice(from);
      texts.push(trimmed(done ? rest : rest.slice(0, rest.length - halfTag(rest, CLOSE))));
      break;
    }
    texts.push(trimmed(answer.slice(from, close)));
    at = close + CLOSE.length;
  }
  const words = remark.trim();
  if (texts.length === 0 && done && words !== '') return { texts: [trimmed(remark)], remark: '' };
  return { texts: texts.filter((text, index) => text !== '' || index === texts.length - 1), remark: words };
}
