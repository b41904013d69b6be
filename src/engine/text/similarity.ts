/** How often each pair of neighbouring characters stands in a text, folded into a fixed number of bins. */
export interface TextProfile {
  readonly pairs: number;
  readonly bins: Uint16Array;
}

const binCount = 4_096;

export function profileOf(text: string): TextProfile {
  const bins = new Uint16Array(binCount);
  let pairs = 0;
  for (let at = 0; at + 1 < text.length; at += 1) {
    const bin = (text.charCodeAt(at) * 31 + text.charCodeAt(at + 1) * 1_009) & (binCount - 1);
    if ((bins[bin] as number) < 0xffff) {
      bins[bin] = (bins[bin] as number) + 1;
      pairs += 1;
    }
  }
  return { pairs, bins };
}

/** From 0 (nothing in common) to 1: twice the shared character pairs by all pairs. Texts under two characters are like nothing. */
export function similarity(a: TextProfile, b: TextProfile): number {
  if (a.pairs === 0 || b.pairs === 0) return 0;
  let shared = 0;
  for (let bin = 0; bin < binCount; bin += 1) shared += Math.min(a.bins[bin] as number, b.bins[bin] as number);
  return (2 * shared) / (a.pairs + b.pairs);
}
