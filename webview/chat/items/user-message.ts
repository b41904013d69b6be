import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ChatItem } from '../../../src/protocol/chat';
import '../../shared/copy-button';
import { LightElement, define } from '../../shared/element';
import { icon } from '../../shared/icons';
import { createEnterHandler } from '../../shared/ime';
import type { RowEnvironment } from '../context';
import { mentionChips } from '../mention-chips';
import { copyLabels } from './labels';
import { again, runAgain } from './run-again';

type User = Extract<ChatItem, { kind: 'user' }>;

/** Under which the view keeps the words of a message that is being changed, so that a reload does not lose them. */
const draftKey = (item: User): string => `edit:${item.id}`;

/** The author's own words, as typed; the way to change and send them again, and to the other ways the conversation went from here. */
class UserElement extends LightElement {
  static override properties: PropertyDeclarations = {
    item: { attribute: false },
    env: { attribute: false },
    editing: { state: true },
    sending: { state: true },
  };
  declare item: User;
  declare env: RowEnvironment;
  declare editing: boolean | undefined;
  declare sending: boolean;

  readonly #keys = createEnterHandler({
    enter: () => { void this.#send(); },
    escape: () => { this.#cancel(); },
  });

  constructor() {
    super();
    this.sending = false;
  }

  protected override willUpdate(): void {
    this.editing ??= !this.env.readOnly && this.env.context.view.draft(draftKey(this.item)) !== undefined;
  }

  protected override render(): TemplateResult {
    const { item, env } = this;
    const { words } = env.context;
    if (this.editing === true) return this.#box();
    return html`<div class="user" title=${words.moment(item.ts)}>
      <div class="user-text">${item.text}</div>
      ${mentionChips(item.mentions, env.context)}
      ${item.summarised === true ? html`<span class="summarised" title=${words.t('item.summarisedHint')}>${icon('fold')}${words.t('item.summarised')}</span>` : nothing}
      <div class="row-foot">
        ${this.#variants()}
        <span class="row-actions">
          ${env.readOnly
            ? nothing
            : html`<button type="button" class="icon-button edit-message" title=${words.t('item.edit')} aria-label=${words.t('item.edit')} @click=${this.#edit}>${icon('edit')}</button>
                ${again(item.turnId, env)}`}
          <liyuan-copy class="row-copy" .text=${item.text} .labels=${copyLabels(env.context)}></liyuan-copy>
        </span>
      </div>
    </div>`;
  }

  #variants(): TemplateResult | typeof nothing {
    const { item, env } = this;
    if (item.variant === undefined) return nothing;
    const { words } = env.context;
    const { at, of } = item.variant;
    const step = (by: 1 | -1, label: string, glyph: string, end: boolean): TemplateResult =>
      html`<button type="button" class="icon-button" data-step=${by} title=${label} aria-label=${label} ?disabled=${end || env.readOnly} @click=${() => env.context.act('switchTurn', { turnId: item.turnId, step: by })}>
        ${icon(glyph)}
      </button>`;
    return html`<span class="variants" role="group" aria-label=${words.t('item.variants')}>
      ${step(-1, words.t('item.variantPrevious'), 'chevron-left', at === 1)}
      <span class="variant-place" aria-label=${words.t('item.variant', words.number(at), words.number(of))}>${at}/${of}</span>
      ${step(1, words.t('item.variantNext'), 'chevron-right', at === of)}
    </span>`;
  }

  #box(): TemplateResult {
    const { t } = this.env.context.words;
    return html`<div class="user user-editing">
      <textarea
        class="field edit-box"
        rows="1"
        aria-label=${t('item.editLabel')}
        title=${t('composer.hint')}
        .value=${this.env.context.view.draft(draftKey(this.item)) ?? this.item.text}
        ?disabled=${this.sending}
        @input=${this.#keep}
        @keydown=${this.#keys.keydown}
        @compositionstart=${this.#keys.compositionstart}
        @compositionend=${this.#keys.compositionend}
      ></textarea>
      <div class="buttons">
        <vscode-button class="small edit-send" ?disabled=${this.sending} @click=${() => void this.#send()}>${t('item.editSend')}</vscode-button>
        <vscode-button class="small edit-cancel" appearance="secondary" ?disabled=${this.sending} @click=${() => { this.#cancel(); }}>${t('item.editCancel')}</vscode-button>
      </div>
    </div>`;
  }

  get #area(): HTMLTextAreaElement | null {
    return this.querySelector('textarea');
  }

  readonly #edit = (): void => {
    this.editing = true;
    this.env.context.view.setDraft(draftKey(this.item), this.item.text);
    void this.updateComplete.then(() => {
      const area = this.#area;
      area?.focus();
      area?.setSelectionRange(area.value.length, area.value.length);
    });
  };

  readonly #keep = (): void => {
    this.env.context.view.setDraft(draftKey(this.item), this.#area?.value ?? '');
  };

  #cancel(): void {
    this.#close();
    this.closest<HTMLElement>('.row')?.focus();
  }

  #close(): void {
    this.editing = false;
    this.env.context.view.setDraft(draftKey(this.item), '');
  }

  async #send(): Promise<void> {
    const text = this.#area?.value ?? '';
    if (this.sending || text.trim() === '') return;
    this.sending = true;
    const accepted = await runAgain(this, this.env, { turnId: this.item.turnId, text });
    this.sending = false;
    if (accepted) this.#close();
    else void this.updateComplete.then(() => { this.#area?.focus(); });
  }
}

define('liyuan-user', UserElement);
