import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { passageEvents, passageRequests, type Offered, type PassageState } from '../../src/protocol/passage';
import { passageStrings, type PassageStringKey } from '../../src/protocol/passage-strings';
import type { RequestOf, ResponseOf } from '../../src/protocol/envelope';
import { createConnection, type Connection } from '../shared/connection';
import { LightElement, define } from '../shared/element';
import { icon } from '../shared/icons';
import { createEnterHandler } from '../shared/ime';
import { createTranslator, type Translator } from '../shared/strings';
import type { VsCodeApi } from '../shared/vscode-api';
import { readOwnWords, type OwnWords } from './own-words';
import { cutRuns, sentencesOf } from './sentences';

type Requests = typeof passageRequests;

/** What a turn about a passage offers, side by side, and the ways to take it. */
export class PassageElement extends LightElement {
  static override properties: PropertyDeclarations = {
    state: { state: true },
    own: { state: true },
    editing: { state: true },
    copied: { state: true },
    failure: { state: true },
    busy: { state: true },
  };
  declare state: PassageState | undefined;
  declare own: OwnWords;
  /** Place of the version whose text is being changed. */
  declare editing: number | undefined;
  declare copied: number | undefined;
  declare failure: string | undefined;
  declare busy: boolean;

  #words: Translator<PassageStringKey> = createTranslator(passageStrings, {}, 'en');
  #api: VsCodeApi | undefined;
  #connection: Connection<typeof passageRequests> | undefined;
  #seq = -1;

  readonly #wishKeys = createEnterHandler({ enter: () => { this.#again(); } });

  constructor() {
    super();
    this.own = { turnId: '', edited: {} };
    this.busy = false;
  }

