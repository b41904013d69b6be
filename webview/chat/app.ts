import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import type { ChatItem } from '../../src/protocol/chat';
import type { ChunkListElement } from '../shared/chunk-list';
import '../shared/chunk-list';
import { LightElement, define } from '../shared/element';
import { createFollower, type Follower } from '../shared/follow';
import { icon } from '../shared/icons';
import { createEnterHandler, isTyping } from '../shared/ime';
import { forFrames } from '../shared/next-frame';
import { announcement } from './announcer';
import type { ComposerElement } from './composer';
import './composer';
import { isBusy, type RowEnvironment } from './context';
import type { ChatController } from './controller';
import './context-meter';
import { createFinder } from './find/finder';
import type { HeaderElement } from './header';
import './header';
import { AskElement } from './items/ask-card';
import { chatRows } from './items/row';
import { copyPlain } from './copy-plain';
import { moveBetweenRows } from './row-keys';
import './phase-line';
import type { Place } from './view-state';
import { emptyConversation, noProject } from './welcome';

const savePlaceAfterMs = 200;

/** The chat view. Everything it shows comes from its controller. */
export class ChatElement extends LightElement {
  static override properties: PropertyDeclarations = {
    controller: { attribute: false },
    shown: { state: true },
    following: { state: true },
    newBelow: { state: true },
    spoken: { state: true },
    taking: { state: true },
  };
  declare controller: ChatController | undefined;
  /** Counts renders asked for by the controller. */
  declare shown: number;
  declare following: boolean;
  /** Something arrived below while the reader is further up. */
  declare newBelow: boolean;
  /** Last words for screen readers. */
  declare spoken: string;
  /** Another window has been asked for the session. */
  declare taking: boolean;

