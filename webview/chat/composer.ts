import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ChatItem, ChatStatus, QueuedRow } from '../../src/protocol/chat';
import type { ChatMention } from '../../src/protocol/mentions';
import { LightElement, define } from '../shared/element';
import { clip, shortCount } from '../shared/format';
import { composerButtons, steerKey } from './composer-buttons';
import { icon } from '../shared/icons';
import { createEnterHandler } from '../shared/ime';
import { answerFrom } from './answers';
import { createCompleter } from './completer';
import { createCompletingBox } from './completing-box';
import { joined, mentionsIn, withoutMention } from './completion';
import { completionListId, optionId } from './completion-list';
import './completion-list';
import { giveCommand } from './give-command';
import { mentionChips } from './mention-chips';
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
    savedMentions: { attribute: false },
    lastTurn: { attribute: false },
    mentions: { state: true },
    completing: { state: true },
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
  declare savedMentions: readonly ChatMention[] | undefined;
  /** The turn that stands last, if there is one. */
  declare lastTurn: string | undefined;
  /** What the words in the box point at. */
  declare mentions: readonly ChatMention[];
  /** Counts what has changed of the list that completes. */
  declare completing: number;
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
  /** Everything that has been pointed at in this conversation's box: what stands in the text counts. */
  #known: readonly ChatMention[] = [];
  readonly #completer = createCompleter({
    context: () => this.context,
    state: () => ({ busy: isBusy(this.status), readOnly: this.status.readOnly, turn: this.lastTurn !== undefined }),
    changed: () => { this.completing += 1; },
  });
  readonly #completing = createCompletingBox({
    box: () => this.#box,
    completer: this.#completer,
    mentioned: (mention) => { this.#known = joined(this.#known, [mention]); },
    changed: () => { this.#changed(); },
    command: (command) => { giveCommand(command, this.context, this.lastTurn); },
  });
  /** The conversation whose words are on their way. */
  #sendingFrom: string | undefined;

  readonly #keys = createEnterHandler({
    enter: (event) => {
      const second = event.ctrlKey || event.metaKey;
      if (this.#completer.rows.length > 0 && !second) this.#completing.pick();
      else void this.#submit(second);
    },
    escape: () => {
      if (this.#completer.rows.length === 0) return false;
      this.#completer.close();
      return true;
    },
    other: (event) => {
      if (this.#completing.inList(event)) return;
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
    this.mentions = [];
    this.completing = 0;
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
    return this.querySelector('textarea.composer-box');
  }

  /** Words from the host: into an empty box; beside what the user has written, offered. */
  async prefill(text: string, mentions: readonly ChatMention[] = []): Promise<void> {
    await this.updateComplete;
    this.#known = joined(this.#known, mentions);
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

  /** What was pointed at elsewhere in the window: into the text, and the focus with it. */
  async takeMentions(): Promise<void> {
    const taken = (await this.context.act('takeMentions', {}))?.mentions ?? [];
    const box = this.#box;
    if (taken.length === 0 || !box) return;
    // Where one was typing, or else at the end.
    if (document.activeElement !== box) this.focusBox();
    for (const mention of taken) this.#completing.mention(mention);
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
    const { view } = this.context;
    const own = view.draft(this.sessionId);
    box.value = own ?? this.saved ?? '';
    this.#known = (own === undefined ? this.savedMentions : view.draftMentions(this.sessionId)) ?? [];
    this.mentions = mentionsIn(box.value, this.#known);
    this.empty = box.value.trim() === '';
    this.#completer.close();
  }

  protected override render(): TemplateResult {
    const { t } = this.context.words;
    const { ask } = this;
    const completer = this.#completer;
    const open = completer.rows.length > 0;
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
        <liyuan-completion-list
          .rows=${completer.rows}
          .active=${completer.active}
          .label=${t('completion.label')}
          @liyuan-pick=${(event: CustomEvent<number>) => { this.#completing.pick(event.detail); }}
        ></liyuan-completion-list>
        <div class="sr-only" role="status">${open ? this.context.words.n('completion.count', completer.rows.length) : nothing}</div>
        ${mentionChips(this.mentions, this.context, (mention) => { this.#drop(mention); })}
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
          @compositionend=${this.#composed}
          @keyup=${this.#completing.look}
          @click=${this.#completing.look}
          @blur=${() => { completer.close(); }}
          role=${open ? 'combobox' : nothing}
          aria-autocomplete=${open ? 'list' : nothing}
          aria-expanded=${open ? 'true' : nothing}
          aria-controls=${open ? completionListId : nothing}
          aria-activedescendant=${open ? optionId(completer.active) : nothing}
        ></textarea>
        <div class="composer-foot">${this.#note()}${this.#buttons()}</div>
      </div>`;
  }

  #note(): TemplateResult {
    const { words } = this.context;
    const { usage, turnCost } = this.status;
    if (!usage) return html`<span class="usage"></span>`;
    return html`<span class="usage" title=${[words.t('usage.long', words.number(usage.input), words.number(usage.output), words.number(usage.window)), ...(turnCost === undefined ? [] : [words.t('usage.turnCost', turnCost)])].join('\n')}
      >${words.t('usage.short', shortCount(usage.input + usage.output), shortCount(usage.window))}${turnCost === undefined ? nothing : ` · ${turnCost}`}</span
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
      : (await act('send', { text, ...(this.mentions.length > 0 ? { mentions: [...this.mentions] } : {}), ...(steer && isBusy(this.status) ? { steer } : {}) }))?.accepted === true;
    this.sending = false;
    if (!taken) {
      this.#saveNow();
      return;
    }
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
    const pointing = mentionsIn(rest, view.draftMentions(from));
    view.setDraft(from, rest, pointing);
    void act('saveDraft', { ...(from === undefined ? {} : { session: from }), text: rest, ...(pointing.length === 0 ? {} : { mentions: [...pointing] }) });
  }

  /** What was being changed in the queue is there no more: it is offered, here or where it belongs. */
  readonly #lostEdit = ({ detail: { session, text } }: CustomEvent<LostEdit>): void => {
    if (text.trim() === '') return;
    if (session === this.sessionId) void this.prefill(text);
    else this.#offers.set(session, text);
  };

  readonly #typed = (event: Event): void => {
    this.#changed();
    this.#completing.look(event);
  };

  readonly #composed = (event: Event): void => {
    this.#keys.compositionend(event);
    this.#completing.look(event);
  };

  #drop(mention: ChatMention): void {
    const box = this.#box;
    if (!box) return;
    this.#put(withoutMention(box.value, mention));
    this.focusBox();
  }

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
    this.mentions = mentionsIn(text, this.#known);
    this.context.view.setDraft(this.#holds, text, this.mentions);
    this.#unsaved = true;
    clearTimeout(this.#saveTimer);
    this.#saveTimer = setTimeout(this.#saveNow, saveAfterMs);
  }

  readonly #saveNow = (): void => {
    clearTimeout(this.#saveTimer);
    // Words on their way are no draft: kept now, they would be back in the next new conversation. What does not arrive is kept then.
    if (!this.#unsaved || (this.sending && this.#sendingFrom === this.#holds)) return;
    this.#unsaved = false;
    const session = this.#holds;
    void this.context.act('saveDraft', {
      ...(session === undefined ? {} : { session }),
      text: this.#box?.value ?? '',
      ...(this.mentions.length === 0 ? {} : { mentions: [...this.mentions] }),
    });
  };
}

define('liyuan-composer', ComposerElement);
