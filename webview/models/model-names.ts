import { html, nothing, type TemplateResult } from 'lit';
import type { ModelsController } from './controller';

/** More names than this are shown only in part; typing the name narrows them. */
const MOST = 60;

/** 「列出模型」: the names the service offers, which fill in the one above; what is typed there narrows them. */
export function modelNames(controller: ModelsController): TemplateResult {
  const { state } = controller;
  const { t } = state.words;
  const { names, values } = state;
  const typed = values.name.trim().toLowerCase();
  const exact = names?.list.includes(values.name.trim()) === true;
  const fitting = names?.list.filter((name) => exact || name.toLowerCase().includes(typed)) ?? [];
  return html`<button type="button" class="link-button list-models" ?disabled=${names?.busy === true || values.baseUrl.trim() === ''} @click=${() => controller.listModels()}>${t('models.listModels')}</button>
    ${names?.problem === undefined ? nothing : html`<p class="wrong" role="alert">${names.problem}</p>`}
    ${fitting.length === 0
      ? nothing
      : html`<ul class="names" aria-label=${t('models.listed')}>
          ${fitting.slice(0, MOST).map((name) => html`<li><button type="button" class="name" aria-pressed=${name === values.name.trim()} @click=${() => { controller.type('name', name); }}>${name}</button></li>`)}
        </ul>`}`;
}
