import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { fieldChoices, fieldKinds, type ProfileField } from '../../src/protocol/model-profile';
import { modelsStrings, type ModelsStringKey } from '../../src/protocol/models-strings';
import type { EnterHandler } from '../shared/ime';
import type { ModelsController } from './controller';
import { priceParts, type FormField } from './form';
import { modelNames } from './model-names';

/** Shown at once; the others are folded away. */
const moreFields: readonly ProfileField[] = ['contextWindow', 'maxOutput', 'temperature', 'topP', 'reasoningEffort', 'reasoningReplay', 'tools', 'headers', 'extraBody', 'idleTimeout', 'totalTimeout', 'price'];

type Named = ProfileField | 'title';

/** The form of the profile that is chosen. `keys`: for its boxes of one line; in others Enter is a line. */
export function profileForm(controller: ModelsController, keys: EnterHandler): TemplateResult {
  const { state } = controller;
  const { t } = state.words;
  const isDefault = state.profile?.title === '';
  const vscode = state.profile?.entry.provider === 'vscode';
  const pressed = (event: KeyboardEvent): void => { if (event.target instanceof HTMLInputElement) keys.keydown(event); };
  return html`<div class="form" @keydown=${pressed} @compositionstart=${keys.compositionstart} @compositionend=${keys.compositionend}>
    ${vscode ? nothing : presets(controller)} ${isDefault ? nothing : field(controller, 'title')} ${vscode ? nothing : field(controller, 'baseUrl', addressWords(controller))}
    ${field(controller, 'name', modelNames(controller))} ${vscode ? nothing : keyField(controller)}
    <details class="more">
      <summary>${t('models.more')}</summary>
      <div class="more-fields">${moreFields.map((name) => field(controller, name))}</div>
    </details>
  </div>`;
}

function presets(controller: ModelsController): TemplateResult {
  const { state } = controller;
  const { t } = state.words;
  const chosen = state.snapshot?.presets.find(({ name }) => name === state.preset);
  return html`<div class="field" data-field="preset">
    <label for="field-preset">${t('models.preset')}</label>
    <select id="field-preset" .value=${live(state.preset)} @change=${(event: Event) => { controller.choosePreset((event.target as HTMLSelectElement).value); }}>
      <option value="">${t('models.presetNone')}</option>
      ${state.snapshot?.presets.map(({ name }) => html`<option value=${name} ?selected=${name === state.preset}>${name}</option>`)}
    </select>
    ${chosen?.note === undefined ? nothing : html`<p class="hint">${chosen.note}</p>`}
    ${chosen?.keyUrl === undefined ? nothing : html`<p class="hint key-at">${t('models.keyAt')} <a href=${chosen.keyUrl}>${chosen.keyUrl}</a></p>`}
  </div>`;
}

function addressWords({ state }: ModelsController): TemplateResult {
  const { url, problem } = state.address;
  return html`<p class="hint url" aria-live="polite">${url === undefined ? (problem ?? '') : state.words.t('models.asks', url)}</p>`;
}

const hintOf = (name: Named): ModelsStringKey | undefined => {
  const key = `models.hint.${name}`;
  return key in modelsStrings ? (key as ModelsStringKey) : undefined;
};

function field(controller: ModelsController, name: Named, below: TemplateResult | typeof nothing = nothing): TemplateResult {
  const { state } = controller;
  const { t } = state.words;
  const hint = hintOf(name);
  const label = t(`models.field.${name}`);
  const wrong = state.wrong?.field === name ? state.wrong.text : undefined;
  const described = `${hint === undefined ? '' : `hint-${name}`} ${wrong === undefined ? '' : `wrong-${name}`}`.trim();
  if (name === 'price') return priceField(controller, label, wrong);
  return html`<div class="field" data-field=${name}>
    <label for=${`field-${name}`}>${label}</label>
    ${box(controller, name, described, wrong !== undefined)}
    ${wrong === undefined ? nothing : html`<p class="wrong" id=${`wrong-${name}`} role="alert">${wrong}</p>`}
    ${hint === undefined ? nothing : html`<p class="hint" id=${`hint-${name}`}>${t(hint)}</p>`}
    ${below}
  </div>`;
}

