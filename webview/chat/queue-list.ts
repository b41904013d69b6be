import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { QueueAct, QueuedRow } from '../../src/protocol/chat';
import { LightElement, define } from '../shared/element';
import { clip } from '../shared/format';
import { icon } from '../shared/icons';
import { createEnterHandler } from '../shared/ime';
import type { ChatContext } from './context';
import { mentionTitle } from './mention-chips';

/** Words whose row has gone while the user was changing them. `session`: the conversation they belong to. */
export interface LostEdit {
  readonly session: string | undefined;
  readonly text: string;
}

/**
 * Words that wait, above the box: each can be changed, put in front, put into the running turn, sent when none runs, removed. Fires
 * `liyuan-lost-edit` when a row goes away under the user's hands, and `liyuan-to-box` when the focus has no row left to go to.
 */
export class QueueElement extends LightElement {
  static override properties: PropertyDeclarations = {
    context: { attribute: false },
    rows: { attribute: false },
    busy: { attribute: false },
    sessionId: { attribute: false },
    editing: { state: true },
  };
  declare context: ChatContext;
  declare rows: readonly QueuedRow[];
  /** A turn runs: what waits is sent by itself when it has ended. */
  declare busy: boolean;
  declare sessionId: string | undefined;
  /** The row that is being changed. */
  declare editing: string | undefined;
  /** As it stands in the row's box. */
  #text = '';
  #editedIn: string | undefined;

  readonly #keys = createEnterHandler({
    enter: () => { void this.#save(); },
    escape: () => { void this.#leave(); },
  });

