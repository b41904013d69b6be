import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { LightElement, define } from '../shared/element';
import { icon } from '../shared/icons';

/** A row of the list. */
export interface CompletionRow {
  readonly group?: string;
  readonly icon: string;
  readonly title: string;
  readonly detail: string;
  /** Words set apart before the title: `/new`. */
  readonly sign?: string;
}

export const completionListId = 'liyuan-completions';
export const optionId = (at: number): string => `${completionListId}-${at}`;

/** The list above the input box. It never has the focus: the box keeps it and points at the active row. Fires `liyuan-pick` with its place. */
export class CompletionListElement extends LightElement {
  static override properties: PropertyDeclarations = { rows: { attribute: false }, active: { attribute: false }, label: { attribute: false } };
  declare rows: readonly CompletionRow[];
  declare active: number;
  declare label: string;

  constructor() {
    super();
    this.rows = [];
    this.active = 0;
    this.label = '';
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.rows.length === 0) return nothing;
    return html`<ul id=${completionListId} class="popup completions" role="listbox" aria-label=${this.label}>
      ${this.rows.map((row, at) => this.#row(row, at))}
    </ul>`;
  }

  #row(row: CompletionRow, at: number): TemplateResult {
    const head = row.group !== undefined && row.group !== this.rows[at - 1]?.group;
    return html`${head ? html`<li class="completion-group" role="presentation">${row.group}</li>` : nothing}
      <li
        id=${optionId(at)}
        role="option"
        class="completion ${at === this.active ? 'session-active' : ''}"
        aria-selected=${at === this.active}
        title=${row.title}
        @mousedown=${(event: Event) => { event.preventDefault(); }}
        @click=${() => { this.dispatchEvent(new CustomEvent<number>('liyuan-pick', { detail: at })); }}
      >
        ${icon(row.icon)}${row.sign === undefined ? nothing : html`<span class="completion-sign">${row.sign}</span>`}
        <span class="completion-title">${row.title}</span><span class="completion-detail">${row.detail}</span>
      </li>`;
  }

  protected override updated(): void {
    this.querySelector(`#${optionId(this.active)}`)?.scrollIntoView({ block: 'nearest' });
  }
}

define('liyuan-completion-list', CompletionListElement);
