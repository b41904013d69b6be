import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type * as z from 'zod';
import type { toggleRow } from '../../src/protocol/chat';
import { LightElement, define } from '../shared/element';
import { icon } from '../shared/icons';
import type { ChatContext } from './context';
import { createPopup } from './popup';

type ToggleRow = z.infer<typeof toggleRow>;

/** What the agent is given in this project beside the conversation, each to be switched: a button and the list it opens. */
class TogglesElement extends LightElement {
  static override properties: PropertyDeclarations = {
    context: { attribute: false },
    readOnly: { attribute: false },
    rows: { state: true },
    switching: { state: true },
  };
  declare context: ChatContext;
  declare readOnly: boolean;
  /** `undefined` while they are being fetched. */
  declare rows: readonly ToggleRow[] | undefined;
  /** Id of the row that is on its way. */
  declare switching: string | undefined;
  readonly #popup = createPopup(this, '.toggles-button');

  protected override render(): TemplateResult {
    const { t } = this.context.words;
    return html`<button
        type="button"
        class="icon-button toggles-button"
        title=${t('toggles.open')}
        aria-label=${t('toggles.open')}
        aria-haspopup="dialog"
        aria-expanded=${this.#popup.open}
        @click=${this.#toggle}
      >
        ${icon('checklist')}
      </button>
      ${this.#popup.open ? this.#list() : nothing}`;
  }

  #list(): TemplateResult {
    const { t } = this.context.words;
    return html`<div class="popup toggles" role="dialog" aria-label=${t('toggles.open')} @keydown=${this.#popup.keydown}>
      ${this.rows === undefined ? html`<p class="popup-empty">${t('toggles.loading')}</p>` : this.rows.map((row) => this.#row(row))}
      <p class="toggles-note">${icon('info')}<span>${t('toggles.note')}</span></p>
    </div>`;
  }

  #row(row: ToggleRow): TemplateResult {
    const { words } = this.context;
    const { t } = words;
    const cost = [
      ...(row.count === undefined ? [] : [words.n('toggles.words', row.count)]),
      ...(row.there && row.tokens !== undefined ? [t('toggles.tokens', words.number(row.tokens))] : []),
    ].join(' · ');
    return html`<div class="toggle-row" data-id=${row.id}>
      <label class="toggle-label">
        <input
          type="checkbox"
          .checked=${live(row.there && row.on)}
          ?disabled=${!row.there || this.readOnly || this.switching !== undefined}
          @change=${(event: Event) => { void this.#switch(row, (event.target as HTMLInputElement).checked); }}
        />
        <span class="toggle-words"><span class="toggle-name">${row.label}</span><span class="toggle-detail">${row.detail}</span></span>
      </label>
      <span class="toggle-cost">${cost}</span>
      <button
        type="button"
        class="link-button toggle-open"
        title=${t('toggles.edit', row.detail === '' ? row.label : row.detail)}
        ?disabled=${this.readOnly}
        @click=${() => { this.#open(row); }}
      >
        ${row.there ? icon('go-to-file') : t('toggles.begin')}
      </button>
    </div>`;
  }

  readonly #toggle = (): void => {
    if (this.#popup.open) this.#popup.close();
    else void this.#show();
  };

  async #show(): Promise<void> {
    this.#popup.show();
    this.rows = undefined;
    const answer = await this.context.act('toggles', {});
    if (answer === undefined) {
      this.#popup.close();
      return;
    }
    this.rows = answer.rows;
    await this.updateComplete;
    this.querySelector<HTMLElement>('.toggles input:not(:disabled), .toggles button')?.focus();
  }

  async #switch(row: ToggleRow, on: boolean): Promise<void> {
    this.switching = row.id;
    const answer = await this.context.act('setToggle', { id: row.id, on });
    this.switching = undefined;
    // What could not be switched stands as it was.
    this.rows = answer?.rows ?? this.rows?.map((one) => ({ ...one }));
    await this.updateComplete;
    this.querySelector<HTMLElement>(`.toggle-row[data-id="${CSS.escape(row.id)}"] input`)?.focus();
  }

  #open(row: ToggleRow): void {
    this.#popup.close();
    void this.context.act('openToggle', { id: row.id });
  }
}

define('liyuan-toggles', TogglesElement);
