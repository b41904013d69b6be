import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { NumbersSnapshot } from '../../src/protocol/numbers';
import { LightElement, define } from '../shared/element';
import { icon } from '../shared/icons';
import { weekStart, yearOf } from './calendar';
import { chapterBars } from './chapter-bars';
import type { NumbersController } from './controller';
import './heat-map';
import { dayTable, levelsOf, sumsOf, wordsOf, type Who } from './sums';

/** The numbers of a book. */
export class NumbersElement extends LightElement {
  static override properties: PropertyDeclarations = {
    controller: { attribute: false },
    shown: { state: true },
    year: { state: true },
  };
  declare controller: NumbersController | undefined;
  /** Counts changes of the controller. */
  declare shown: number;
  /** The year that is looked at; `undefined`: this one. */
  declare year: number | undefined;
  #started = false;

  constructor() {
    super();
    this.shown = 0;
    this.year = undefined;
  }

  protected override updated(): void {
    if (this.controller === undefined || this.#started) return;
    this.#started = true;
    this.controller.start(() => { this.shown += 1; });
  }

  protected override render(): TemplateResult | typeof nothing {
    const { controller } = this;
    if (controller === undefined) return nothing;
    const { snapshot, words } = controller;
    if (snapshot === undefined) return html`<p class="note" role="status">${words.t('numbers.connecting')}</p>`;
    if (snapshot.project === 'none') return html`<p class="note">${words.t('numbers.none')}</p>`;
    if (snapshot.project === 'failed') return html`<p class="note" role="alert">${snapshot.message ?? ''}</p>`;
    return html`<main>
      ${this.#counting(snapshot)} ${this.#today(controller, snapshot)} ${this.#years(controller, snapshot)} ${this.#chapters(controller, snapshot)}
      <details class="what">
        <summary>${words.t('numbers.what')}</summary>
        <p>${words.t('numbers.whatText')}</p>
        ${snapshot.lost > 0 ? html`<p>${words.n('numbers.lost', snapshot.lost)}</p>` : nothing}
      </details>
    </main>`;
  }

  #counting({ counting }: NumbersSnapshot): TemplateResult | typeof nothing {
    if (counting === undefined) return nothing;
    const { t, number } = (this.controller as NumbersController).words;
    return html`<p class="note" role="status">${icon('loading', 'spin')} ${counting.total === 0 ? t('numbers.connecting') : t('numbers.counting', number(counting.done), number(counting.total))}</p>`;
  }