  constructor() {
    super();
    this.rows = [];
    this.busy = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('pagehide', this.#keep);
    document.addEventListener('visibilitychange', this.#keepWhenHidden);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('pagehide', this.#keep);
    document.removeEventListener('visibilitychange', this.#keepWhenHidden);
  }

  protected override willUpdate(): void {
    if (this.editing === undefined || this.rows.some(({ id }) => id === this.editing)) return;
    this.editing = undefined;
    this.dispatchEvent(new CustomEvent<LostEdit>('liyuan-lost-edit', { detail: { session: this.#editedIn, text: this.#text } }));
  }

  protected override render(): TemplateResult | typeof nothing {
    const { words } = this.context;
    const count = this.rows.length;
    return html`<div class="sr-only" role="status">${count === 0 ? nothing : this.#summary(count)}</div>
      ${count === 0
        ? nothing
        : html`<section class="queue" aria-label=${words.t('queue.label')}>
            <div class="queue-head">${icon('list-ordered')}<span>${this.#summary(count)}</span></div>
            <ol class="queue-rows">${repeat(this.rows, ({ id }) => id, (row, at) => this.#row(row, at))}</ol>
          </section>`}`;
  }

  #summary(count: number): string {
    const { words } = this.context;
    const steers = this.busy ? this.rows.filter(({ steer }) => steer).length : 0;
    const waits = count - steers;
    return [
      ...(steers === 0 ? [] : [words.n('queue.steerCount', steers)]),
      ...(waits === 0 ? [] : [words.t('queue.summary', words.n('queue.count', waits), words.t(this.busy ? 'queue.goesOn' : 'queue.held'))]),
    ].join(' ');
  }

  #row(row: QueuedRow, at: number): TemplateResult {
    const { t } = this.context.words;
    if (this.editing === row.id) {
      return html`<li class="queue-row queue-editing" data-id=${row.id}>
        <textarea
          rows="1"
          class="queue-box"
          aria-label=${t('queue.editLabel')}
          title=${t('queue.editHint')}
          .value=${this.#text}
          @input=${(event: Event) => { this.#text = (event.target as HTMLTextAreaElement).value; }}
          @keydown=${this.#keys.keydown}
          @compositionstart=${this.#keys.compositionstart}
          @compositionend=${this.#keys.compositionend}
        ></textarea>
        ${this.#button('check', t('queue.save'), () => { void this.#save(); })} ${this.#button('close', t('queue.cancel'), () => { void this.#leave(); })}
      </li>`;
    }
    const steers = row.steer && this.busy;
    const about = clip(row.text, 40);
    return html`<li class="queue-row ${steers ? 'queue-steers' : ''}" data-id=${row.id}>
      ${steers ? html`<span class="badge" title=${t('queue.steersHint')}>${t('queue.steers')}</span>` : nothing}
      <span class="queue-text" title=${clip(row.text, 1_000)}>${row.text}</span>
      ${row.mentions === undefined ? nothing : html`<span class="queue-mentions" title=${row.mentions.map((mention) => mentionTitle(mention, this.context)).join(', ')}>@${row.mentions.length}</span>`}
      <span class="queue-buttons">
        ${this.busy ? nothing : html`<button type="button" class="link-button queue-send" aria-label=${t('queue.sendThis', about)} @click=${() => { this.#act({ how: 'send', id: row.id }); }}>${t('queue.send')}</button>`}
        ${this.busy && steers ? this.#button('debug-step-back', t('queue.wait', about), () => { this.#act({ how: 'wait', id: row.id }); }, 'wait') : nothing}
        ${this.busy && !steers ? this.#button('debug-step-into', t('queue.steer', about), () => { this.#act({ how: 'steer', id: row.id }); }, 'steer') : nothing}
        ${at > 0 && !steers && !this.rows[at - 1]?.steer ? this.#button('arrow-up', t('queue.front', about), () => { this.#act({ how: 'front', id: row.id }); }, 'front') : nothing}
        ${this.#button('edit', t('queue.edit', about), () => { void this.#edit(row); }, 'edit')} ${this.#button('trash', t('queue.remove', about), () => { void this.#remove(row, at); }, 'remove')}
      </span>
    </li>`;
  }

  #button(glyph: string, label: string, press: () => void, how = glyph): TemplateResult {
    return html`<button type="button" class="icon-button" data-how=${how} title=${label} aria-label=${label} @click=${press}>${icon(glyph)}</button>`;
  }

  #act(act: QueueAct): void {
    void this.context.act('queue', act);
  }

  async #edit(row: QueuedRow): Promise<void> {
    if (this.editing !== undefined) await this.#save();
    // Told first: from here on it is not sent.
    if ((await this.context.act('queue', { how: 'edit', id: row.id })) === undefined) return;
    const now = this.rows.find(({ id }) => id === row.id);
    if (now === undefined) return;
    this.#text = now.text;
    this.#editedIn = this.sessionId;
    this.editing = row.id;
    await this.updateComplete;
    const box = this.querySelector<HTMLTextAreaElement>('.queue-box');
    box?.focus();
    box?.setSelectionRange(box.value.length, box.value.length);
  }

  async #save(): Promise<void> {
    const id = this.editing;
    if (id === undefined) return;
    if ((await this.context.act('queue', { how: 'text', id, text: this.#text })) === undefined || this.editing !== id) return;
    this.editing = undefined;
    await this.#focusRow(id);
  }

  async #leave(): Promise<void> {
    const id = this.editing;
    if (id === undefined) return;
    this.editing = undefined;
    await this.context.act('queue', { how: 'leave', id });
    await this.#focusRow(id);
  }

  async #remove(row: QueuedRow, at: number): Promise<void> {
    if ((await this.context.act('queue', { how: 'remove', id: row.id })) === undefined) return;
    const next = this.rows.filter(({ id }) => id !== row.id)[Math.min(at, this.rows.length - 2)];
    await this.#focusRow(next?.id ?? '');
  }

  async #focusRow(id: string): Promise<void> {
    await this.updateComplete;
    const button = id === '' ? null : this.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"] [data-how="edit"]`);
    if (button) button.focus();
    else this.dispatchEvent(new CustomEvent('liyuan-to-box'));
  }

  /** The page goes away, or is not seen: what stands in a row's box is its text. */
  readonly #keep = (): void => {
    if (this.editing === undefined) return;
    this.#act({ how: 'text', id: this.editing, text: this.#text });
    this.editing = undefined;
  };

  readonly #keepWhenHidden = (): void => {
    if (document.visibilityState === 'hidden') this.#keep();
  };
}

define('liyuan-queue', QueueElement);
