import { LitElement } from 'lit';

/**
 * Base of our elements: they render into the document itself, so that one style sheet, the icon font, find-in-page and
 * text selection reach everything. Defaults are set in constructors; fields are declared, never initialised, because an
 * initialised field would hide Lit's accessor.
 */
export class LightElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** Registers once; a second call with the same name is ignored (a bundle may be evaluated again by a reload). */
export function define(name: string, element: CustomElementConstructor): void {
  if (!customElements.get(name)) customElements.define(name, element);
}