  #today(controller: NumbersController, { today, target }: NumbersSnapshot): TemplateResult {
    const { t, n, number } = controller.words;
    const written = today.user + today.agent;
    const reached = target > 0 && written >= target;
    return html`<section class="today" aria-label=${t('numbers.today')}>
      <div class="today-line">
        <h2>${t('numbers.today')}</h2>
        <span class="today-words">${target > 0 ? t('numbers.ofTarget', number(written), number(target)) : n('numbers.words', written)}</span>
        ${reached ? html`<span class="reached">${icon('check')}${t('numbers.reached')}</span>` : nothing}
        <button type="button" class="icon-button" title=${t('numbers.setTarget')} aria-label=${t('numbers.setTarget')} @click=${() => { controller.setTarget(); }}>${icon('target')}</button>
      </div>
      ${target > 0 ? html`<div class="progress" aria-hidden="true"><span .style=${`width: ${Math.min(100, (written / target) * 100).toFixed(1)}%`}></span></div>` : nothing}
      ${written > 0 ? html`<p class="muted">${t('numbers.split', number(today.user), number(today.agent))}</p>` : nothing}
    </section>`;
  }

  #years(controller: NumbersController, snapshot: NumbersSnapshot): TemplateResult {
    const { words, who } = controller;
    const { t, number } = words;
    const { today, days, target } = snapshot;
    const thisYear = yearOf(today.day);
    const year = this.year ?? thisYear;
    const oldest = Math.min(thisYear, ...days.slice(0, 1).map(({ day }) => yearOf(day)));
    const table = dayTable(days, today);
    const ofYear = [...table.values()].filter(({ day }) => yearOf(day) === year);
    const levels = levelsOf(ofYear.map((day) => wordsOf(day, who)), target);
    const step = (by: number, label: 'numbers.previousYear' | 'numbers.nextYear', name: string, off: boolean): TemplateResult =>
      html`<button type="button" class="icon-button" title=${t(label)} aria-label=${t(label)} ?disabled=${off} @click=${() => { this.year = year + by; }}>${icon(name)}</button>`;
    return html`<section aria-label=${t('numbers.map', String(year))}>
      <div class="year-line">
        ${step(-1, 'numbers.previousYear', 'chevron-left', year <= oldest)}
        <h2 class="year" aria-live="polite">${year}</h2>
        ${step(1, 'numbers.nextYear', 'chevron-right', year >= thisYear)}
        ${this.#who(controller)}
      </div>
      <liyuan-heat-map .words=${words} .table=${table} .levels=${levels} .year=${year} .today=${today.day} .who=${who}></liyuan-heat-map>
      <div class="legend">
        <span>${t('numbers.less')}</span>
        ${[0, 1, 2, 3, 4].map((level) => {
          const text = level === 0 ? t('numbers.level0') : t('numbers.level', number(levels[level - 1] ?? 0));
          return html`<span class="day" data-level=${level} role="img" title=${text} aria-label=${text}></span>`;
        })}
        <span>${t('numbers.more')}</span>
      </div>
      ${this.#sums(controller, snapshot, table)}
    </section>`;
  }

  #who(controller: NumbersController): TemplateResult {
    const { t } = controller.words;
    const choices: readonly Who[] = ['both', 'user', 'agent'];
    return html`<fieldset class="who">
      <legend class="sr-only">${t('numbers.who')}</legend>
      ${choices.map((who) => html`<label><input type="radio" name="who" .checked=${controller.who === who} @change=${() => { controller.choose(who); }} /><span>${t(`numbers.who.${who}`)}</span></label>`)}
    </fieldset>`;
  }

  #sums(controller: NumbersController, { today, chapters }: NumbersSnapshot, table: ReturnType<typeof dayTable>): TemplateResult {
    const { t, n, locale } = controller.words;
    const sums = sumsOf(table, today.day, controller.who, weekStart(locale));
    const words = (count: number): string => n('numbers.words', count);
    const rows: readonly (readonly [name: string, value: string, more?: string | undefined])[] = [
      [t('numbers.week'), words(sums.week)],
      [t('numbers.month'), words(sums.month)],
      [t('numbers.year'), words(sums.year)],
      [t('numbers.all'), words(sums.all)],
      [t('numbers.streak'), n('numbers.days', sums.streak), sums.longest > sums.streak ? t('numbers.longest', n('numbers.days', sums.longest)) : undefined],
      [t('numbers.book'), words(chapters.reduce((sum, one) => sum + one.words, 0))],
    ];
    return html`<dl class="sums">
      ${rows.map(([name, value, more]) => html`<div><dt>${name}</dt><dd>${value}${more === undefined ? nothing : html`<small>${more}</small>`}</dd></div>`)}
    </dl>`;
  }

  #chapters(controller: NumbersController, { chapters }: NumbersSnapshot): TemplateResult {
    const { t } = controller.words;
    return html`<section aria-label=${t('numbers.chapters')}>
      <div class="chapters-line">
        <h2>${t('numbers.chapters')}</h2>
        <button type="button" class="link-button" @click=${() => { controller.exportCsv(); }}>${t('numbers.export')}</button>
      </div>
      ${guard([chapters, controller.words], () => chapterBars(chapters, controller.words, controller.openChapter))}
    </section>`;
  }
}

define('liyuan-numbers', NumbersElement);
