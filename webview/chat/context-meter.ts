import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import type { ChatStatus, ContextReport } from '../../src/protocol/chat';
import type { ChatStringKey } from '../../src/protocol/chat-strings';
import { LightElement, define } from '../shared/element';
import { shortCount } from '../shared/format';
import { icon } from '../shared/icons';
import type { ChatContext } from './context';
import { createPopup } from './popup';

type Usage = NonNullable<ChatStatus['usage']>;
type Part = ContextReport['parts'][number]['part'] | 'reserved' | 'free';

/** From this share of the window on (what is kept for the answer counts as taken) it is called almost full. */
const nearFull = 0.9;

const percent = (part: number, whole: number): number => (whole <= 0 ? 0 : Math.min(100, Math.round((part / whole) * 100)));

/** A thin bar under the header: how full the model's window is. Pressed, it says what the newest call was made of and what was used. */
class ContextMeterElement extends LightElement {
  static override properties: PropertyDeclarations = {
    context: { attribute: false },
    usage: { attribute: false },
    report: { state: true },
  };
  declare context: ChatContext;
  declare usage: Usage;
  declare report: ContextReport | undefined;
  readonly #popup = createPopup(this, '.meter');

  protected override updated(changed: PropertyValues): void {
    // After each call, while it is looked at.
    if (this.#popup.open && changed.has('usage') && changed.get('usage') !== undefined) void this.#load();
  }

  #near(): boolean {
    const { input, output, window, reserved = 0 } = this.usage;
    return window > 0 && input + output + reserved >= window * nearFull;
  }

  protected override render(): TemplateResult {
    const { words } = this.context;
    const { input, output, window } = this.usage;
    const taken = percent(input + output, window);
    const label = words.t('meter.label', taken, shortCount(input + output), shortCount(window));
    return html`<button
        type="button"
        class="meter ${this.#near() ? 'meter-near' : ''}"
        title=${label}
        aria-label=${label}
        aria-haspopup="dialog"
        aria-expanded=${this.#popup.open}
        @click=${this.#toggle}
      >
        <svg class="meter-bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect class="meter-whole" width="100" height="1"></rect><rect class="meter-taken" width=${taken} height="1"></rect></svg>
      </button>
      ${this.#popup.open ? this.#popover() : nothing}`;
  }

  #popover(): TemplateResult {
    const { t } = this.context.words;
    const { report } = this;
    return html`<div class="popup meter-popup" role="dialog" aria-label=${t('meter.title')} tabindex="-1" @keydown=${this.#popup.keydown}>
      <div class="meter-head"><h3>${t('meter.title')}</h3><button type="button" class="icon-button" title=${t('meter.close')} aria-label=${t('meter.close')} @click=${this.#popup.close}>${icon('close')}</button></div>
      ${this.#near() ? html`<p class="meter-warning">${icon('warning')} ${t('meter.near')}</p>` : nothing}
      ${report === undefined ? html`<div class="popup-empty" role="status">…</div>` : html`${this.#parts(report)}${this.#used(report)}`}
    </div>`;
  }

  #parts(report: ContextReport): TemplateResult {
    const { t, number } = this.context.words;
    if (report.parts.length === 0) return html`<p class="popup-empty">${t('meter.none')}</p>`;
    const taken = report.parts.reduce((sum, { tokens }) => sum + tokens, 0);
    const rows: readonly { readonly part: Part; readonly tokens: number }[] = [
      ...report.parts,
      { part: 'reserved', tokens: report.reserved },
      { part: 'free', tokens: Math.max(0, report.window - taken - report.reserved) },
    ];
    return html`<ul class="meter-parts">
        ${rows.map(({ part, tokens }) => {
          const share = percent(tokens, report.window);
          return html`<li data-part=${part}>
            <span class="meter-name">${t(`meter.part.${part}` satisfies ChatStringKey)}</span>
            <span class="meter-count">${t('meter.share', number(tokens), share)}</span>
            <svg class="meter-share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect class="meter-taken" width=${share} height="1"></rect></svg>
          </li>`;
        })}
      </ul>
      <p class="hint">${t(report.calibrated === true ? 'meter.calibrated' : 'meter.estimate')}</p>`;
  }

  #used({ total, turns }: ContextReport): TemplateResult {
    const { t, number } = this.context.words;
    const thinks = total.reasoning !== undefined;
    const costs = total.cost !== undefined;
    const row = (name: string, usage: ContextReport['total']): TemplateResult =>
      html`<tr><th scope="row" title=${name}>${name}</th><td>${number(usage.input)}</td><td>${number(usage.cached)}</td><td>${number(usage.output)}</td>${thinks ? html`<td>${usage.reasoning === undefined ? '' : number(usage.reasoning)}</td>` : nothing}${costs ? html`<td>${usage.cost ?? ''}</td>` : nothing}</tr>`;
    return html`<h3>${t('meter.usage')}</h3>
      ${this.usage.estimated === true ? html`<p class="hint">${t('meter.noFigures')}</p>` : nothing}
      <div class="meter-scroll" tabindex="0" role="region" aria-label=${t('meter.usage')}>
        <table class="meter-table">
          <thead><tr><th scope="col">${t('meter.turn')}</th><th scope="col">${t('meter.input')}</th><th scope="col">${t('meter.cached')}</th><th scope="col">${t('meter.output')}</th>${thinks ? html`<th scope="col">${t('meter.reasoning')}</th>` : nothing}${costs ? html`<th scope="col">${t('meter.cost')}</th>` : nothing}</tr></thead>
          <tbody>${row(t('meter.total'), total)}${turns.map((turn) => row(turn.text, turn))}</tbody>
        </table>
      </div>`;
  }

  readonly #toggle = (): void => {
    if (this.#popup.open) return this.#popup.close();
    this.#popup.show();
    void this.#load();
    void this.updateComplete.then(() => { this.querySelector<HTMLElement>('.meter-popup')?.focus(); });
  };

  async #load(): Promise<void> {
    const answer = await this.context.act('contextReport', {});
    if (answer === undefined) return this.#popup.close();
    this.report = answer.report;
    if (answer.report === undefined) this.#popup.close();
  }
}

define('liyuan-context-meter', ContextMeterElement);
