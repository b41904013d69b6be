import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { SessionHit, SessionRow } from '../../src/protocol/chat';
import { LightElement, define } from '../shared/element';
import { icon } from '../shared/icons';
import { createEnterHandler, isTyping } from '../shared/ime';
import type { ChatContext } from './context';
import { byDay } from './session-days';
import './session-rename';

const searchAfterMs = 200;

/**
 * The list of conversations under the header: by day, searched by title and by what was said, renamed, deleted and taken back. Fires
 * `liyuan-close` when it is done.
 */
export class SessionMenuElement extends LightElement {
  static override properties: PropertyDeclarations = {
    context: { attribute: false },
    rows: { state: true },
    hits: { state: true },
    query: { state: true },
    active: { state: true },
    renaming: { state: true },
    undo: { state: true },
    bin: { state: true },
  };
  declare context: ChatContext;
  /** `undefined` while they are being fetched. */
  declare rows: readonly SessionRow[] | undefined;
  /** Where the wanted words were said; `undefined` while they are looked for. */
  declare hits: ReadonlyMap<string, SessionHit> | undefined;
  declare query: string;
  /** Index of the row that Enter would open. */
  declare active: number;
  /** The row whose title is being changed. */
  declare renaming: string | undefined;
  /** The conversation that was deleted last, and may be taken back. */
  declare undo: SessionRow | undefined;
  /** The deleted ones are shown. */
  declare bin: boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly #keys = createEnterHandler({
    enter: () => { this.#open(this.#found()[this.active]); },
    escape: () => { this.#close(); },
    other: (event) => { this.#key(event); },
  });

  constructor() {
    super();
    this.query = '';
    this.active = 0;
    this.bin = false;
    this.hits = new Map();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('pointerdown', this.#outside, true);
    void this.#load(true);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('pointerdown', this.#outside, true);
    clearTimeout(this.#timer);
  }

  async #load(first: boolean): Promise<void> {
    const answer = await this.context.act('sessions', {});
    if (!answer) {
      if (first) this.#close();
      return;
    }
    this.rows = answer.sessions;
    if (!first) return;
    this.active = Math.max(0, this.#found().findIndex((row) => row.current));
    await this.updateComplete;
    this.querySelector('.session-active')?.scrollIntoView({ block: 'nearest' });
    // The field takes the focus into its shadow root only once it is there.
    requestAnimationFrame(() => { this.#focusSearch(); });
  }

  #focusSearch(): void {
    this.querySelector<HTMLElement>('.session-search')?.focus();
  }

  /** The rows that are shown, in their order. */
  #found(): readonly SessionRow[] {
    const wanted = this.query.trim().toLocaleLowerCase();
    const rows = (this.rows ?? []).filter((row) => row.deleted === this.bin);
    return wanted === '' ? rows : rows.filter((row) => this.#title(row).toLocaleLowerCase().includes(wanted) || this.hits?.has(row.id) === true);
  }

  #title(row: SessionRow): string {
    return row.title === '' ? this.context.words.t('header.untitled') : row.title;
  }

  protected override render(): TemplateResult {
    const { words } = this.context;
    const rows = this.#found();
    const active = rows[this.active];
    let index = -1;
    return html`<div
      class="popup sessions-popup"
      @keydown=${this.#keys.keydown}
      @compositionstart=${this.#keys.compositionstart}
      @compositionend=${this.#keys.compositionend}
      @focusout=${this.#focusOut}
    >
      <vscode-text-field
        class="session-search"
        placeholder=${words.t('header.searchSessions')}
        aria-label=${words.t('header.searchSessions')}
        @input=${this.#search}
      ></vscode-text-field>
      ${this.bin ? html`<div class="bin-head"><button type="button" class="link-button bin-leave" @click=${() => { this.#bin(false); }}>${icon('arrow-left')} ${words.t('sessions.back')}</button></div>` : nothing}
      ${this.rows === undefined
        ? html`<div class="popup-empty" role="status">${words.t('header.loadingSessions')}</div>`
        : html`<div class="sessions" role="listbox" tabindex="-1" aria-label=${words.t(this.bin ? 'sessions.deleted' : 'header.sessions')} aria-activedescendant=${active === undefined ? nothing : `session-${active.id}`}>
            ${byDay(rows, Date.now(), words.locale).map(
              (day) => html`<div class="session-day" role="group" aria-label=${day.label}>
                <div class="session-date" role="presentation">${day.label}</div>
                ${repeat(day.rows, (row) => row.id, (row) => {
                  index += 1;
                  return this.#row(row, index);
                })}
              </div>`,
            )}
          </div>`}
      <div class="sr-only" role="status">${this.#spoken(rows)}</div>
      ${this.rows !== undefined && rows.length === 0
        ? html`<div class="popup-empty">${words.t(this.hits === undefined ? 'sessions.searching' : this.bin && this.query === '' ? 'sessions.noneDeleted' : 'header.noSessions')}</div>`
        : nothing}
      ${this.#foot()}
    </div>`;
  }

  /** How many were found, and the one that Enter would open: the focus is in the box, so that a screen reader would not know. */
  #spoken(rows: readonly SessionRow[]): string {
    const { words } = this.context;
    const active = rows[this.active];
    if (this.rows === undefined) return '';
    return [...(this.query.trim() === '' ? [] : [words.n('sessions.found', rows.length)]), ...(active === undefined ? [] : [this.#title(active)])].join(' · ');
  }

  #row(row: SessionRow, index: number): TemplateResult {
    const { words } = this.context;
    if (this.renaming === row.id) {
      return html`<liyuan-session-rename .context=${this.context} .value=${row.title} @liyuan-renamed=${(event: CustomEvent<string | null>) => { void this.#renamed(row, event.detail ?? undefined); }}></liyuan-session-rename>`;
    }
    const hit = this.query.trim() === '' ? undefined : this.hits?.get(row.id);
    const action = (name: string, label: string, glyph: string, run: () => void): TemplateResult =>
      html`<button type="button" class="icon-button session-${name}" tabindex="-1" title=${label} aria-label="${label}: ${this.#title(row)}" @click=${run}>${icon(glyph)}</button>`;
    return html`<div class="session-line" role="presentation">
      <div
        role="option"
        id="session-${row.id}"
        class="session ${row.current ? 'session-current' : ''} ${index === this.active ? 'session-active' : ''}"
        tabindex=${index === this.active ? '0' : '-1'}
        aria-selected=${row.current}
        data-id=${row.id}
        @click=${() => { this.#open(row); }}
      >
        ${icon(row.current ? 'check' : 'blank')}
        <span class="session-words">
          <span class="session-title">${this.#title(row)}</span>
          ${hit === undefined ? nothing : html`<span class="session-hit">${hit.before}<mark>${hit.match}</mark>${hit.after}</span>`}
        </span>
        <span class="session-time">${hit === undefined || hit.count < 2 ? words.time(row.updatedAt) : words.n('sessions.times', hit.count)}</span>
      </div>
      <span class="session-actions">
        ${this.bin
          ? action('restore', words.t('sessions.restore'), 'discard', () => { void this.#restore(row); })
          : html`${action('rename', words.t('sessions.rename'), 'edit', () => { this.renaming = row.id; })}${action('delete', words.t('sessions.delete'), 'trash', () => { void this.#delete(row); })}`}
      </span>
    </div>`;
  }

  #foot(): TemplateResult | typeof nothing {
    const { t, number } = this.context.words;
    const { undo } = this;
    if (undo !== undefined) {
      return html`<div class="sessions-foot" role="status">
        <span class="strip-text">${t('sessions.wasDeleted', this.#title(undo))}</span>
        <button type="button" class="link-button sessions-undo" @click=${() => { void this.#restore(undo); }}>${t('sessions.undo')}</button>
      </div>`;
    }
    const deleted = (this.rows ?? []).filter((row) => row.deleted).length;
    if (this.bin || deleted === 0) return nothing;
    return html`<div class="sessions-foot"><button type="button" class="link-button bin-open" @click=${() => { this.#bin(true); }}>${t('sessions.showDeleted', number(deleted))}</button></div>`;
  }

  #bin(shown: boolean): void {
    this.bin = shown;
    this.active = 0;
    this.#focusSearch();
  }

  readonly #search = (event: Event): void => {
    this.query = (event.target as HTMLInputElement).value;
    this.active = 0;
    clearTimeout(this.#timer);
    const { query } = this;
    this.hits = query.trim() === '' ? new Map() : undefined;
    if (query.trim() === '') return;
    this.#timer = setTimeout(() => void this.#look(query), searchAfterMs);
  };

  async #look(query: string): Promise<void> {
    const answer = await this.context.act('searchSessions', { text: query });
    if (query !== this.query) return;
    this.hits = new Map(answer?.hits.map((hit) => [hit.id, hit]));
  }

  async #delete(row: SessionRow): Promise<void> {
    this.#focusSearch();
    if ((await this.context.act('deleteSession', { id: row.id })) === undefined) return;
    this.undo = row;
    await this.#load(false);
    this.active = Math.min(this.active, Math.max(0, this.#found().length - 1));
  }

  async #restore(row: SessionRow): Promise<void> {
    this.#focusSearch();
    if ((await this.context.act('restoreSession', { id: row.id })) === undefined) return;
    this.undo = undefined;
    // What was shown when it was deleted is shown again.
    if (row.current) void this.context.act('openSession', { id: row.id });
    await this.#load(false);
  }

  async #renamed(row: SessionRow, title: string | undefined): Promise<void> {
    this.renaming = undefined;
    this.#focusSearch();
    if (title === undefined || title === row.title) return;
    await this.context.act('renameSession', { id: row.id, title });
    await this.#load(false);
  }

  #key(event: KeyboardEvent): void {
    const rows = this.#found();
    const row = rows[this.active];
    const typing = isTyping(event);
    const onRow = event.target instanceof Element && event.target.closest('.session') !== null;
    const act = (run: () => void): void => {
      event.preventDefault();
      event.stopPropagation();
      run();
    };
    if (row !== undefined && event.key === 'F2' && !this.bin) return act(() => { this.renaming = row.id; });
    if (row !== undefined && event.key === 'Delete' && onRow) return act(() => void (this.bin ? this.#restore(row) : this.#delete(row)));
    if (row !== undefined && event.key === ' ' && onRow) return act(() => { this.#open(row); });
    const to = {
      ArrowDown: this.active + (typing || onRow ? 1 : 0),
      ArrowUp: this.active - 1,
      ...(typing ? {} : { Home: 0, End: rows.length - 1 }),
    }[event.key as 'ArrowDown'];
    if (to === undefined || rows.length === 0) return;
    act(() => { this.active = Math.min(Math.max(0, to), rows.length - 1); });
    // In the search box the focus stays where one types; the list shows what Enter would open.
    void this.updateComplete.then(() => {
      const line = this.querySelector<HTMLElement>('.session-active');
      if (typing) line?.scrollIntoView({ block: 'nearest' });
      else line?.focus();
    });
  }

  #open(row: SessionRow | undefined): void {
    if (!row || row.deleted) return;
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
