import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ChatSnapshot, ChatStatus } from '../../src/protocol/chat';
import { LightElement, define } from '../shared/element';
import { icon } from '../shared/icons';
import { createEnterHandler } from '../shared/ime';
import type { ChatContext } from './context';
import './session-menu';
import './toggles';

/** What is selected is looked for: pressing the button must not take the selection away. */
const keepSelection = (event: Event): void => { event.preventDefault(); };

/** Which conversation is shown, how to get to others, and which model writes. */
class HeaderElement extends LightElement {
  static override properties: PropertyDeclarations = {
    context: { attribute: false },
    session: { attribute: false },
    status: { attribute: false },
    menu: { state: true },
    renaming: { state: true },
  };
  declare context: ChatContext;
  declare session: ChatSnapshot['session'];
  declare status: ChatStatus;
  declare menu: boolean;
  declare renaming: boolean;

  readonly #keys = createEnterHandler({
    enter: () => { this.#rename(); },
    escape: () => void this.#endRename(),
  });

  constructor() {
    super();
    this.menu = false;
    this.renaming = false;
  }

  protected override render(): TemplateResult {
    return html`<header class="bar">${this.renaming ? this.#renameBox() : this.#title()}<liyuan-toggles .context=${this.context} .readOnly=${this.status.readOnly}></liyuan-toggles>${this.#model()}</header>`;
  }

  #title(): TemplateResult {
    const { t } = this.context.words;
    const title = this.session === undefined || this.session.title === '' ? t('header.untitled') : this.session.title;
    return html`<div class="session-anchor">
        <button
          type="button"
          class="session-button"
          aria-haspopup="listbox"
          aria-expanded=${this.menu}
          title=${t('header.sessions')}
          @click=${() => { this.menu = !this.menu; }}
          @keydown=${this.#menuKeys}
        >
          <span class="session-name">${title}</span>${icon('chevron-down')}
        </button>
        ${this.menu ? html`<liyuan-session-menu .context=${this.context} @liyuan-close=${this.#closeMenu}></liyuan-session-menu>` : nothing}
      </div>
      <button
        type="button"
        class="icon-button rename"
        title=${t('header.rename')}
        aria-label=${t('header.rename')}
        ?disabled=${this.session === undefined || this.status.readOnly}
        @click=${this.#startRename}
      >
        ${icon('edit')}
      </button>
      <button type="button" class="icon-button find-open" title=${t('find.open')} aria-label=${t('find.open')} ?disabled=${this.session === undefined} @mousedown=${keepSelection} @click=${() => { this.dispatchEvent(new CustomEvent('liyuan-find')); }}>
        ${icon('search')}
      </button>
      <button type="button" class="icon-button new-session" title=${t('header.newSession')} aria-label=${t('header.newSession')} @click=${() => this.context.act('newSession', {})}>
        ${icon('add')}
      </button>`;
  }

  #renameBox(): TemplateResult {
    const { t } = this.context.words;
    return html`<div
      class="rename-box"
      @keydown=${this.#keys.keydown}
      @compositionstart=${this.#keys.compositionstart}
      @compositionend=${this.#keys.compositionend}
    >
      <vscode-text-field class="rename-field" .value=${this.session?.title ?? ''} aria-label=${t('header.renameLabel')}></vscode-text-field>
      <button type="button" class="icon-button" title=${t('header.renameSave')} aria-label=${t('header.renameSave')} @click=${this.#rename}>${icon('check')}</button>
      <button type="button" class="icon-button" title=${t('header.renameCancel')} aria-label=${t('header.renameCancel')} @click=${() => void this.#endRename()}>
        ${icon('close')}
      </button>
    </div>`;
  }

  #model(): TemplateResult {
    const { t } = this.context.words;
    const { name, rehearsal, configured } = this.status.model;
    const title = rehearsal ? t('header.rehearsalHint') : configured ? t('header.model', name) : t('header.configureModel');
    const shown = rehearsal ? nothing : html`<span class="model-name">${configured && name !== '' ? name : t('header.configureModel')}</span>`;
    return html`<button type="button" class="model" title=${title} aria-label=${title} @click=${() => this.context.act('action', { action: 'switchModel' })}>
      ${icon('sparkle')}${rehearsal ? html`<span class="badge rehearsal">${t('header.rehearsal')}</span>` : nothing}${shown}
    </button>`;
  }

  readonly #menuKeys = (event: KeyboardEvent): void => {
    const wanted = event.key === 'ArrowDown' ? true : event.key === 'Escape' && this.menu ? false : undefined;
    if (wanted === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.menu = wanted;
  };

  readonly #closeMenu = (): void => {
    const hadFocus = this.querySelector('liyuan-session-menu')?.contains(document.activeElement) === true;
    this.menu = false;
    if (hadFocus) this.querySelector<HTMLElement>('.session-button')?.focus();
  };

  readonly #startRename = (): void => {
    this.menu = false;
    this.renaming = true;
    void this.updateComplete.then(() => {
      const field = this.querySelector('vscode-text-field');
      requestAnimationFrame(() => {
        if (!(field instanceof HTMLElement)) return;
        field.focus();
        field.shadowRoot?.querySelector('input')?.select();
      });
    });
  };

  readonly #rename = (): void => {
    const field = this.querySelector<HTMLElement & { value: string }>('vscode-text-field');
    const title = field?.value.trim() ?? '';
    if (title !== '' && title !== this.session?.title) void this.context.act('renameSession', { title });
    void this.#endRename();
  };

  async #endRename(): Promise<void> {
    this.renaming = false;
    await this.updateComplete;
    this.querySelector<HTMLElement>('.rename')?.focus();
  }
}

define('liyuan-chat-header', HeaderElement);
