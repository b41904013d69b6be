import type { LitElement } from 'lit';
import { createEnterHandler } from '../shared/ime';

/** What a button of an element opens over the page. It closes with a press anywhere else. */
export interface Popup {
  readonly open: boolean;
  readonly show: () => void;
  /** The focus that the element had goes back to the button. May be called when it is closed. */
  readonly close: () => void;
  /** For what is open: Escape closes it. */
  readonly keydown: (event: KeyboardEvent) => void;
}

/** `opener`: the button, as a selector within `host`. */
export function createPopup(host: LitElement, opener: string): Popup {
  let open = false;
  const outside = (event: Event): void => {
    if (!event.composedPath().includes(host)) close();
  };
  const unlisten = (): void => { document.removeEventListener('pointerdown', outside, true); };
  const turn = (next: boolean): void => {
    open = next;
    host.requestUpdate();
  };

  function close(): void {
    const hadFocus = host.contains(document.activeElement);
    turn(false);
    unlisten();
    if (hadFocus) host.querySelector<HTMLElement>(opener)?.focus();
  }

  host.addController({ hostDisconnected: unlisten });
  return {
    get open() {
      return open;
    },
    show: () => {
      turn(true);
      document.addEventListener('pointerdown', outside, true);
    },
    close,
    keydown: createEnterHandler({ escape: close }).keydown,
  };
}
