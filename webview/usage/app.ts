import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { UsageSnapshot, UsageSum } from '../../src/protocol/usage';
import '../shared/confirm-button';
import { LightElement, define } from '../shared/element';
import { moneyWords } from '../shared/format';
import { icon } from '../shared/icons';
import { columns, modelName, pressed, sorted, type Column, type Sorting } from './columns';
import type { UsageController } from './controller';
import { cacheShare, costsOf, sumsOf, type Span } from './sums';

const spans: readonly Span[] = [1, 7, 30];

/** What calls to models have taken. */
export class UsageElement extends LightElement {
  static override properties: PropertyDeclarations = {
    controller: { attribute: false },
    shown: { state: true },
    span: { state: true },
    sorting: { state: true },
  };
  declare controller: UsageController | undefined;
  /** Counts changes of the controller. */
  declare shown: number;
  declare span: Span;
  declare sorting: Sorting;
  #started = false;

  constructor() {
    super();
    this.shown = 0;
    this.span = 1;
    this.sorting = { key: 'time', descending: true };
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
    if (snapshot === undefined) return html`<p class="note" role="status">${words.t('usage.connecting')}</p>`;
    if (snapshot.message !== undefined) return html`<p class="note" role="alert">${snapshot.message}</p>`;
    return html`<main>
      <p class="note">${words.t('usage.what')}</p>
      ${this.#limits(controller, snapshot)} ${this.#sums(controller, snapshot)} ${this.#calls(controller, snapshot)}
    </main>`;
  }

