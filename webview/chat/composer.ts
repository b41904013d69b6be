import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ChatItem, ChatStatus, QueuedRow } from '../../src/protocol/chat';
import { LightElement, define } from '../shared/element';
import { clip, shortCount } from '../shared/format';
import { composerButtons, steerKey } from './composer-buttons';
import { icon } from '../shared/icons';
import { createEnterHandler } from '../shared/ime';
import { answerFrom } from './answers';
import { isBusy, type ChatContext } from './context';
import type { LostEdit } from './queue-list';
import './queue-list';

type Ask = Extract<ChatItem, { kind: 'ask' }>;

const saveAfterMs = 400;

/**
 * The input box. Its words are the user's: they leave it only when the host has taken them, and nothing but the user changes
 * them. Each conversation has its own. While a question is open, Enter answers it; while a turn runs, Enter queues the words and
 * Ctrl or Cmd with Enter puts them into that turn.
 */
export class ComposerElement extends LightElement {
  static override properties: PropertyDeclarations = {
    context: { attribute: false },
    status: { attribute: false },
    ask: { attribute: false },
    sessionId: { attribute: false },
    saved: { attribute: false },
    queue: { attribute: false },
    empty: { state: true },
    sending: { state: true },
    offered: { state: true },
  };
  declare context: ChatContext;
  declare status: ChatStatus;
  /** The question that is open, if one is. */
  declare ask: Ask | undefined;
  /** The conversation that is shown; none: a new one, not written yet. */
  declare sessionId: string | undefined;
  /** Its words as the host has them, where the view itself has none. */
  declare saved: string | undefined;
  /** Words that wait. */
  declare queue: readonly QueuedRow[];
  declare empty: boolean;
  declare sending: boolean;
  /** Words from the host that were not put over the user's own. */
  declare offered: string | undefined;
  #saveTimer: ReturnType<typeof setTimeout> | undefined;
  #unsaved = false;
  /** The conversation whose words are in the box. */
  #holds: string | undefined;
  /** Words from the host that other conversations were offered. */
  readonly #offers = new Map<string | undefined, string>();
  /** The conversation whose words are on their way. */
  #sendingFrom: string | undefined;

