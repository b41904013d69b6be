import { html, type PropertyDeclarations, type TemplateResult } from 'lit';
import { LightElement, define } from './element';
import { icon } from './icons';

export interface CopyLabels {
  readonly copy: string;
  readonly copied: string;
  readonly failed: string;
}

const shownForMs = 1600;
const glyphs = { rest: 'copy', copied: 'check', failed: 'error' } as const;

/** A small button that copies a text and says for a moment whether it worked. */
export class CopyElement extends LightElement {
  static override properties: PropertyDeclarations = { text: { attribute: false }, labels: { attribute: false }, state: { state: true } };
  declare text: string | (() => string);
  declare labels: CopyLabels;
  declare state: keyof typeof glyphs;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.text = '';
    this.labels = { copy: 'Copy', copied: 'Copied', failed: 'Could not copy' };
    this.state = 'rest';
  }

  protected override render(): TemplateResult {
    const { copy, copied, failed } = this.labels;
    const label = { rest: copy, copied, failed }[this.state];
    return html`<button type="button" class="icon-button copy" title=${label} aria-label=${label} @click=${this.#copy}>${icon(glyphs[this.state])}</button>`;
  }

  readonly #copy = (): void => {
    const text = typeof this.text === 'string' ? this.text : this.text();
    navigator.clipboard.writeText(text).then(
      () => { this.#show('copied'); },
      (error: unknown) => {
        console.warn('copy failed', error);
        this.#show('failed');
      },
    );
  };

  #show(state: 'copied' | 'failed'): void {
    this.state = state;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => { this.state = 'rest'; }, shownForMs);
  }
}

define('liyuan-copy', CopyElement);