  #limits({ words, setLimits }: UsageController, snapshot: UsageSnapshot): TemplateResult {
    const { limits, allowed } = snapshot;
    const { t, number } = words;
    const today = sumsOf(snapshot, 1);
    const costs = [...costsOf(today)];
    const tokens = today.reduce((all, { input, output }) => all + input + output, 0);
    const bar = (share: number): TemplateResult => html`<div class="progress" aria-hidden="true"><span .style=${`width: ${Math.min(100, share * 100).toFixed(1)}%`}></span></div>`;
    const line = (text: string, share: number): TemplateResult => html`<p class="limit">${text}</p>${bar(share)}`;
    const costLine = ([currency, spent]: readonly [string, number], limit: number): TemplateResult =>
      line(t('usage.limit.cost', moneyWords(spent, currency), moneyWords(limit, currency)), limit === 0 ? 1 : spent / limit);
    return html`<section class="limits" aria-label=${t('usage.setLimits')}>
      ${limits.cost === undefined ? nothing : (costs.length === 0 ? [['CNY', 0] as const] : costs).map((one) => costLine(one, limits.cost ?? 0))}
      ${limits.tokens === undefined ? nothing : line(t('usage.limit.tokens', number(tokens), number(limits.tokens)), limits.tokens === 0 ? 1 : tokens / limits.tokens)}
      ${limits.cost === undefined && limits.tokens === undefined ? html`<p class="muted">${t('usage.limit.none')}</p>` : nothing}
      ${allowed ? html`<p class="muted">${t('usage.limit.allowed')}</p>` : nothing}
      <button type="button" class="link-button" @click=${setLimits}>${t('usage.setLimits')}</button>
    </section>`;
  }

  #sums({ words }: UsageController, snapshot: UsageSnapshot): TemplateResult {
    const { t } = words;
    const sums = sumsOf(snapshot, this.span);
    const [first, ...more] = sums;
    const total = first === undefined ? undefined : more.reduce((all, one) => ({ ...all, input: all.input + one.input, cached: all.cached + one.cached, output: all.output + one.output, calls: all.calls + one.calls }), first);
    return html`<section aria-label=${t('usage.sums')}>
      <div class="head-line">
        <h2>${t('usage.sums')}</h2>
        <fieldset class="spans">
          <legend class="sr-only">${t('usage.span')}</legend>
          ${spans.map((span) => html`<label><input type="radio" name="span" .checked=${this.span === span} @change=${() => { this.span = span; }} /><span>${t(`usage.span.${span}`)}</span></label>`)}
        </fieldset>
      </div>
      ${total === undefined
        ? html`<p class="muted">${t('usage.noneInSpan')}</p>`
        : html`<div class="scroll md-table" tabindex="0" role="region" aria-label=${t('usage.sums')}>
            <table class="sums">
              <thead><tr>${(['model', 'cost', 'input', 'cached', 'output', 'calls'] as const).map((key) => html`<th scope="col" class=${key === 'model' ? '' : 'figure'}>${t(`usage.${key}`)}</th>`)}</tr></thead>
              <tbody>${sums.map((sum) => this.#sumRow(sum, modelName(sum), costWords([sum])))}</tbody>
              ${sums.length > 1 ? html`<tfoot>${this.#sumRow(total, t('usage.total'), costWords(sums))}</tfoot>` : nothing}
            </table>
          </div>
          ${this.#remarks(sums)}`}
    </section>`;
  }

  #sumRow(sum: UsageSum, name: string, cost: string): TemplateResult {
    const { number } = (this.controller as UsageController).words;
    return html`<tr>
      <th scope="row" title=${sum.host}>${name}</th>
      <td class="figure">${cost}</td><td class="figure">${number(sum.input)}</td><td class="figure">${cacheShare(sum)}</td><td class="figure">${number(sum.output)}</td><td class="figure">${number(sum.calls)}</td>
    </tr>`;
  }

  #remarks(sums: readonly UsageSum[]): TemplateResult | typeof nothing {
    const { t, number } = (this.controller as UsageController).words;
    const of = (read: (sum: UsageSum) => number): number => sums.reduce((all, one) => all + read(one), 0);
    const remarks = [
      ...(of(({ failed }) => failed) > 0 ? [t('usage.failed', number(of(({ failed }) => failed)))] : []),
      ...(of(({ estimated }) => estimated) > 0 ? [t('usage.estimatedSum', number(of(({ estimated }) => estimated)))] : []),
    ];
    return remarks.length === 0 ? nothing : html`<p class="muted">${remarks.join(' · ')}</p>`;
  }

  #calls(controller: UsageController, { calls }: UsageSnapshot): TemplateResult {
    const { words } = controller;
    const { t } = words;
    return html`<section aria-label=${t('usage.list')}>
      <div class="head-line">
        <h2>${t('usage.list')}</h2>
        <button type="button" class="link-button" @click=${() => { controller.export('json'); }}>${t('usage.exportJson')}</button>
        <button type="button" class="link-button" @click=${() => { controller.export('csv'); }}>${t('usage.exportCsv')}</button>
        <liyuan-confirm-button .label=${t('usage.clear')} .question=${t('usage.clearQuestion')} .yes=${t('usage.clearYes')} .no=${t('usage.clearNo')} .glyph=${'trash'}
          .disabled=${calls.length === 0} @liyuan-confirm=${() => { controller.clear(); }}></liyuan-confirm-button>
      </div>
      ${calls.length === 0
        ? html`<p class="muted">${t('usage.none')}</p>`
        : html`<div class="scroll md-table" tabindex="0" role="region" aria-label=${t('usage.list')}>
            <table class="calls">
              <thead><tr>${columns.map((column) => this.#head(column))}</tr></thead>
              <tbody>${guard([calls, this.sorting, words], () =>
                sorted(calls, this.sorting).map((row) => html`<tr class=${row.ended ? '' : 'early'}>
                  ${columns.map((column) => html`<td class=${column.numeric && column.key !== 'time' ? 'figure' : ''} title=${column.key === 'model' ? row.host : nothing}>${column.text(row, words)}</td>`)}
                </tr>`))}</tbody>
            </table>
          </div>`}
    </section>`;
  }

  #head(column: Column): TemplateResult {
    const { t } = (this.controller as UsageController).words;
    const name = t(`usage.${column.key}`);
    const active = this.sorting.key === column.key;
    return html`<th scope="col" class=${column.numeric && column.key !== 'time' ? 'figure' : ''} aria-sort=${active ? (this.sorting.descending ? 'descending' : 'ascending') : 'none'}>
      <button type="button" title=${t('usage.sortBy', name)} @click=${() => { this.sorting = pressed(this.sorting, column); }}>${name}${active ? icon(this.sorting.descending ? 'arrow-down' : 'arrow-up') : nothing}</button>
    </th>`;
  }
}

const costWords = (sums: readonly UsageSum[]): string => [...costsOf(sums)].map(([currency, cost]) => moneyWords(cost, currency)).join(' + ');

define('liyuan-usage', UsageElement);