  readonly #keys = createEnterHandler({
    enter: (event) => { void this.#submit(event.ctrlKey || event.metaKey); },
    other: (event) => {
      if (event.key !== 'ArrowUp' || !this.empty || !this.ask) return;
      event.preventDefault();
      this.dispatchEvent(new CustomEvent('liyuan-to-ask'));
    },
  });

  constructor() {
    super();
    this.empty = true;
    this.sending = false;
    this.queue = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('pagehide', this.#saveNow);
    document.addEventListener('visibilitychange', this.#saveNow);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('pagehide', this.#saveNow);
    document.removeEventListener('visibilitychange', this.#saveNow);
    this.#saveNow();
  }

  get #box(): HTMLTextAreaElement | null {
    return this.querySelector('textarea');
  }

  /** Words from the host: into an empty box; beside what the user has written, offered. */
  async prefill(text: string): Promise<void> {
    await this.updateComplete;
    const written = this.#box?.value ?? '';
    if (written.trim() === '') this.#put(text);
    else if (!written.includes(text)) this.offered = text;
  }

  /** Words the user picked (an example): into the box, after what is there, with the focus at their end. */
  compose(text: string): void {
    const written = this.#box?.value ?? '';
    this.#put(written.trim() === '' ? text : `${written.trimEnd()}\n${text}`);
    this.focusBox();
  }

  focusBox(): void {
    const box = this.#box;
    box?.focus();
    box?.setSelectionRange(box.value.length, box.value.length);
  }

  protected override firstUpdated(): void {
    this.#holds = this.sessionId;
    this.#load();
  }

  protected override updated(): void {
    if (this.#holds === this.sessionId) return;
    this.#saveNow();
    const before = this.#holds;
    this.#holds = this.sessionId;
    // The words on their way have begun this conversation: what else is in the box came with them.
    if (this.sending && this.#sendingFrom === undefined && before === undefined) {
      this.#sendingFrom = this.sessionId;
      this.context.view.setDraft(undefined, '');
      this.#changed();
    } else {
      if (this.offered !== undefined) this.#offers.set(before, this.offered);
      this.offered = this.#offers.get(this.sessionId);
      this.#offers.delete(this.sessionId);
      this.#load();
    }
  }

  /** The words of the conversation that is shown now. They are saved already. */
  #load(): void {
    const box = this.#box;
    if (!box) return;
    box.value = this.context.view.draft(this.sessionId) ?? this.saved ?? '';
    this.empty = box.value.trim() === '';
  }

  protected override render(): TemplateResult {
    const { t } = this.context.words;
    const { ask } = this;
    const busy = isBusy(this.status);
    const placeholder = ask ? t('composer.answerPlaceholder') : busy ? t('composer.placeholderBusy', steerKey()) : t('composer.placeholder');
    return html`${this.#offer()}
      <liyuan-queue
        .context=${this.context}
        .rows=${this.status.readOnly ? [] : this.queue}
        .busy=${busy}
        .sessionId=${this.sessionId}
        @liyuan-lost-edit=${this.#lostEdit}
        @liyuan-to-box=${() => { this.focusBox(); }}
      ></liyuan-queue>
      <div class="composer">
        ${ask ? html`<div class="composer-strip">${icon('question')}<span>${t('composer.answering', clip(ask.question, 60))}</span></div>` : nothing}
        <textarea
          rows="1"
          class="composer-box"
          placeholder=${placeholder}
          aria-label=${t('composer.label')}
          title=${t('composer.hint')}
          @input=${this.#typed}
          @keydown=${this.#keys.keydown}
          @compositionstart=${this.#keys.compositionstart}
          @compositionend=${this.#keys.compositionend}
        ></textarea>
        <div class="composer-foot">${this.#note()}${this.#buttons()}</div>
      </div>`;
  }

  #note(): TemplateResult {
    const { words } = this.context;
    const { usage } = this.status;
    if (!usage) return html`<span class="usage"></span>`;
    return html`<span class="usage" title=${words.t('usage.long', words.number(usage.input), words.number(usage.output), words.number(usage.window))}
      >${words.t('usage.short', shortCount(usage.input + usage.output), shortCount(usage.window))}</span
    >`;
  }

  #buttons(): TemplateResult {
    const { context, empty, ask } = this;
    return composerButtons({
      context,
      busy: isBusy(this.status),
      answering: ask !== undefined,
      empty,
      maySend: this.#maySend(),
      submit: (steer) => { void this.#submit(steer); },
    });
  }

  #offer(): TemplateResult | typeof nothing {
    const { t } = this.context.words;
    const { offered } = this;
    if (offered === undefined) return nothing;
    return html`<div class="strip offer" role="status">
      <div class="strip-text"><span class="strip-title">${t('composer.prefill')}</span> <span class="offer-words">${clip(offered, 160)}</span></div>
      <div class="buttons">
        <vscode-button class="small" appearance="secondary" @click=${this.#takeOffer}>${t('composer.prefillAppend')}</vscode-button>
        <vscode-button class="small" appearance="secondary" @click=${() => { this.offered = undefined; }}>${t('app.dismiss')}</vscode-button>
      </div>
    </div>`;
  }

  #maySend(): boolean {
    return !this.sending && !this.status.readOnly;
  }

  /** `steer`: into the running turn, where one runs. */
  async #submit(steer: boolean): Promise<void> {
    const text = this.#box?.value ?? '';
    if (text.trim() === '' || !this.#maySend()) return;
    this.sending = true;
    this.#sendingFrom = this.#holds;
    const { ask } = this;
    const { act } = this.context;
    const taken = ask
      ? (await act('answer', { callId: ask.id, answer: answerFrom(text, ask.options) })) !== undefined
      : (await act('send', { text, ...(steer && isBusy(this.status) ? { steer } : {}) }))?.accepted === true;
    this.sending = false;
    if (!taken) return;
    this.#sent(text);
    this.dispatchEvent(new CustomEvent('liyuan-sent'));
  }

  /** Takes words that have been sent out of the box. What was typed while they were on their way is not part of them. */
  #sent(text: string): void {
    const from = this.#sendingFrom;
    const { view, act } = this.context;
    if (from === this.#holds) {
      const now = this.#box?.value ?? '';
      if (now.startsWith(text)) this.#put(now.slice(text.length).trimStart());
      return;
    }
    // Another conversation is shown by now.
    const kept = view.draft(from) ?? '';
    if (!kept.startsWith(text)) return;
    const rest = kept.slice(text.length).trimStart();
    view.setDraft(from, rest);
    void act('saveDraft', { ...(from === undefined ? {} : { session: from }), text: rest });
  }

  /** What was being changed in the queue is there no more: it is offered, here or where it belongs. */
  readonly #lostEdit = ({ detail: { session, text } }: CustomEvent<LostEdit>): void => {
    if (text.trim() === '') return;
    if (session === this.sessionId) void this.prefill(text);
    else this.#offers.set(session, text);
  };

  readonly #typed = (): void => {
    this.#changed();
  };

  readonly #takeOffer = (): void => {
    const { offered } = this;
    this.offered = undefined;
    if (offered !== undefined) this.compose(offered);
  };

  #put(text: string): void {
    const box = this.#box;
    if (!box) return;
    box.value = text;
    this.#changed();
  }

  #changed(): void {
    const text = this.#box?.value ?? '';
    this.empty = text.trim() === '';
    this.context.view.setDraft(this.#holds, text);
    this.#unsaved = true;
    clearTimeout(this.#saveTimer);
    this.#saveTimer = setTimeout(this.#saveNow, saveAfterMs);
  }

  readonly #saveNow = (): void => {
    clearTimeout(this.#saveTimer);
    if (!this.#unsaved) return;
    this.#unsaved = false;
    const session = this.#holds;
    void this.context.act('saveDraft', { ...(session === undefined ? {} : { session }), text: this.#box?.value ?? '' });
  };
}

define('liyuan-composer', ComposerElement);
