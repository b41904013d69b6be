import { html, type PropertyDeclarations, type TemplateResult } from 'lit';
import { createEnterHandler } from './ime';
import { LightElement, define } from './element';
import { buttonIcon } from './icons';

/**
 * A button whose action asks once more in place: the first press shows the question with two answers, the second acts. Fires
 * `liyuan-confirm`. Escape, or the other answer, goes back; focus follows.
 */
export class ConfirmButtonElement extends LightElement {
  static override properties: PropertyDeclarations = {
    label: { attribute: false },
    question: { attribute: false },
    yes: { attribute: false },
    no: { attribute: false },
    glyph: { attribute: false },
    disabled: { attribute: false },
    asking: { state: true },
  };
  declare label: string;
  declare question: string;
  declare yes: string;
  declare no: string;
  declare glyph: string;
  declare disabled: boolean;
  declare asking: boolean;

  readonly #keys = createEnterHandler({
    enter: (event) => {
      if (event.target instanceof HTMLElement) event.target.click();
    },
    escape: () => { void this.#ask(false); },
  });

  constructor() {
    super();
    this.label = '';
    this.question = '';
    this.yes = '';
    this.no = '';
    this.glyph = 'discard';
    this.disabled = false;
    this.asking = false;
  }

  protected override render(): TemplateResult {
    if (!this.asking) {
      return html`<vscode-button class="small" appearance="secondary" ?disabled=${this.disabled} @click=${() => void this.#ask(true)}
        >${buttonIcon(this.glyph)}${this.label}</vscode-button>`;
    }
    return html`<span class="confirm" role="group" aria-label=${this.question} @keydown=${this.#keys.keydown}>
      <span class="confirm-question">${this.question}</span>
      <vscode-button class="small confirm-yes" ?disabled=${this.disabled} @click=${this.#confirm}>${this.yes}</vscode-button>
      <vscode-button class="small confirm-no" appearance="secondary" @click=${() => void this.#ask(false)}>${this.no}</vscode-button>
    </span>`;
  }

  async #ask(asking: boolean): Promise<void> {
    this.asking = asking;
    await this.updateComplete;
    this.querySelector<HTMLElement>(asking ? '.confirm-no' : 'vscode-button')?.focus();
  }

  readonly #confirm = (): void => {
    this.asking = false;
    this.dispatchEvent(new CustomEvent('liyuan-confirm', { bubbles: false }));
  };
}

define('liyuan-confirm-button', ConfirmButtonElement);
