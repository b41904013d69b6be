import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../shared/icons';
import type { ModelsController } from './controller';

const glyphs = { ok: 'pass', no: 'error', unknown: 'question' } as const;

/** 「测试连接」: what is in the form is asked, and what comes of it is shown line by line. */
export function probeView(controller: ModelsController): TemplateResult | typeof nothing {
  const { state } = controller;
  const { t } = state.words;
  const { probe } = state;
  if (state.profile?.entry.provider === 'vscode') return nothing;
  const running = probe?.running === true;
  return html`<section class="probe" aria-label=${t('models.test')}>
    <div class="buttons">
      <vscode-button class="test" appearance="secondary" ?disabled=${running || state.values.baseUrl.trim() === ''} @click=${() => { controller.test(); }}>${t('models.test')}</vscode-button>
      ${running
        ? html`<button type="button" class="text-button stop" @click=${() => controller.ask('stopTest', {})}>${t('models.stop')}</button>`
        : html`<span class="muted">${t('models.testWith')}</span>`}
    </div>
    <div role="status" aria-live="polite">
      ${probe === undefined || probe.lines.length === 0
        ? nothing
        : html`<dl class="lines">
            ${probe.lines.map(
              ({ subject, verdict, text }) => html`<div class="line" data-subject=${subject} data-verdict=${verdict}>
                <dt>${icon(glyphs[verdict])}<span>${t(`models.subject.${subject}`)}</span><span class="sr-only">${t(`models.verdict.${verdict}`)}</span></dt>
                <dd>${text}</dd>
              </div>`,
            )}
          </dl>`}
      ${running ? html`<p class="muted running">${icon('loading', 'spin')} ${t('models.testing')}</p>` : nothing}
      ${probe?.problem === undefined ? nothing : html`<p class="wrong test-problem">${probe.problem}</p>`}
    </div>
    ${probe?.baseUrl === undefined || probe.baseUrl === state.values.baseUrl ? nothing : html`<button type="button" class="text-button use-address" @click=${() => { controller.type('baseUrl', probe.baseUrl ?? ''); }}>${t('models.useAddress', probe.baseUrl)}</button>`}
    ${probe?.asksFor === undefined ? nothing : html`<button type="button" class="text-button allow" @click=${() => controller.ask('allow', { address: probe.asksFor ?? '' })}>${t('models.allow', probe.asksFor)}</button>`}
  </section>`;
}
