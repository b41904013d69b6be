import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { PageProfile } from '../../src/protocol/models';
import '../shared/confirm-button';
import { LightElement, define } from '../shared/element';
import { icon } from '../shared/icons';
import { createEnterHandler } from '../shared/ime';
import type { ModelsController, ModelsState } from './controller';
import { profileForm } from './fields';
import { probeView } from './probe-view';

/** The page of the models: a list of them, and the one that is chosen as a form. */
export class ModelsElement extends LightElement {
  static override properties: PropertyDeclarations = { controller: { attribute: false }, shown: { state: true } };
  declare controller: ModelsController | undefined;
  /** Counts changes of the controller. */
  declare shown: number;
  #started = false;
  readonly #keys = createEnterHandler({ enter: () => { void this.controller?.save(); } });
  /** Lines of a test that are seen already. */
  #linesSeen = 0;
  /** The field whose problem has the focus already. */
  #pointedAt: string | undefined;

  constructor() {
    super();
    this.shown = 0;
  }

  protected override updated(): void {
    if (this.controller === undefined) return;
    if (!this.#started) {
      this.#started = true;
      this.controller.start(() => { this.shown += 1; });
    }
    const field = this.controller.state.wrong?.field;
    if (field !== this.#pointedAt && field !== undefined) {
      const box = this.querySelector<HTMLElement>(`[data-field="${field}"] [aria-invalid="true"]`);
      const folded = box?.closest('details');
      if (folded !== null && folded !== undefined) folded.open = true;
      box?.focus();
    }
    this.#pointedAt = field;
    const lines = this.controller.state.probe?.lines.length ?? 0;
    if (lines > this.#linesSeen) this.querySelector('.probe')?.scrollIntoView({ block: 'nearest' });
    this.#linesSeen = lines;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { controller } = this;
    if (controller === undefined) return nothing;
    const { state } = controller;
    const { t } = state.words;
    if (state.snapshot === undefined) return html`<p class="note" role="status">${state.said?.text ?? t('models.connecting')}</p>`;
    return html`<h1>${t('models.title')}</h1>
      <div class="page">
        ${this.#list(controller)}
        <main class="profile" aria-label=${titleOf(state.profile, state)}>
          ${this.#head(controller)} ${profileForm(controller, this.#keys)} ${this.#foot(controller)} ${probeView(controller)}
        </main>
      </div>`;
  }

  #list(controller: ModelsController): TemplateResult {
    const { state } = controller;
    const { t } = state.words;
    return html`<nav class="list" aria-label=${t('models.list')}>
      <ul>
        ${state.snapshot?.profiles.map((profile) => {
          const marks = marksOf(profile, state);
          const current = profile.title === state.profile?.title;
          return html`<li>
            <button type="button" class="item" aria-current=${current ? 'true' : 'false'} data-title=${profile.title} @click=${() => { controller.select(profile.title); }}>
              <span class="item-title">${titleOf(profile, state)}</span>
              <span class="item-name">${profile.problem === undefined ? nothing : html`${icon('warning')} `}${profile.entry.name ?? (profile.title === '' && profile.url === '' ? t('models.rehearsal') : '')}</span>
              ${marks.length === 0 ? nothing : html`<span class="marks">${marks.map((mark) => html`<span class="badge">${mark}</span>`)}</span>`}
            </button>
          </li>`;
        })}
        ${state.profile === undefined ? html`<li><button type="button" class="item" aria-current="true"><span class="item-title">${t('models.untitled')}</span></button></li>` : nothing}
      </ul>
      <div class="buttons">
        <button type="button" class="text-button add" @click=${() => { controller.add(); }}>${icon('add')}${t('models.add')}</button>
        <button type="button" class="text-button import" @click=${() => controller.ask('importFile', {})}>${t('models.import')}</button>
        <button type="button" class="text-button export" @click=${() => controller.ask('exportFile', {})}>${t('models.export')}</button>
      </div>
    </nav>`;
  }

  #head(controller: ModelsController): TemplateResult {
    const { state } = controller;
    const { profile, snapshot } = state;
    const { t } = state.words;
    const writes = profile !== undefined && profile.title === snapshot?.writing;
    const side = profile !== undefined && profile.title !== '' && profile.title === snapshot?.side;
    return html`<header class="head">
      <h2>${titleOf(profile, state)}${profile?.ofFolder === true ? html`<span class="muted">${t('models.ofFolder')}</span>` : nothing}</h2>
      ${profile === undefined
        ? nothing
        : html`<div class="buttons roles">
            ${writes ? html`<span class="role">${icon('check')}${t('models.isWriting')}</span>` : html`<button type="button" class="text-button use-writing" @click=${() => controller.ask('use', { title: profile.title, role: 'writing' })}>${t('models.useWriting')}</button>`}
            ${side
              ? html`<span class="role">${icon('check')}${t('models.isSide')}</span>`
              : profile.title === ''
                ? nothing
                : html`<button type="button" class="text-button use-side" @click=${() => controller.ask('use', { title: profile.title, role: 'side' })}>${t('models.useSide')}</button>`}
          </div>`}
      ${profile?.problem === undefined ? nothing : html`<p class="problem" role="alert">${icon('warning')} ${profile.problem}</p>`}
    </header>`;
  }

  #foot(controller: ModelsController): TemplateResult {
    const { state } = controller;
    const { profile } = state;
    const { t } = state.words;
    return html`<div class="foot">
      <div class="buttons">
        <vscode-button class="save" ?disabled=${!state.dirty} @click=${() => controller.save()}>${t('models.save')}</vscode-button>
        ${state.dirty ? html`<button type="button" class="text-button discard" @click=${() => { controller.discard(); }}>${t('models.discard')}</button><span class="muted unsaved">${t('models.unsaved')}</span>` : nothing}
        ${profile === undefined || profile.title === '' || state.dirty
          ? nothing
          : html`<liyuan-confirm-button
              class="remove"
              .label=${t('models.remove')}
              .question=${t('models.removeAsk')}
              .yes=${t('models.removeYes')}
              .no=${t('models.removeNo')}
              .glyph=${'trash'}
              @liyuan-confirm=${() => controller.ask('remove', { title: profile.title })}
            ></liyuan-confirm-button>`}
      </div>
      <p class="said" role="status" data-level=${state.said?.level ?? 'info'}>${state.said?.text ?? ''}</p>
    </div>`;
  }
}

function titleOf(profile: PageProfile | undefined, { words }: ModelsState): string {
  if (profile === undefined) return words.t('models.untitled');
  return profile.title === '' ? words.t('models.default') : profile.title;
}

function marksOf({ title, ofFolder }: PageProfile, { snapshot, words }: ModelsState): readonly string[] {
  return [
    ...(title === snapshot?.writing ? [words.t('models.writes')] : []),
    ...(title !== '' && title === snapshot?.side ? [words.t('models.side')] : []),
    ...(ofFolder ? [words.t('models.ofFolder')] : []),
  ];
}

define('liyuan-models', ModelsElement);
