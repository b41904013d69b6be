/** A note of the author in a chapter: an HTML comment that begins with 注, 待定, todo, fixme or note. */
export interface OpenNote {
  /** UTF-16 offsets of the whole comment; `end` exclusive. */
  readonly start: number;
  readonly end: number;
  /** From 0. */
  readonly line: number;
  /** Its words on one line, without the mark. */
  readonly text: string;
  readonly kind: 'note' | 'todo';
}

const opening = /^\s*(注记|注|批注|备注|待定|待办|todo|fixme|note)(?=[\s:：,，]|$)[\s:：,，]*/iu;
const todoWord = /^(?:待定|待办|todo|fixme)$/iu;

/**
 * The open notes of a text, in order. They are plain text that every editor keeps and no reader of the book sees, and `countWords` counts
 * none of it. A comment without its end is none.
 */
export function findNotes(text: string): readonly OpenNote[] {
  const notes: OpenNote[] = [];
  let line = 0;
  let counted = 0;
  for (let start = text.indexOf('<!--'); start !== -1; ) {
    const close = text.indexOf('-->', start + 4);
    if (close === -1) break;
    const inner = text.slice(start + 4, close);
    const mark = opening.exec(inner);
    if (mark !== null) {
      for (; counted < start; counted += 1) if (text.charCodeAt(counted) === 10) line += 1;
      notes.push({
        start,
        end: close + 3,
        line,
        text: inner.slice(mark[0].length).replace(/\s+/gu, ' ').trim(),
        kind: todoWord.test(mark[1] ?? '') ? 'todo' : 'note',
      });
    }
    start = text.indexOf('<!--', close + 3);
  }
  return notes;
}

/** A note as it is written into a chapter. What would end the comment too early is written apart. */
export function noteText(words: string, language: 'zh' | 'en'): string {
  const safe = words.trim().replace(/-{2,}>?/g, '—');
  return language === 'zh' ? `<!-- 注：${safe} -->` : `<!-- note: ${safe} -->`;
}
