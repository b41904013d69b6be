import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type * as z from 'zod';
import type { sessionRow } from '../../src/protocol/chat';
import { LightElement, define } from '../shared/element';
import { timeAgo } from '../shared/format';
import { icon } from '../shared/icons';
import { createEnterHandler, isTyping } from '../shared/ime';
import type { ChatContext } from './context';

type SessionRow = z.infer<typeof sessionRow>;

/** With more conversations than this there is a box to search them. */
const searchAbove = 8;

/** The list of conversations under the header. Fires `liyuan-close` when it is done. */
export class SessionMenuElement extends LightElement {
  static override properties: PropertyDeclarations = {
    context: { attribute: false },
    rows: { state: true },
    query: { state: true },
    active: { state: true },
  };
  declare context: ChatContext;
  /** `undefined` while they are being fetched. */
  declare rows: readonly SessionRow[] | undefined;
  declare query: string;
  /** Index of the row that Enter would open. */
  declare active: number;

  readonly #keys = createEnterHandler({
    enter: () => { this.#open(this.#found()[this.active]); },
    escape: () => { this.#close(); },
    other: (event) => { this.#move(event); },
  });

  constructor() {
    super();
    this.query = '';
    this.active = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('pointerdown', this.#outside, true);
    void this.#load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('pointerdown', this.#outside, true);
  }

  async #load(): Promise<void> {
    const answer = await this.context.act('sessions', {});
    if (!answer) {
      this.#close();
      return;
    }
    this.rows = answer.sessions;
    this.active = Math.max(0, answer.sessions.findIndex((row) => row.current));
    await this.updateComplete;
    const search = this.querySelector<HTMLElement>('.session-search');
    // The field takes the focus into its shadow root only once it is there.
    if (search) requestAnimationFrame(() => { search.focus(); });
    else this.#focusActive();
  }

  #found(): readonly SessionRow[] {
    const wanted = this.query.trim().toLocaleLowerCase();
    const rows = this.rows ?? [];
    return wanted === '' ? rows : rows.filter((row) => this.#title(row).toLocaleLowerCase().includes(wanted));
  }

  #title(row: SessionRow): string {
    return row.title === '' ? this.context.words.t('header.untitled') : row.title;
  }

  protected override render(): TemplateResult {
    const { words } = this.context;
    const rows = this.#found();
    const now = Date.now();
    return html`<div
      class="popup"
      @keydown=${this.#keys.keydown}
      @compositionstart=${this.#keys.compositionstart}
      @compositionend=${this.#keys.compositionend}
      @focusout=${this.#focusOut}
    >
      ${this.rows !== undefined && this.rows.length > searchAbove
        ? html`<vscode-text-field
            class="session-search"
            placeholder=${words.t('header.searchSessions')}
            aria-label=${words.t('header.searchSessions')}
            @input=${this.#search}
          ></vscode-text-field>`
        : nothing}
      ${this.rows === undefined
        ? html`<div class="popup-empty" role="status">${words.t('header.loadingSessions')}</div>`
        : html`<ul class="sessions" role="listbox" aria-label=${words.t('header.sessions')}>
            ${repeat(
              rows,
              (row) => row.id,
              (row, index) => html`<li
                role="option"
                class="session ${row.current ? 'session-current' : ''} ${index === this.active ? 'session-active' : ''}"
                tabindex=${index === this.active ? '0' : '-1'}
                aria-selected=${row.current}
                data-id=${row.id}
                @click=${() => { this.#open(row); }}
              >
                ${icon(row.current ? 'check' : 'blank')}
                <span class="session-title">${this.#title(row)}</span>
                <span class="session-time">${timeAgo(row.updatedAt, now, words.locale)}</span>
              </li>`,
            )}
          </ul>`}
      ${this.rows !== undefined && rows.length === 0 ? html`<div class="popup-empty">${words.t('header.noSessions')}</div>` : nothing}
    </div>`;
  }

  readonly #search = (event: Event): void => {
    this.query = (event.target as HTMLInputElement).value;
    this.active = 0;
  };

  #move(event: KeyboardEvent): void {
    const count = this.#found().length;
    const typing = isTyping(event);
    const to = {
      ArrowDown: this.active + 1,
      ArrowUp: this.active - 1,
      ...(typing ? {} : { Home: 0, End: count - 1 }),
    }[event.key as 'ArrowDown'];
    if (event.key === ' ' && !typing) {
      event.preventDefault();
      this.#open(this.#found()[this.active]);
      return;
    }
    if (to === undefined || count === 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.active = Math.min(Math.max(0, to), count - 1);
    // In the search box the focus stays where one types; the list shows what Enter would open.
    if (typing) void this.updateComplete.then(() => { this.querySelector('.session-active')?.scrollIntoView({ block: 'nearest' }); });
    else void this.updateComplete.then(() => { this.#focusActive(); });
  }

  #focusActive(): void {
    this.querySelector<HTMLElement>('.session-active')?.focus();
  }

  #open(row: SessionRow | undefined): void {
    if (!row) return;
    if (!row.current) void this.context.act('openSession', { id: row.id });
    this.#close();
  }

  readonly #outside = (event: Event): void => {
    if (!event.composedPath().includes(this.parentElement ?? this)) this.#close();
  };

  readonly #focusOut = (event: FocusEvent): void => {
    if (event.relatedTarget instanceof Node && !this.contains(event.relatedTarget)) this.#close();
  };

  #close(): void {
    this.dispatchEvent(new CustomEvent('liyuan-close'));
  }
}

define('liyuan-session-menu', SessionMenuElement);
