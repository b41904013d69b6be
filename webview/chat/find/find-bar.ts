import { html, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import type { ChatItem } from '../../../src/protocol/chat';
import type { ChunkListElement } from '../../shared/chunk-list';
import { LightElement, define } from '../../shared/element';
import { icon } from '../../shared/icons';
import { createEnterHandler } from '../../shared/ime';
import { forFrames } from '../../shared/next-frame';
import type { ChatContext } from '../context';
import { bringIntoView, rangesIn, unfold } from './ranges';
import { createSearch, mostHits, patternOf, type Hit } from './search';

const searchAfterMs = 120;
/** Places marked beside the current one, at most. */
const mostMarks = 500;

/** Where to look, and how to get there. */
export interface FindPlace {
  readonly list: () => ChunkListElement | undefined;
  readonly scroller: () => HTMLElement | undefined;
  /** The view goes to a place: it does not follow the end any more. */
  readonly release: () => void;
}

/** Finds words in the conversation, also in rows that are not drawn and in folded parts. Fires `liyuan-close`. */
export class FindBarElement extends LightElement {
  static override properties: PropertyDeclarations = {
    context: { attribute: false },
    items: { attribute: false },
    revision: { attribute: false },
    place: { attribute: false },
    hits: { state: true },
    at: { state: true },
  };
  declare context: ChatContext;
  declare items: readonly ChatItem[];
  declare revision: number;
  declare place: FindPlace;
  /** `undefined`: nothing is looked for. */
  declare hits: readonly Hit[] | undefined;
  /** Index of the current one. */
  declare at: number;

  readonly #search = createSearch();
  #wanted = '';
  #running: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly #keys = createEnterHandler({
    enter: () => { void this.#step(1); },
    escape: () => { this.#close(); },
    other: (event) => {
      const back = event.key === 'Enter' && event.shiftKey;
      if (!back && event.key !== 'F3') return;
      event.preventDefault();
      event.stopPropagation();
      void this.#step(event.shiftKey ? -1 : 1);
    },
  });

  constructor() {
    super();
    this.at = 0;
  }

  /** To the box, its words selected; `words` in it where something was selected. */
  begin(words: string): void {
    const box = this.querySelector('input');
    if (!box) return;
    if (words !== '') box.value = words;
    box.focus();
    box.select();
    if (words !== '') this.#soon(0);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#running?.abort();
    clearTimeout(this.#timer);
    mark([], undefined);
  }

  protected override updated(changed: PropertyValues): void {
    // What came meanwhile is found too; the current place stays.
    if (changed.has('revision') && changed.get('revision') !== undefined && this.#wanted !== '') this.#soon(searchAfterMs * 3, true);
  }

  protected override render(): TemplateResult {
    const { t } = this.context.words;
    const none = this.hits === undefined || this.hits.length === 0;
    const button = (step: 1 | -1, label: string, glyph: string): TemplateResult =>
      html`<button type="button" class="icon-button" data-step=${step} title=${label} aria-label=${label} ?disabled=${none} @click=${() => void this.#step(step)}>${icon(glyph)}</button>`;
    return html`<div class="find" role="search" @keydown=${this.#keys.keydown} @compositionstart=${this.#keys.compositionstart} @compositionend=${this.#composed}>
      <input type="text" class="find-box" placeholder=${t('find.placeholder')} aria-label=${t('find.placeholder')} @input=${this.#typed} />
      <span class="find-count" role="status">${this.#count()}</span>
      ${button(-1, t('find.previous'), 'arrow-up')}${button(1, t('find.next'), 'arrow-down')}
      <button type="button" class="icon-button find-close" title=${t('find.close')} aria-label=${t('find.close')} @click=${() => { this.#close(); }}>${icon('close')}</button>
    </div>`;
  }

  #count(): TemplateResult | string {
    const { t, number } = this.context.words;
    if (this.hits === undefined) return '';
    if (this.hits.length === 0) return t('find.none');
    const of = `${number(this.hits.length)}${this.hits.length === mostHits ? '+' : ''}`;
    return html`<span aria-hidden="true">${number(this.at + 1)}/${of}</span><span class="sr-only">${t('find.count', number(this.at + 1), of)}</span>`;
  }

  readonly #typed = (event: Event): void => {
    // Half a word of an input method is not looked for.
    if (!(event instanceof InputEvent) || !event.isComposing) this.#soon(searchAfterMs);
  };

  readonly #composed = (event: Event): void => {
    this.#keys.compositionend(event);
    this.#soon(searchAfterMs);
  };

  #soon(ms: number, stay = false): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(stay), ms);
  }

  async #look(stay: boolean): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    const current = this.hits?.[this.at];
    this.#wanted = this.querySelector('input')?.value ?? '';
    const hits = await this.#search.run(this.items, this.#wanted, running.signal);
    if (hits === undefined) return;
    const same = current === undefined ? -1 : hits.findIndex((hit) => hit.id === current.id && hit.nth === current.nth);
    this.hits = patternOf(this.#wanted) === undefined ? undefined : hits;
    this.at = same !== -1 ? same : this.#nearest(hits);
    if (hits.length === 0) mark([], undefined);
    else if (stay && same !== -1) this.#mark(this.#rowOf(hits[same]));
    else if (!stay) await this.#show();
  }

  /** The first place at or below the row at the top of the view, else the first of all. */
  #nearest(hits: readonly Hit[]): number {
    const scroller = this.place.scroller();
    const row = scroller && this.place.list()?.rowAt(scroller.getBoundingClientRect().top);
    const top = this.items.findIndex((item) => item.id === row?.dataset['id']);
    const below = new Set(this.items.slice(Math.max(0, top)).map((item) => item.id));
    return Math.max(0, hits.findIndex((hit) => below.has(hit.id)));
  }

  async #step(step: 1 | -1): Promise<void> {
    const count = this.hits?.length ?? 0;
    if (count === 0) return;
    this.at = (this.at + step + count) % count;
    await this.#show();
  }

  #rowOf(hit: Hit | undefined): HTMLElement | undefined {
    return hit && (this.place.list()?.querySelector<HTMLElement>(`.row[data-id="${CSS.escape(hit.id)}"]`) ?? undefined);
  }

  /** Brings the current place into view, unfolding what hides it. */
  async #show(): Promise<void> {
    const hit = this.hits?.[this.at];
    const pattern = patternOf(this.#wanted);
    if (!hit || !pattern) return;
    this.place.release();
    const row = await this.place.list()?.reveal(hit.id);
    if (!row) return;
    const words = this.items.find((item) => item.id === hit.id);
    const folded = words?.kind === 'tool' || (words?.kind === 'assistant' && words.reasoning !== '') || words?.kind === 'changes' || words?.kind === 'interrupted';
    if (folded && rangesIn(row, pattern)[hit.nth] === undefined) await unfold(row);
    if (this.hits?.[this.at] !== hit) return;
    const range = this.#mark(row);
    forFrames(2, () => {
      const scroller = this.place.scroller();
      if (scroller) bringIntoView(range ?? row, scroller);
    });
  }

  /** Marks the places in the rows that are drawn, and the current one among them, which it gives. */
  #mark(row: HTMLElement | undefined): Range | undefined {
    const hit = this.hits?.[this.at];
    const pattern = patternOf(this.#wanted);
    const list = this.place.list();
    if (!pattern || !hit || !list) return undefined;
    const own = row ? rangesIn(row, pattern) : [];
    const current = own[hit.nth] ?? own.at(-1);
    const others: Range[] = [];
    const found = new Set(this.hits?.map(({ id }) => id));
    for (const other of list.querySelectorAll<HTMLElement>('.row')) {
      if (others.length > mostMarks) break;
      if (found.has(other.dataset['id'] ?? '')) others.push(...rangesIn(other, pattern));
    }
    mark(others, current);
    return current;
  }

  #close(): void {
    this.dispatchEvent(new CustomEvent('liyuan-close'));
  }
}

/** Marks places without touching the document: see `::highlight()` in the style sheet. */
function mark(all: readonly Range[], current: Range | undefined): void {
  CSS.highlights.set('liyuan-find', new Highlight(...all));
  CSS.highlights.set('liyuan-find-current', new Highlight(...(current ? [current] : [])));
}

define('liyuan-find', FindBarElement);
