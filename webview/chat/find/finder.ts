import { html, nothing, type LitElement, type TemplateResult } from 'lit';
import type { ChatController } from '../controller';
import './find-bar';
import type { FindBarElement, FindPlace } from './find-bar';

/** The part of the view that opens and closes the box to find words; VS Code has no find of its own in a view. */
export interface Finder {
  /** Opens the box, or goes back to it; one line that is selected is looked for. */
  open(): void;
  /** For the document: Ctrl+F or Cmd+F. */
  readonly keydown: (event: KeyboardEvent) => void;
  template(controller: ChatController): TemplateResult | typeof nothing;
}

export function createFinder(app: LitElement & { readonly controller: ChatController | undefined }, place: FindPlace): Finder {
  let shown = false;
  let from: Element | null = null;

  const open = (): void => {
    const selected = getSelection()?.toString().trim() ?? '';
    if (!shown) from = document.activeElement;
    shown = true;
    app.requestUpdate();
    void app.updateComplete.then(async () => {
      const bar = app.querySelector<FindBarElement>('liyuan-find');
      await bar?.updateComplete;
      bar?.begin(selected.includes('\n') ? '' : selected);
    });
  };

  const close = (): void => {
    shown = false;
    app.requestUpdate();
    if (from instanceof HTMLElement && from.isConnected && from !== document.body) from.focus({ preventScroll: true });
    else place.scroller()?.focus({ preventScroll: true });
  };

  return {
    open,
    keydown: (event) => {
      if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      if (app.controller?.link !== 'ready' || app.controller.conversation.items.length === 0) return;
      event.preventDefault();
      event.stopPropagation();
      open();
    },
    template: ({ context, conversation, revision }) =>
      shown
        ? html`<liyuan-find .context=${context} .items=${conversation.items} .revision=${revision} .place=${place} @liyuan-close=${close}></liyuan-find>`
        : nothing,
  };
}
