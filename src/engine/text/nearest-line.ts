/** How often each pair of neighbouring characters stands in a text. */
function pairs(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (let at = 0; at + 1 < text.length; at += 1) {
    const pair = text.slice(at, at + 2);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return counts;
}

/**
 * The line of `text` (LF) that is most like the longest line of `quote`, by shared character pairs; `line` counts from 1.
 * `undefined` when no line has words.
 */
export function nearestLine(text: string, quote: string): { readonly line: number; readonly text: string } | undefined {
  const wanted = quote.split('\n').map((line) => line.trim()).reduce((a, b) => (b.length > a.length ? b : a), '');
  const profile = pairs(wanted);
  let best: { line: number; text: string; score: number } | undefined;
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '') continue;
    let shared = 0;
    const left = new Map(profile);
    for (let at = 0; at + 1 < line.length; at += 1) {
      const pair = line.slice(at, at + 2);
      const count = left.get(pair) ?? 0;
      if (count > 0) {
        shared += 1;
        left.set(pair, count - 1);
      }
    }
    // Mostly: how much of the quote is here; a little: how much else the line has.
    const score = shared / Math.max(1, wanted.length - 1) - line.length * 1e-6;
    if (best === undefined || score > best.score) best = { line: index + 1, text: line, score };
  }
  return best === undefined ? undefined : { line: best.line, text: best.text };
}