function box(controller: ModelsController, name: Exclude<Named, 'price'>, described: string, wrong: boolean): TemplateResult {
  const { values, words } = controller.state;
  const kind = name === 'title' ? 'text' : fieldKinds[name];
  const typed = (event: Event): void => { controller.type(name, (event.target as HTMLInputElement).value); };
  if (name === 'tools' || name === 'reasoningReplay') {
    const now = values[name] === '' ? fieldChoices[name][0] : values[name];
    return html`<select id=${`field-${name}`} .value=${live(now)} @change=${typed}>
      ${fieldChoices[name].map((choice) => html`<option value=${choice} ?selected=${choice === now}>${words.t(`models.choice.${choice}`)}</option>`)}
    </select>`;
  }
  if (kind === 'object') {
    return html`<textarea id=${`field-${name}`} class="json" rows="2" spellcheck="false" aria-invalid=${wrong} aria-describedby=${described} .value=${live(values[name])} @input=${typed}></textarea>`;
  }
  return html`<input
    id=${`field-${name}`}
    type="text"
    inputmode=${kind === 'number' ? 'decimal' : 'text'}
    spellcheck="false"
    autocomplete="off"
    aria-invalid=${wrong}
    aria-describedby=${described}
    .value=${live(values[name])}
    @input=${typed}
  />`;
}

function priceField({ state, type }: ModelsController, label: string, wrong: string | undefined): TemplateResult {
  const { t } = state.words;
  return html`<fieldset class="field price" data-field="price">
    <legend>${label}</legend>
    <div class="price-parts">
      ${priceParts.map((part) => {
        const name: FormField = `price.${part}`;
        return html`<label><span>${t(`models.price.${part}`)}</span>
          <input type="text" inputmode=${part === 'currency' ? 'text' : 'decimal'} placeholder=${part === 'currency' ? 'CNY' : ''} aria-invalid=${wrong !== undefined} .value=${live(state.values[name])} @input=${(event: Event) => { type(name, (event.target as HTMLInputElement).value); }} /></label>`;
      })}
    </div>
    ${wrong === undefined ? nothing : html`<p class="wrong" role="alert">${wrong}</p>`}
    <p class="hint">${t('models.hint.price')}</p>
  </fieldset>`;
}

/** The key: never shown, only how it ends. */
function keyField(controller: ModelsController): TemplateResult {
  const { state } = controller;
  const { t } = state.words;
  const { kind, mask } = state.profile?.key ?? { kind: 'none' as const, mask: undefined };
  const wrong = state.wrong?.field === 'key' ? state.wrong.text : undefined;
  const { origin } = state.address;
  return html`<div class="field" data-field="key">
    <label for="field-key">${t('models.key')}</label>
    <input id="field-key" type="password" autocomplete="off" spellcheck="false" aria-invalid=${wrong !== undefined} aria-describedby="hint-key" .value=${live(state.key)} @input=${(event: Event) => { controller.typeKey((event.target as HTMLInputElement).value); }} />
    ${wrong === undefined ? nothing : html`<p class="wrong" role="alert">${wrong}</p>`}
    <p class=${kind === 'lost' || kind === 'unreadable' ? 'hint key-state wrong' : 'hint key-state'} id="hint-key">${t(`models.key.${kind}`, mask ?? '')} ${origin === undefined || kind === 'unreadable' ? '' : t('models.key.where', origin)}</p>
    ${state.key === '' || state.profile?.title === '' ? nothing : html`<label class="check"><input type="checkbox" class="own-key" .checked=${live(state.ownKey)} @change=${(event: Event) => { controller.setOwnKey((event.target as HTMLInputElement).checked); }} />${t('models.key.ownOnly')}</label>`}
    ${mask === undefined ? nothing : html`<button type="button" class="link-button remove-key" @click=${() => controller.ask('removeKey', { title: state.profile?.title ?? '' })}>${t('models.key.remove')}</button>`}
  </div>`;
}
