export interface QuoteEdit {
  readonly old: string;
  readonly new: string;
}

/**
 * Edits that replace every `old` in a text, one per line that has any, each quoting enough of its line to occur only once in the text.
 * `undefined` when two such lines are alike. The text may be whole, or only the lines that contain `old`: no other line can contain
 * a quote that does.
 */
export function uniqueEdits(text: string, old: string, replacement: string): readonly QuoteEdit[] | undefined {
  const edits: QuoteEdit[] = [];
  for (const line of text.split('\n')) {
    const first = line.indexOf(old);
    if (first === -1) continue;
    const quote = uniqueQuote(line, first, line.lastIndexOf(old) + old.length, text);
    if (quote === undefined) return undefined;
    edits.push({ old: quote, new: quote.replaceAll(old, () => replacement) });
  }
  return edits;
}

/** One edit over all lines from the first to the last that contains `old`; for texts in which those lines repeat. */
export function blockEdit(text: string, old: string, replacement: string): QuoteEdit | undefined {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.includes(old));
  if (first === -1) return undefined;
  const block = lines.slice(first, lines.findLastIndex((line) => line.includes(old)) + 1).join('\n');
  return { old: block, new: block.replaceAll(old, () => replacement) };
}

/** `[start, end)` of the line, widened to both sides until it occurs once in the text; never through a surrogate pair. */
function uniqueQuote(line: string, start: number, end: number, text: string): string | undefined {
  let from = start;
  let to = end;
  for (;;) {
    if (isLowSurrogate(line, from)) from -= 1;
    if (isLowSurrogate(line, to)) to += 1;
    const quote = line.slice(from, to);
    if (text.indexOf(quote, text.indexOf(quote) + 1) === -1) return quote;
    if (from === 0 && to === line.length) return undefined;
    from = Math.max(0, from - 1);
    to = Math.min(line.length, to + 1);
  }
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff;
}