  start(api: VsCodeApi, target: Window): void {
    this.#api = api;
    this.#connection = createConnection({
      api,
      target,
      requests: passageRequests,
      onEvent: (event) => {
        const body = event.name === 'state' ? passageEvents.state.safeParse(event.body) : undefined;
        if (body?.success !== true || event.seq <= this.#seq) return;
        this.#seq = event.seq;
        this.#take(body.data);
      },
    });
    const ask = (): void => {
      void this.#act('ready', {}).then((answer) => {
        if (answer === undefined) return;
        this.#words = createTranslator(passageStrings, answer.strings, answer.locale);
        document.documentElement.lang = answer.locale;
        this.#take(answer.state);
      });
    };
    target.document.addEventListener('visibilitychange', () => { if (target.document.visibilityState === 'visible') ask(); });
    ask();
  }

  #take(state: PassageState): void {
    if (this.own.turnId !== state.turnId && this.#api) {
      this.own = readOwnWords(this.#api, state.turnId);
      this.editing = undefined;
    }
    this.state = state;
  }

  #keep(change: Partial<OwnWords>): void {
    this.own = { ...this.own, ...change };
    this.#api?.setState(this.own);
  }

  async #act<N extends keyof Requests & string>(name: N, body: RequestOf<Requests, N>): Promise<ResponseOf<Requests, N> | undefined> {
    try {
      this.failure = undefined;
      return await this.#connection?.request(name, body);
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
      return undefined;
    }
  }

  #text(index: number): string {
    return this.own.edited[String(index)] ?? this.state?.offers[index]?.text ?? '';
  }

  async #accept(text: string): Promise<void> {
    if (this.busy || text === '') return;
    this.busy = true;
    const done = await this.#act('accept', { text });
    if (done !== undefined) this.#keep({ taken: text });
    this.busy = false;
  }

  #again(): void {
    if (this.state?.phase === 'running') return;
    void this.#act('again', { wish: this.own.wish ?? this.state?.wish ?? '' });
  }

  protected override render(): TemplateResult | typeof nothing {
    const { state } = this;
    if (state === undefined) return html`<p class="waiting" role="status">…</p>`;
    const { t } = this.#words;
    return html`
      <header class="head">
        <h1>${t(`task.${state.task}`)}</h1>
        <button type="button" class="link-button place" title=${t('reveal')} @click=${() => this.#act('reveal', {})}>${state.lines[0] === state.lines[1] ? t('place.line', state.path, state.lines[0]) : t('place', state.path, ...state.lines)}</button>
        ${state.wish === '' ? nothing : html`<p class="wish">${state.wish}</p>`}
      </header>
      ${this.#original(state)}
      ${state.remark === '' ? nothing : html`<p class="remark">${state.remark}</p>`}
      <div class="offers offers-${Math.max(1, state.offers.length)}">${state.offers.map((offer, index) => this.#offer(state, offer, index))}</div>
      ${this.#mix(state)}
      ${this.failure === undefined
        ? nothing
        : html`<div class="failure" role="alert">${icon('error')}<span>${this.failure}</span>
            <button type="button" class="icon-button" title=${t('refused')} aria-label=${t('refused')} @click=${() => { this.failure = undefined; }}>${icon('close')}</button></div>`}
      ${this.#foot(state)}
    `;
  }

  #original(state: PassageState): TemplateResult | typeof nothing {
    if (state.original.text === '') return nothing;
    const { t, n } = this.#words;
    return html`<details class="original" ?open=${state.offers.length < 2}>
      <summary>${icon('chevron-right', 'twistie')}<span>${t(state.task === 'continue' ? 'original.before' : 'original')}</span><span class="count">${n('words', state.original.words)}</span></summary>
      <div class="prose">${state.original.text}</div>
    </details>`;
  }

  #offer(state: PassageState, offer: Offered, index: number): TemplateResult {
    const { t, n } = this.#words;
    const name = state.offers.length === 1 ? t('offer.only') : t('offer', index + 1);
    const running = state.phase === 'running';
    const editing = this.editing === index;
    const changed = this.own.edited[String(index)] !== undefined;
    const taken = state.phase === 'accepted' && this.own.taken === this.#text(index);
    return html`<section class="offer ${taken ? 'offer-taken' : ''}" aria-label=${name}>
      <h2>${name}<span class="count">${n('words', offer.words)}</span>${taken ? html`<span class="taken">${icon('check')}${t('offer.taken')}</span>` : nothing}</h2>
      ${editing
        ? html`<textarea
            class="prose edit"
            aria-label=${t('offer.editLabel', index + 1)}
            .value=${live(this.#text(index))}
            @input=${(event: Event) => { this.#keep({ edited: { ...this.own.edited, [String(index)]: (event.target as HTMLTextAreaElement).value } }); }}
          ></textarea>`
        : html`<div class="prose" aria-busy=${running}>${changed ? this.#text(index) : this.#runs(offer, state)}</div>`}
      <div class="buttons">
        <vscode-button appearance=${state.phase === 'accepted' ? 'secondary' : 'primary'} ?disabled=${running || this.busy || taken} @click=${() => this.#accept(this.#text(index))}>${t('offer.accept')}</vscode-button>
        <button type="button" class="text-button" ?disabled=${running} @click=${() => { this.editing = editing ? undefined : index; }}>${t(editing ? 'offer.editDone' : 'offer.edit')}</button>
        <button type="button" class="text-button" ?disabled=${running} @click=${() => this.#copy(index)}>${t(this.copied === index ? 'offer.copied' : 'offer.copy')}</button>
      </div>
    </section>`;
  }

  /** With a mixed version open, every sentence is a button that puts it there. */
  #runs(offer: Offered, state: PassageState): TemplateResult {
    const runs = offer.runs ?? [{ text: offer.text, fresh: false }];
    const shown = (run: { readonly text: string; readonly fresh: boolean }): TemplateResult | string => (run.fresh ? html`<ins>${run.text}</ins>` : run.text);
    if (this.own.mix === undefined || state.phase === 'running') return html`${runs.map(shown)}`;
    const sentences = sentencesOf(offer.text);
    const { t } = this.#words;
    return html`${cutRuns(runs, sentences).map(
      (own, at) => html`<button type="button" class="sentence" title=${t('mix.add')} @click=${() => { this.#keep({ mix: (this.own.mix ?? '') + (sentences[at] ?? '') }); }}>${own.map(shown)}</button>`,
    )}`;
  }

  async #copy(index: number): Promise<void> {
    await this.#act('copy', { text: this.#text(index) });
    if (this.failure !== undefined) return;
    this.copied = index;
    setTimeout(() => { if (this.copied === index) this.copied = undefined; }, 2_000);
  }

  #mix(state: PassageState): TemplateResult | typeof nothing {
    const { t } = this.#words;
    if (state.offers.length < 2 || state.phase === 'running') return nothing;
    const { mix } = this.own;
    if (mix === undefined) {
      return html`<div class="mix-start"><button type="button" class="text-button" @click=${() => { this.#keep({ mix: '' }); }}>${icon('combine')}${t('mix.start')}</button></div>`;
    }
    return html`<section class="mix" aria-label=${t('mix.title')}>
      <h2>${t('mix.title')}</h2>
      <p class="hint">${t('mix.hint')}</p>
      <textarea class="prose edit" aria-label=${t('mix.label')} .value=${live(mix)} @input=${(event: Event) => { this.#keep({ mix: (event.target as HTMLTextAreaElement).value }); }}></textarea>
      <div class="buttons"><vscode-button ?disabled=${this.busy || mix.trim() === ''} @click=${() => this.#accept(mix.replace(/\n+$/, ''))}>${t('mix.accept')}</vscode-button></div>
    </section>`;
  }

  #foot(state: PassageState): TemplateResult {
    const { t } = this.#words;
    const running = state.phase === 'running';
    return html`<footer class="foot">
      <p class="phase phase-${state.phase}" role="status">${running ? html`<vscode-progress-ring></vscode-progress-ring>` : nothing}${state.error ?? t(`phase.${state.phase}`)}</p>
      ${running
        ? html`<vscode-button appearance="secondary" @click=${() => this.#act('stop', {})}>${t('stop')}</vscode-button>`
        : html`<div class="again">
            <input
              type="text"
              class="wish-box"
              aria-label=${t('again.wish')}
              placeholder=${t('again.wish')}
              .value=${live(this.own.wish ?? state.wish)}
              @input=${(event: Event) => { this.#keep({ wish: (event.target as HTMLInputElement).value }); }}
              @keydown=${this.#wishKeys.keydown}
              @compositionstart=${this.#wishKeys.compositionstart}
              @compositionend=${this.#wishKeys.compositionend}
            />
            <vscode-button appearance="secondary" @click=${() => { this.#again(); }}>${t('again')}</vscode-button>
            <button type="button" class="text-button" @click=${() => this.#act('close', {})}>${t('close')}</button>
          </div>`}
    </footer>`;
  }
}

define('liyuan-passage', PassageElement);
