import { html, type PropertyDeclarations, type TemplateResult } from 'lit';
import { LightElement, define } from '../shared/element';
import { createEnterHandler } from '../shared/ime';
import type { ChatContext } from './context';

/** A title being changed in the list. Fires `liyuan-renamed` with the new one, or with nothing when it was given up; blank is giving up. */
class SessionRenameElement extends LightElement {
  static override properties: PropertyDeclarations = { context: { attribute: false }, value: { attribute: false } };
  declare context: ChatContext;
  declare value: string;
  #done = false;

  readonly #keys = createEnterHandler({
    enter: () => { this.#end(this.querySelector('input')?.value.trim()); },
    escape: () => { this.#end(undefined); },
    // Arrows and Delete are the box's own.
    other: (event) => { event.stopPropagation(); },
  });

  protected override firstUpdated(): void {
    const box = this.querySelector('input');
    box?.focus();
    box?.select();
  }

  protected override render(): TemplateResult {
    return html`<input
      type="text"
      class="field session-title-box"
      .value=${this.value}
      aria-label=${this.context.words.t('header.renameLabel')}
      @keydown=${this.#keys.keydown}
      @compositionstart=${this.#keys.compositionstart}
      @compositionend=${this.#keys.compositionend}
      @blur=${() => { this.#end(this.querySelector('input')?.value.trim()); }}
    />`;
  }

  #end(title: string | undefined): void {
    if (this.#done) return;
    this.#done = true;
    this.dispatchEvent(new CustomEvent('liyuan-renamed', { detail: title === '' ? null : (title ?? null) }));
  }
}

define('liyuan-session-rename', SessionRenameElement);
