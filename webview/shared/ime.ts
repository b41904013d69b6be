/**
 * The one place that decides whether a key press is really the key, and not a part of composing a word with an input method.
 * Every input that does something on Enter or Escape goes through here.
 */

/** WebKit ends the composition first and then reports the very key press that ended it; both come from one event. */
const sameKeyPressMs = 20;

export interface EnterHandler {
  readonly keydown: (event: KeyboardEvent) => void;
  readonly compositionstart: (event: Event) => void;
  readonly compositionend: (event: Event) => void;
}

export interface EnterActions {
  /** Enter without Shift, or Ctrl/Cmd+Enter. */
  enter?(event: KeyboardEvent): void;
  /** `false`: there was nothing to do, and the key goes on to others. */
  escape?(event: KeyboardEvent): unknown;
  /** Any other key press that is not part of a composition. */
  other?(event: KeyboardEvent): void;
}

/**
 * Listeners for one input. Enter counts when it is pressed without Shift, outside a composition: not while `isComposing`, not
 * with key code 229 (the key went to the input method), and not with the key press that has just ended a composition.
 * A handled Enter or Escape is prevented and goes no further, so that the workbench does not act on it too.
 */
export function createEnterHandler(actions: EnterActions): EnterHandler {
  let composing = false;
  let endedAt = Number.NEGATIVE_INFINITY;
  const isPartOfComposition = (event: KeyboardEvent): boolean =>
    composing || event.isComposing || event.keyCode === 229 || event.timeStamp - endedAt < sameKeyPressMs;
  return {
    compositionstart: () => {
      composing = true;
    },
    compositionend: (event) => {
      composing = false;
      endedAt = event.timeStamp;
    },
    keydown: (event) => {
      if (isPartOfComposition(event)) return;
      if (event.key === 'Enter' && !event.shiftKey && !event.altKey && actions.enter) {
        event.preventDefault();
        event.stopPropagation();
        actions.enter(event);
      } else if (event.key === 'Escape' && actions.escape) {
        if (actions.escape(event) === false) return;
        event.preventDefault();
        event.stopPropagation();
      } else {
        actions.other?.(event);
      }
    },
  };
}

/** True when the key press goes to something that takes text, so that single keys must not be shortcuts. Looks into open shadow roots. */
export function isTyping(event: Event): boolean {
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return false;
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target.isContentEditable;
}