  readonly #scroller = createRef<HTMLElement>();
  readonly #content = createRef<HTMLElement>();
  readonly #list = createRef<ChunkListElement>();
  readonly #composer = createRef<ComposerElement>();
  #follower: Follower | undefined;
  readonly #finder = createFinder(this, {
    list: () => this.#list.value,
    scroller: () => this.#scroller.value,
    release: () => { this.#follower?.release(); },
  });
  #env: RowEnvironment | undefined;
  #shownRevision = 0;
  #placeTimer: ReturnType<typeof setTimeout> | undefined;
  #restored = false;

  constructor() {
    super();
    this.shown = 0;
    this.following = true;
    this.newBelow = false;
    this.spoken = '';
    this.taking = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('keydown', this.#numberKey);
    document.addEventListener('keydown', this.#finder.keydown);
    document.addEventListener('keydown', this.#escape.keydown);
    document.addEventListener('compositionstart', this.#escape.compositionstart);
    document.addEventListener('compositionend', this.#escape.compositionend);
    addEventListener('focus', this.#focused);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.#numberKey);
    document.removeEventListener('keydown', this.#finder.keydown);
    document.removeEventListener('keydown', this.#escape.keydown);
    document.removeEventListener('compositionstart', this.#escape.compositionstart);
    document.removeEventListener('compositionend', this.#escape.compositionend);
    removeEventListener('focus', this.#focused);
    this.#follower?.dispose();
    this.#follower = undefined;
  }

  protected override updated(): void {
    const { controller } = this;
    if (!controller) return;
    const scroller = this.#scroller.value;
    const content = this.#content.value;
    if (!this.#follower && scroller && content) {
      this.#follower = createFollower({
        scroller,
        content,
        // An empty conversation shows what it is for, from the top.
        worthFollowing: () => controller.conversation.items.length > 0,
        onChange: (following) => {
          this.following = following;
          if (following) this.newBelow = false;
        },
        onScroll: () => { this.#savePlaceSoon(); },
      });
      controller.start({
        onChange: () => { this.#onChange(controller); },
        onSnapshot: () => { void this.#onSnapshot(controller); },
        onSettled: (items) => { this.#announce(controller, items); },
        onPrefill: (text, mentions) => { void this.updateComplete.then(() => this.#composer.value?.prefill(text, mentions)); },
        onMentionsWait: () => { void this.updateComplete.then(() => this.#composer.value?.takeMentions()); },
        compose: (text) => this.#composer.value?.compose(text),
        onOpen: (what) => { void this.updateComplete.then(() => { this.#open(what); }); },
      });
    }
  }

  #onChange(controller: ChatController): void {
    if (controller.revision !== this.#shownRevision) {
      this.#shownRevision = controller.revision;
      if (!this.following) this.newBelow = true;
    }
    this.shown += 1;
  }

  async #onSnapshot(controller: ChatController): Promise<void> {
    document.documentElement.lang = controller.context.words.locale;
    this.#env = undefined;
    const { conversation, context } = controller;
    const first = !this.#restored;
    this.#restored = true;
    this.shown += 1;
    await this.updateComplete;
    // A view that was opened by a command had the focus before there was a box to take it.
    if (first && document.hasFocus()) this.#focused();
    const { place, sessionId } = context.view;
    const sameSession = sessionId === conversation.session?.id;
    if (first && place && sameSession && (await this.#goTo(place))) return;
    if (!first && !this.following && sameSession && conversation.items.length > 0) return;
    this.#follower?.jump();
  }

  async #goTo(place: Place): Promise<boolean> {
    this.#follower?.release();
    const row = await this.#list.value?.reveal(place.id);
    const scroller = this.#scroller.value;
    if (!row || !scroller) return false;
    forFrames(2, () => { scroller.scrollTop += row.getBoundingClientRect().top - scroller.getBoundingClientRect().top + place.offset; });
    return true;
  }

  #savePlaceSoon(): void {
    this.#placeTimer ??= setTimeout(() => {
      this.#placeTimer = undefined;
      const { controller } = this;
      controller?.context.view.setPlace(controller.conversation.session?.id, this.#place());
    }, savePlaceAfterMs);
  }

  #place(): Place | undefined {
    const scroller = this.#scroller.value;
    if (this.following || !scroller) return undefined;
    const top = scroller.getBoundingClientRect().top;
    const row = this.#list.value?.rowAt(top);
    const id = row?.dataset['id'];
    return row && id !== undefined ? { id, offset: top - row.getBoundingClientRect().top } : undefined;
  }

  #announce(controller: ChatController, items: readonly ChatItem[]): void {
    const words = items.map((item) => announcement(item, controller.context)).filter((text) => text !== undefined);
    if (words.length === 0) return;
    const spoken = words.join('\n');
    // The same words twice in a row are still said twice.
    this.spoken = spoken === this.spoken ? `${spoken}\u00a0` : spoken;
  }

  #openAsk(): Extract<ChatItem, { kind: 'ask' }> | undefined {
    const item = this.controller?.conversation.items.findLast((one) => one.kind === 'ask');
    return item?.kind === 'ask' && item.state === 'open' ? item : undefined;
  }

  /** Words of the step that runs, for the line above the box. */
  #doing(controller: ChatController): string | undefined {
    const { status, items } = controller.conversation;
    const last = items.at(-1);
    if (status.phase === 'generating' && last?.kind === 'assistant' && last.text === '' && last.reasoning !== '') {
      return controller.context.words.t('phase.thinking');
    }
    if (last?.kind !== 'tool' || (last.state !== 'running' && last.state !== 'streaming')) return undefined;
    return status.phase === 'tools' || status.phase === 'generating' ? last.title : undefined;
  }

  #environment(controller: ChatController): RowEnvironment {
    const { context, conversation } = controller;
    const busy = isBusy(conversation.status);
    const { readOnly } = conversation.status;
    const lastTurn = conversation.items.findLast((item) => item.kind === 'user')?.id;
    if (this.#env?.context !== context || this.#env.busy !== busy || this.#env.readOnly !== readOnly || this.#env.lastTurn !== lastTurn) {
      this.#env = { context, busy, readOnly, lastTurn };
    }
    return this.#env;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { controller } = this;
    if (!controller) return nothing;
    const { context, conversation, link } = controller;
    const { t } = context.words;
    const open = conversation.project === 'open';
    const { status } = conversation;
    return html`
      ${open && link !== 'connecting'
        ? html`<liyuan-chat-header .context=${context} .session=${conversation.session} .status=${status}></liyuan-chat-header>
            ${status.usage === undefined ? nothing : html`<liyuan-context-meter .context=${context} .usage=${status.usage}></liyuan-context-meter>`}`
        : nothing}
      <div class="log-frame">
        <main class="log" role="log" aria-live="off" aria-label=${t('log.label')} tabindex="0" ${ref(this.#scroller)} @keydown=${moveBetweenRows} @liyuan-answered=${this.#answered} @liyuan-again=${this.#again} @copy=${copyPlain}>
          <div class="log-content" ${ref(this.#content)}>
            ${this.#placeholder(controller)}
            <liyuan-chunk-list
              ${ref(this.#list)}
              .renderer=${chatRows}
              .root=${this.#scroller.value}
              .items=${conversation.items}
              .revision=${controller.revision}
              .env=${this.#environment(controller)}
            ></liyuan-chunk-list>
          </div>
        </main>
        ${this.#finder.template(controller)}
        ${this.following || conversation.items.length === 0
          ? nothing
          : html`<button type="button" class="jump ${this.newBelow ? 'jump-new' : ''}" title=${t('log.jump')} @click=${this.#jump}>
              ${icon('arrow-down')}<span>${t(this.newBelow ? 'log.jumpNew' : 'log.jump')}</span>
            </button>`}
      </div>
      ${open && link === 'ready' ? this.#foot(controller) : nothing}
      <div class="sr-only" aria-live="polite" aria-atomic="true">${this.spoken}</div>
    `;
  }

  #placeholder(controller: ChatController): TemplateResult | typeof nothing {
    const { context, conversation, link } = controller;
    const { t } = context.words;
    if (link === 'lost') {
      return html`<div class="welcome" role="alert">
        <p>${t('app.lost')}</p>
        <vscode-button class="wide" @click=${() => { controller.refresh(); }}>${t('app.reconnect')}</vscode-button>
      </div>`;
    }
    if (link === 'connecting') {
      return html`<div class="welcome welcome-wait" role="status"><vscode-progress-ring></vscode-progress-ring><p>${t('app.connecting')}</p></div>`;
    }
    if (conversation.project === 'none') return noProject(context, conversation.lacking);
    return conversation.items.length === 0 ? emptyConversation(context, conversation) : nothing;
  }

  #foot(controller: ChatController): TemplateResult {
    const { context, conversation, failure } = controller;
    const { t } = context.words;
    const { status } = conversation;
    const ask = this.#openAsk();
    return html`<footer class="foot">
      <liyuan-phase .context=${context} .phase=${status.phase} ?hidden=${ask !== undefined} .doing=${this.#doing(controller)}></liyuan-phase>
      ${failure === undefined
        ? nothing
        : html`<div class="strip strip-error" role="alert">
            ${icon('error')}<span class="strip-text">${failure}</span>
            <button type="button" class="icon-button" title=${t('app.dismiss')} aria-label=${t('app.dismiss')} @click=${() => { controller.dismissFailure(); }}>
              ${icon('close')}
            </button>
          </div>`}
      ${status.readOnly
        ? html`<div class="strip read-only" role="status">${icon('lock')}<span class="strip-text">${status.readOnlyReason ?? t('readOnly.label')}</span>
            ${status.elsewhere === true ? html`<button type="button" class="link-button take-over" ?disabled=${this.taking} @click=${this.#takeOver}>${t('readOnly.takeOver')}</button>` : nothing}
          </div>`
        : nothing}
      <liyuan-composer
        ${ref(this.#composer)}
        .context=${context}
        .status=${status}
        .ask=${ask}
        .sessionId=${conversation.session?.id}
        .saved=${conversation.draft}
        .savedMentions=${conversation.draftMentions}
        .lastTurn=${this.#environment(controller).lastTurn}
        .queue=${conversation.queue}
        @liyuan-sent=${this.#jump}
        @liyuan-to-ask=${this.#toAsk}
      ></liyuan-composer>
    </footer>`;
  }

  #open(what: 'rename' | 'find'): void {
    if (what === 'rename') this.querySelector<HeaderElement>('liyuan-chat-header')?.startRename();
    else if (this.controller !== undefined && this.controller.conversation.items.length > 0) this.#finder.open();
  }

  readonly #takeOver = (): void => {
    const { controller } = this;
    if (controller === undefined) return;
    this.taking = true;
    void controller.context.act('takeOver', {}).finally(() => { this.taking = false; });
  };

  readonly #jump = (): void => {
    this.#follower?.jump();
  };

  /** The view was given the focus as a whole: one wants to type. A click or Tab goes on to where it leads. */
  readonly #focused = (): void => {
    if (document.activeElement === document.body) this.#composer.value?.focusBox();
  };

  #askElement(): AskElement | undefined {
    const ask = this.#openAsk();
    const found = ask && this.querySelector(`.row[data-id="${CSS.escape(ask.id)}"] liyuan-ask`);
    return found instanceof AskElement ? found : undefined;
  }

  readonly #toAsk = (): void => {
    this.#follower?.jump();
    const card = this.#askElement();
    (card?.querySelector<HTMLElement>('.ask-option') ?? card?.querySelector('textarea'))?.focus();
  };

  /** A message was sent again: its row goes, and the focus with it. */
  readonly #again = (): void => {
    this.#follower?.jump();
    this.#composer.value?.focusBox();
  };

  readonly #answered = (): void => { this.#composer.value?.focusBox(); };

  /** Escape stops the turn that runs, unless it belongs to an input method, to something open, or to a box that has its own use for it. */
  readonly #escape = createEnterHandler({
    escape: (event) => {
      const { controller } = this;
      if (!controller || event.defaultPrevented || !isBusy(controller.conversation.status) || this.querySelector('.popup')) return false;
      void controller.context.act('stop', {});
      return true;
    },
  });

  /** A digit chooses an option of the open question, wherever the focus is, unless one is typing or in the list of conversations. */
  readonly #numberKey = (event: KeyboardEvent): void => {
    if (!/^[1-9]$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    if (event.target instanceof Element && event.target.closest('.popup')) return;
    const card = this.#askElement();
    if (!card) return;
    event.preventDefault();
    card.choose(Number(event.key) - 1);
  };
}

define('liyuan-chat', ChatElement);
