import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { DayNumbers } from '../../src/protocol/numbers';
import type { NumbersStringKey } from '../../src/protocol/numbers-strings';
import { LightElement, define } from '../shared/element';
import type { Translator } from '../shared/strings';
import { addDays, blocksOf, monthsAbove, timeOf, weekStart, weeksOf, yearOf } from './calendar';
import { levelOf, wordsOf, type Who } from './sums';

/** Width of a week and of the column with the names of days, px. */
const WEEK_PX = 13;
const NAMES_PX = 26;

/** A year of days. One stop of the Tab key; arrows go from day to day; the words of the day in question stand below. */
export class HeatMapElement extends LightElement {
  static override properties: PropertyDeclarations = {
    words: { attribute: false },
    table: { attribute: false },
    levels: { attribute: false },
    year: { attribute: false },
    today: { attribute: false },
    who: { attribute: false },
    width: { state: true },
    current: { state: true },
    pointed: { state: true },
  };
  declare words: Translator<NumbersStringKey>;
  declare table: ReadonlyMap<string, DayNumbers>;
  declare levels: readonly number[];
  declare year: number;
  declare today: string;
  declare who: Who;
  /** Weeks that fit beside one another. */
  declare width: number;
  /** The day that Tab comes to. */
  declare current: string;
  /** The day under the pointer. */
  declare pointed: string | undefined;
  #resize: ResizeObserver | undefined;
  /** Made once a language: making one takes longer than a hundred days. */
  #dates: { readonly locale: string; readonly format: Intl.DateTimeFormat } | undefined;

  constructor() {
    super();
    this.width = 53;
    this.current = '';
    this.pointed = undefined;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resize = new ResizeObserver(() => { this.width = Math.floor((this.clientWidth - NAMES_PX) / WEEK_PX); });
    this.#resize.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resize?.disconnect();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('year') || changed.has('today')) {
      if (yearOf(this.current) !== this.year) this.current = yearOf(this.today) === this.year ? this.today : `${this.year}-12-31`;
    }
  }

  protected override render(): TemplateResult {
    const { locale } = this.words;
    const start = weekStart(locale);
    const blocks = (): readonly TemplateResult[] => blocksOf(weeksOf(this.year, start), this.width).map((block) => this.#block(block, start));
    // A pointer that goes over the days changes the line below them alone.
    return html`${guard([this.words, this.table, this.levels, this.year, this.today, this.who, this.width, this.current], blocks)}
      <p class="day-words" aria-hidden="true">${this.#dayWords(this.pointed ?? this.current)}</p>`;
  }

  #block(weeks: readonly (readonly (string | undefined)[])[], start: number): TemplateResult {
    const { locale, t } = this.words;
    const month = new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' });
    const weekday = new Intl.DateTimeFormat(locale, { weekday: 'narrow', timeZone: 'UTC' });
    const long = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
    // 4 January 1970 was a Sunday.
    const nameOf = (day: number, format: Intl.DateTimeFormat): string => format.format(((3 + day) % 7) * 86_400_000 + 7 * 86_400_000);
    return html`<table class="heat" role="grid" aria-label=${t('numbers.map', String(this.year))} @keydown=${this.#keys} @focusin=${this.#focused}
      @mouseover=${this.#over} @mouseleave=${() => { this.pointed = undefined; }}>
      <thead aria-hidden="true">
        <tr>
          <td></td>
          ${monthsAbove(weeks).map((one) => html`<td class="month">${one === 0 ? nothing : html`<span>${month.format(Date.UTC(2026, one - 1, 1))}</span>`}</td>`)}
        </tr>
      </thead>
      <tbody>
        ${[0, 1, 2, 3, 4, 5, 6].map((row) => {
          const day = (start + row) % 7;
          return html`<tr>
            <th scope="row" class="weekday"><span aria-hidden="true">${row % 2 === 0 ? nameOf(day, weekday) : nothing}</span><span class="sr-only">${nameOf(day, long)}</span></th>
            ${weeks.map((week) => this.#cell(week[row]))}
          </tr>`;
        })}
      </tbody>
    </table>`;
  }

  #cell(day: string | undefined): TemplateResult {
    if (day === undefined) return html`<td class="no-day"></td>`;
    const words = wordsOf(this.table.get(day), this.who);
    const text = this.#dayWords(day);
    return html`<td
      role="gridcell"
      class="day ${day === this.today ? 'today' : ''} ${day > this.today ? 'future' : ''}"
      data-day=${day}
      data-level=${levelOf(words, this.levels)}
      tabindex=${day === this.current ? 0 : -1}
      aria-label=${text}
      title=${text}
    ></td>`;
  }

  #dayWords(day: string): string {
    const { t, n, number, locale } = this.words;
    if (day === '') return '';
    if (this.#dates?.locale !== locale) {
      this.#dates = { locale, format: new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', day: 'numeric', weekday: 'long', timeZone: 'UTC' }) };
    }
    const date = this.#dates.format.format(timeOf(day));
    if (day > this.today) return t('numbers.dayFuture', date);
    const known = this.table.get(day);
    const words = wordsOf(known, this.who);
    if (known === undefined || words === 0) return t('numbers.dayNothing', date);
    if (this.who === 'both' && known.agent > 0) return t('numbers.daySplit', date, n('numbers.words', words), number(known.user), number(known.agent));
    return t('numbers.day', date, n('numbers.words', words));
  }

  readonly #keys = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7, PageUp: -28, PageDown: 28 };
    const step = steps[event.key];
    let next = step === undefined ? undefined : addDays(this.current, step);
    if (event.key === 'Home') next = `${this.year}-01-01`;
    if (event.key === 'End') next = `${this.year}-12-31`;
    if (next === undefined) return;
    event.preventDefault();
    if (yearOf(next) !== this.year) return;
    this.current = next;
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(`[data-day="${this.current}"]`)?.focus());
  };

  readonly #focused = (event: FocusEvent): void => {
    const day = (event.target as HTMLElement).dataset['day'];
    if (day !== undefined) this.current = day;
  };

  readonly #over = (event: MouseEvent): void => {
    this.pointed = (event.target as HTMLElement).dataset['day'];
  };
}

define('liyuan-heat-map', HeatMapElement);
