/**
 * The longest head of `text` that `fits`, of at most `most` UTF-16 units; never ends inside a surrogate pair. Of a head that fits every
 * shorter one must fit too; the empty one always does.
 */
export function longestHead(text: string, fits: (head: string) => boolean, most = text.length): string {
  let low = 0;
  let high = Math.min(text.length, most);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(text.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  const last = text.charCodeAt(low - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? low - 1 : low);
}
