import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ChatItem } from '../../../src/protocol/chat';
import { LightElement, define } from '../../shared/element';
import { icon } from '../../shared/icons';
import { createEnterHandler } from '../../shared/ime';
import { answerFrom, type Answer } from '../answers';
import type { ChatContext } from '../context';

type Ask = Extract<ChatItem, { kind: 'ask' }>;

/** A question of the agent: options by mouse or number, free words, or an end. Fires `liyuan-answered` once an answer is taken; it stays to be seen. */
export class AskElement extends LightElement {
  static override properties: PropertyDeclarations = { item: { attribute: false }, context: { attribute: false }, sent: { state: true } };
  declare item: Ask;
  declare context: ChatContext;
  /** An answer is on its way. */
  declare sent: boolean;

  readonly #keys = createEnterHandler({ enter: () => { this.#answerInWords(); } });

  constructor() {
    super();
    this.sent = false;
  }

  protected override willUpdate(): void {
    if (this.item.state !== 'open') this.sent = false;
  }

  /** Chooses the option with this number, from 0; out of range does nothing. */
  choose(index: number): void {
    if (index >= 0 && index < this.item.options.length) void this.#answer({ kind: 'option', index });
  }

  protected override render(): TemplateResult {
    const { item } = this;
    const { t } = this.context.words;
    if (item.state !== 'open') {
      return html`<div class="card ask ask-closed">
        <div class="ask-question">${icon('question', 'card-glyph')}<span>${item.question}</span></div>
        ${item.state === 'answered'
          ? html`<div class="ask-answer">${icon('check')}<span class="sr-only">${t('ask.answered')}</span><span>${item.answer ?? ''}</span></div>`
          : html`<div class="ask-answer ask-none">${icon('debug-stop')}<span>${t('ask.stopped')}</span></div>`}
      </div>`;
    }
    const numbers = item.options.length > 1 ? `1–${item.options.length}` : '1';
    return html`<div class="card ask" role="group" aria-label=${item.question}>
      <div class="ask-question">${icon('question', 'card-glyph')}<span>${item.question}</span></div>
      ${item.options.length === 0
        ? nothing
        : html`<div class="ask-options" @keydown=${this.#moveBetween}>
            ${item.options.map(
              (option, index) => html`<button type="button" class="ask-option" ?disabled=${this.sent} @click=${() => { this.choose(index); }}>
                <kbd>${index + 1}</kbd><span>${option}</span>
              </button>`,
            )}
          </div>`}
      <div class="ask-free">
        <textarea
          rows="1"
          class="field"
          placeholder=${t('ask.placeholder')}
          aria-label=${t('ask.placeholder')}
          ?disabled=${this.sent}
          @keydown=${this.#keys.keydown}
          @compositionstart=${this.#keys.compositionstart}
          @compositionend=${this.#keys.compositionend}
        ></textarea>
        <vscode-button class="small ask-send" ?disabled=${this.sent} @click=${this.#answerInWords}>${t('ask.answer')}</vscode-button>
      </div>
      <div class="ask-foot">
        ${item.options.length === 0 ? nothing : html`<span class="hint">${t('ask.hint', numbers)}</span>`}
        <button type="button" class="link-button ask-stop" title=${t('ask.stopHint')} ?disabled=${this.sent} @click=${() => this.#answer({ kind: 'stop' })}>
          ${t('ask.stop')}
        </button>
      </div>
    </div>`;
  }

  readonly #answerInWords = (): void => {
    const text = this.querySelector('textarea')?.value ?? '';
    if (text.trim() !== '') void this.#answer(answerFrom(text, this.item.options));
  };

  readonly #moveBetween = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    const options = [...this.querySelectorAll<HTMLElement>('.ask-option')];
    const at = options.findIndex((option) => option === document.activeElement);
    const next = options[at + step];
    event.preventDefault();
    event.stopPropagation();
    if (next) next.focus();
    else if (step === 1) this.querySelector('textarea')?.focus();
  };

  async #answer(answer: Answer): Promise<void> {
    if (this.sent) return;
    this.sent = true;
    const taken = await this.context.act('answer', { callId: this.item.id, answer });
    if (!taken) this.sent = false;
    // The card closes, and what had the focus goes with it.
    else this.dispatchEvent(new CustomEvent('liyuan-answered', { bubbles: true }));
  }
}

define('liyuan-ask', AskElement);
