import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import type { ChatItem } from '../../../src/protocol/chat';
import '../../shared/copy-button';
import { LightElement, define } from '../../shared/element';
import { icon } from '../../shared/icons';
import '../../shared/markdown-view';
import type { RowEnvironment } from '../context';
import { codeLabels, copyLabels } from './labels';

type Summary = Extract<ChatItem, { kind: 'summary' }>;

/** Earlier turns that the model now sees as a summary: folded away, with its words and the way back. */
class SummaryElement extends LightElement {
  static override properties: PropertyDeclarations = { item: { attribute: false }, env: { attribute: false }, sent: { state: true } };
  declare item: Summary;
  declare env: RowEnvironment;
  /** The request is on its way. */
  declare sent: boolean;

  constructor() {
    super();
    this.sent = false;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('item')) this.sent = false;
  }

  protected override render(): TemplateResult {
    const { item, env } = this;
    const { words } = env.context;
    const { t } = words;
    return html`<div class="card summary summary-${item.state}">
      <details>
        <summary title=${t('summary.text')}>${icon('chevron-right', 'twistie')}${icon('fold', 'card-glyph')}<span class="summary-title">${this.#title()}</span></summary>
        <div class="summary-body">
          <div class="summary-text"><liyuan-markdown .text=${item.text} .labels=${codeLabels(env.context)}></liyuan-markdown></div>
          <liyuan-copy class="row-copy" .text=${item.text} .labels=${copyLabels(env.context)}></liyuan-copy>
        </div>
      </details>
      ${item.state === 'merged' ? html`<span class="badge">${t('summary.merged')}</span>` : nothing}
      ${item.state === 'undone' ? html`<span class="badge">${t('summary.undone')}</span>` : nothing}
      ${item.state === 'merged' ? nothing : this.#button(item.state === 'undone')}
    </div>`;
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
