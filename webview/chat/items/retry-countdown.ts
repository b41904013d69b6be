import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import type { ChatItem } from '../../../src/protocol/chat';
import { LightElement, define } from '../../shared/element';
import type { ChatContext } from '../context';

type Notice = Extract<ChatItem, { kind: 'notice' }>;

const second = 1000;

/** A try that is waited for: counts down in sight, and tells a screen reader once. */
class RetryCountdownElement extends LightElement {
  static override properties: PropertyDeclarations = { item: { attribute: false }, context: { attribute: false }, readOnly: { attribute: false }, left: { state: true } };
  declare item: Notice;
  declare context: ChatContext;
  declare readOnly: boolean;
  /** Seconds. */
  declare left: number;
  #until = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.left = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#count();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  protected override willUpdate(changed: PropertyValues): void {
    const { countdown } = this.item;
    if (!changed.has('item') || countdown === undefined) return;
    // The host's clock may be another machine's.
    this.#until = performance.now() + Math.min(countdown.ms, Math.max(0, countdown.until - Date.now()));
    this.#count();
  }

  #count(): void {
    clearInterval(this.#timer);
    const show = (): void => {
      this.left = Math.max(0, Math.ceil((this.#until - performance.now()) / second));
      if (this.left > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
    this.#timer = setInterval(show, second);
    show();
  }

  #now(): void {
    this.#until = 0;
    this.#count();
    void this.context.act('action', { action: 'retryNow' });
  }

  protected override render(): TemplateResult | typeof nothing {
    const { item, context, left } = this;
    const { countdown } = item;
    if (countdown === undefined) return nothing;
    const { t } = context.words;
    const words = left > 0 ? t('retry.in', countdown.reason, left, countdown.attempt) : t('retry.now', countdown.reason, countdown.attempt);
    const offered = item.actions.filter(({ action }) => left > 0 || action !== 'retryNow');
    return html`<div class="notice-text retry-words" aria-hidden="true">${words}</div>
      <div class="sr-only">${item.text}</div>
      <div class="buttons">
        ${offered.map(
          ({ action, label }) => html`<vscode-button
            class="small"
            appearance="secondary"
            data-action=${action}
            ?disabled=${this.readOnly}
            @click=${() => { if (action === 'retryNow') this.#now(); else void context.act('action', { action }); }}
            >${label}</vscode-button
          >`,
        )}
      </div>`;
  }
}

define('liyuan-retry-countdown', RetryCountdownElement);
