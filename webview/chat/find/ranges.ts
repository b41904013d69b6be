const blocks = 'p, li, td, th, pre, h1, h2, h3, h4, h5, h6, dt, dd, del, ins, div, summary, .tool-title, .tool-note, .file-base, .file-folder, .thinking-text';
/** Words of the program itself, which the reader does not look for. */
const skipped = '.row-actions, .variants, .buttons, .thinking-label, .thinking-length, .thinking-summary, .sr-only, .tool-section > h4, liyuan-copy, .card-head, kbd, .hint, .file-counts';

interface Piece {
  readonly node: Text;
  readonly start: number;
}

/** The places in a row, as it is drawn, where the pattern matches; words may run over several elements of one block. */
export function rangesIn(row: Element, pattern: RegExp): readonly Range[] {
  const pieces: Piece[] = [];
  let text = '';
  let block: Element | null = null;
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!(node instanceof Text) || !parent || parent.closest(skipped)) continue;
    const own = parent.closest(blocks);
    if (own !== block) text += '\n';
    block = own;
    pieces.push({ node, start: text.length });
    text += node.data;
  }
  const place = (offset: number): readonly [Text, number] | undefined => {
    const piece = pieces.findLast(({ start }) => start <= offset);
    return piece && [piece.node, Math.min(offset - piece.start, piece.node.length)];
  };
  const ranges: Range[] = [];
  for (const match of text.matchAll(pattern)) {
    const from = place(match.index);
    // The end belongs to the piece of the last character, not to the one after it.
    const last = place(match.index + match[0].length - 1);
    if (!from || !last) continue;
    const range = document.createRange();
    range.setStart(...from);
    range.setEnd(last[0], Math.min(last[1] + 1, last[0].length));
    ranges.push(range);
  }
  return ranges;
}

/** Opens what is folded in a row: thinking, the details of a step, long values, many files, partial text. */
export async function unfold(row: Element): Promise<void> {
  for (const element of row.querySelectorAll<HTMLElement & { open?: boolean; updateComplete?: Promise<unknown> }>('liyuan-assistant, liyuan-tool')) {
    element.open = true;
    await element.updateComplete;
  }
  for (const details of row.querySelectorAll('details')) details.open = true;
  for (const more of row.querySelectorAll<HTMLElement>('.value-more, .files-more')) more.click();
  await new Promise((resolve) => { requestAnimationFrame(resolve); });
}

/** Scrolls to a place: each box around it that scrolls by itself, then the conversation, where the box to find words covers the top. */
export function bringIntoView(place: Range | Element, scroller: HTMLElement): void {
  const start = place instanceof Range ? place.startContainer.parentElement : place.parentElement;
  for (let box = start; box && box !== scroller; box = box.parentElement) {
    if (box.scrollHeight <= box.clientHeight + 1 || getComputedStyle(box).overflowY === 'visible') continue;
    const inner = box.getBoundingClientRect();
    const at = place.getBoundingClientRect();
    if (at.top < inner.top || at.bottom > inner.bottom) box.scrollTop += at.top - inner.top - inner.height / 3;
  }
  const view = scroller.getBoundingClientRect();
  const at = place.getBoundingClientRect();
  if (at.top < view.top + 40 || at.bottom > view.bottom - 20) scroller.scrollTop += at.top - view.top - view.height / 3;
}
