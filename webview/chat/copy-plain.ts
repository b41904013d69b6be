/** A selection is copied as the plain words that were selected: no markup, so that it looks the same wherever it is pasted. */
export function copyPlain(event: ClipboardEvent): void {
  const selection = getSelection();
  const { target } = event;
  // In a box the browser copies plain words by itself.
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
  const text = selection?.toString() ?? '';
  if (text === '' || event.clipboardData === null) return;
  event.clipboardData.setData('text/plain', text);
  event.preventDefault();
}
