/**
 * Arrow keys in the conversation: from message to message while a message (or the list itself) has the focus. A message
 * taller than the view is scrolled through first.
 */
export function moveBetweenRows(event: KeyboardEvent): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const list = event.currentTarget;
  if (step === 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !(list instanceof HTMLElement)) return;
  const { target } = event;
  if (!(target instanceof HTMLElement) || (target !== list && !target.classList.contains('row'))) return;
  const rows = [...list.querySelectorAll<HTMLElement>('.row:not([hidden])')];
  const view = list.getBoundingClientRect();
  const at = target === list ? (step === 1 ? -1 : rows.length) : rows.indexOf(target);
  if (target !== list) {
    const box = target.getBoundingClientRect();
    const moreToSee = step === 1 ? box.bottom > view.bottom + 1 : box.top < view.top - 1;
    if (moreToSee) return;
  }
  const next = target === list ? nearest(rows, view, step) : rows[at + step];
  if (!next) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'nearest' });
}

/** From the list itself one comes to the message that is seen last (upwards) or first (downwards). */
function nearest(rows: readonly HTMLElement[], view: DOMRect, step: number): HTMLElement | undefined {
  const visible = (row: HTMLElement): boolean => {
    const box = row.getBoundingClientRect();
    return box.bottom > view.top && box.top < view.bottom;
  };
  return step === 1 ? rows.find(visible) : rows.findLast(visible);
}
