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
  const all = names?.list ?? [];
  const narrowed = all.includes(values.name.trim()) ? all : all.filter((name) => name.toLowerCase().includes(typed));
  // A name the service does not have is no reason to hide those it has.
  const fitting = narrowed.length === 0 ? all : narrowed;
  return html`<button type="button" class="link-button list-models" ?disabled=${names?.busy === true || values.baseUrl.trim() === ''} @click=${() => controller.listModels()}>${t('models.listModels')}</button>
    ${names?.problem === undefined ? nothing : html`<p class="wrong" role="alert">${names.problem}</p>`}
    ${fitting.length === 0
      ? nothing
      : html`<ul class="names" aria-label=${t('models.listed')}>
          ${fitting.slice(0, MOST).map((name) => html`<li><button type="button" class="name" aria-pressed=${name === values.name.trim()} @click=${() => { controller.type('name', name); }}>${name}</button></li>`)}
        </ul>`}`;
}
