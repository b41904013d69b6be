/** Places at which bytes must not be cut, and are: inside a character, inside `data:`, inside a JSON escape, inside a line end. */
export function awkwardCuts(bytes: Buffer): readonly number[] {
  const cuts = new Set<number>();
  const text = bytes.toString('latin1');
  for (let at = 1; at < bytes.length; at += 1) {
    if (((bytes[at] ?? 0) & 0xc0) === 0x80) cuts.add(at);
  }
  for (const pattern of [/^data:./gm, /\\(?:u[\da-f]{4}|.)/gi, /[\r\n]{2,}/g]) {
    for (const { 0: found, index } of text.matchAll(pattern)) {
      for (let at = index + 1; at < index + found.length; at += 1) cuts.add(at);
    }
  }
  return [...cuts].filter((at) => at > 0 && at < bytes.length).sort((a, b) => a - b);
}

/** The bytes, cut there. */
export function pieces(bytes: Buffer, cuts: readonly number[]): readonly { readonly base64: string }[] {
  const at = [0, ...cuts, bytes.length];
  return at.slice(1).map((end, i) => ({ base64: bytes.subarray(at[i], end).toString('base64') }));
}
