import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import type { ChatItem } from '../../../src/protocol/chat';
import '../../shared/copy-button';
import { LightElement, define } from '../../shared/element';
import { icon } from '../../shared/icons';
import { createEnterHandler } from '../../shared/ime';
import '../../shared/markdown-view';
import type { RowEnvironment } from '../context';
import { codeLabels, copyLabels } from './labels';

type Summary = Extract<ChatItem, { kind: 'summary' }>;

/** Under which the view keeps the words while they are being changed. */
const draftKey = (item: Summary): string => `summary:${item.id}`;

/** Earlier turns that the model now sees as a summary: folded away, with its words, which may be changed, and the way back. */
class SummaryElement extends LightElement {
  static override properties: PropertyDeclarations = { item: { attribute: false }, env: { attribute: false }, sent: { state: true }, editing: { state: true } };
  declare item: Summary;
  declare env: RowEnvironment;
  /** The request is on its way. */
  declare sent: boolean;
  declare editing: boolean | undefined;

  /** Enter begins a line; with Ctrl or Cmd the words are taken. */
  readonly #keys = createEnterHandler({
    escape: () => { this.#close(); },
    other: (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      void this.#save();
    },
  });

  constructor() {
    super();
    this.sent = false;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('item')) this.sent = false;
    this.editing ??= this.#mayRewrite() && this.env.context.view.draft(draftKey(this.item)) !== undefined;
  }

  protected override render(): TemplateResult {
    const { item, env } = this;
    const { words } = env.context;
    const { t } = words;
    return html`<div class="card summary summary-${item.state}">
      <details ?open=${this.editing === true}>
        <summary title=${t('summary.text')}>${icon('chevron-right', 'twistie')}${icon('fold', 'card-glyph')}<span class="summary-title">${this.#title()}</span></summary>
        <div class="summary-body">${this.editing === true ? this.#box() : this.#text()}</div>
      </details>
      ${item.own === true ? html`<span class="badge">${t('summary.own')}</span>` : nothing}
      ${item.state === 'merged' ? html`<span class="badge">${t('summary.merged')}</span>` : nothing}
      ${item.state === 'undone' ? html`<span class="badge">${t('summary.undone')}</span>` : nothing}
      ${item.state === 'merged' ? nothing : this.#button(item.state === 'undone')}
    </div>`;
  }

  #mayRewrite(): boolean {
    return this.item.state === 'active' && !this.env.readOnly;
  }

  #text(): TemplateResult {
    const { item, env } = this;
    const { t } = env.context.words;
    return html`<div class="summary-text"><liyuan-markdown .text=${item.text} .labels=${codeLabels(env.context)}></liyuan-markdown></div>
      <liyuan-copy class="row-copy" .text=${item.text} .labels=${copyLabels(env.context)}></liyuan-copy>
      ${this.#mayRewrite()
        ? html`<button type="button" class="link-button summary-rewrite" title=${t('summary.rewriteHint')} ?disabled=${env.busy || this.sent} @click=${this.#edit}>${t('summary.rewrite')}</button>`
        : nothing}`;
  }

  #box(): TemplateResult {
    const { env, item } = this;
    const { t } = env.context.words;
    return html`<textarea
        class="field edit-box summary-box"
        rows="8"
        aria-label=${t('summary.rewriteLabel')}
        .value=${env.context.view.draft(draftKey(item)) ?? item.text}
        ?disabled=${this.sent}
        @input=${this.#keep}
        @keydown=${this.#keys.keydown}
        @compositionstart=${this.#keys.compositionstart}
        @compositionend=${this.#keys.compositionend}
      ></textarea>
      <div class="buttons">
        <vscode-button class="small summary-save" title="Ctrl+Enter" ?disabled=${env.busy || this.sent} @click=${() => void this.#save()}>${t('summary.save')}</vscode-button>
        <vscode-button class="small summary-cancel" appearance="secondary" ?disabled=${this.sent} @click=${() => { this.#close(); }}>${t('summary.cancel')}</vscode-button>
      </div>`;
  }

  readonly #edit = (): void => {
    this.editing = true;
    this.env.context.view.setDraft(draftKey(this.item), this.item.text);
    void this.updateComplete.then(() => { this.querySelector('textarea')?.focus(); });
  };

  readonly #keep = (): void => {
    this.env.context.view.setDraft(draftKey(this.item), this.querySelector('textarea')?.value ?? '');
  };

  #close(): void {
    this.editing = false;
    this.env.context.view.setDraft(draftKey(this.item), '');
    void this.updateComplete.then(() => { this.querySelector<HTMLElement>('summary')?.focus(); });
  }

  async #save(): Promise<void> {
    const text = this.querySelector('textarea')?.value.trim() ?? '';
    if (this.sent || this.env.busy || text === '') return;
    if (text === this.item.text.trim()) return this.#close();
    this.sent = true;
    const done = await this.env.context.act('rewriteSummary', { id: this.item.id, text });
    this.sent = false;
    if (done !== undefined) this.#close();
  }

  #title(): string {
    const { words } = this.env.context;
    const { floors, tokens } = this.item;
    const [from, through] = floors;
    return from === through
      ? words.t('summary.one', words.number(through), words.number(tokens))
      : words.t('summary.title', words.number(from), words.number(through), words.number(tokens));
  }

  #button(use: boolean): TemplateResult {
    const { context, busy, readOnly } = this.env;
    const { t } = context.words;
    return html`<button
      type="button"
      class="link-button summary-use"
      title=${t('summary.undoHint')}
      ?disabled=${busy || readOnly || this.sent}
      @click=${() => this.#use(use)}
    >
      ${t(use ? 'summary.redo' : 'summary.undo')}
    </button>`;
  }

  async #use(use: boolean): Promise<void> {
    this.sent = true;
    const done = await this.env.context.act('useSummary', { id: this.item.id, use });
    if (done === undefined) this.sent = false;
  }
}

define('liyuan-summary', SummaryElement);
