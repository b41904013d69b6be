import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ChatItem } from '../../../src/protocol/chat';
import type { ChatStringKey } from '../../../src/protocol/chat-strings';
import '../../shared/confirm-button';
import { LightElement, define } from '../../shared/element';
import { splitPath } from '../../shared/format';
import { buttonIcon, icon } from '../../shared/icons';
import type { RowEnvironment } from '../context';
import { fileButton, fileList, filesSum } from './file-rows';

type Proposal = Extract<ChatItem, { kind: 'proposal' }>;
type ProposedFile = Proposal['files'][number];
type Verb = 'accept' | 'use' | 'reject' | 'reopen' | 'open';

const glyphs = { create: 'diff-added', modify: 'diff-modified', rename: 'diff-renamed', delete: 'diff-removed' } as const;
const waits = ({ state }: ProposedFile): boolean => state === 'pending' || state === 'conflict';

/** 「本轮提议」: the files a turn would change, each to compare, accept or reject. */
class ProposalElement extends LightElement {
  static override properties: PropertyDeclarations = {
    item: { attribute: false },
    env: { attribute: false },
    all: { state: true },
    deciding: { state: true },
  };
  declare item: Proposal;
  declare env: RowEnvironment;
  declare all: boolean;
  /** A decision is on its way. */
  declare deciding: boolean;

  constructor() {
    super();
    this.all = false;
    this.deciding = false;
  }

  protected override render(): TemplateResult {
    const { item, env } = this;
    const { words } = env.context;
    const waiting = item.files.filter(waits);
    const clear = waiting.filter(({ state }) => state === 'pending').map(({ id }) => id);
    const counted = item.files.filter(({ state }) => state !== 'carried');
    return html`<div class="card changes proposal">
      <div class="card-head">
        ${icon('git-pull-request-draft', 'card-glyph')}
        <span class="card-title">${words.t('proposal.title')}</span>
        <span class="card-sum">${filesSum(item.files, counted, words)}</span>
        ${waiting.length === 0 ? nothing : html`<span class="badge">${words.n('proposal.waiting', waiting.length)}</span>`}
      </div>
      ${fileList(item.files, this.all, words, (file) => this.#file(file), () => { this.all = true; })}
      ${this.#buttons(waiting, clear)}
    </div>`;
  }

  #buttons(waiting: readonly ProposedFile[], clear: readonly string[]): TemplateResult {
    const { env } = this;
    const { words } = env.context;
    const accepted = this.item.files.some((file) => file.accepted > 0);
    return html`<div class="buttons">
      ${clear.length === 0
        ? nothing
        : html`<vscode-button class="small proposal-accept-all" ?disabled=${this.#still} @click=${() => this.#decide('accept', clear)}
            >${buttonIcon('check-all')}${words.t('proposal.acceptAll')}</vscode-button
          >`}
      ${waiting.length === 0
        ? nothing
        : html`<liyuan-confirm-button
            class="proposal-reject-all"
            .label=${words.t('proposal.rejectAll')}
            .question=${words.t('proposal.rejectAllConfirm')}
            .yes=${words.t('proposal.rejectAll')}
            .no=${words.t('proposal.rejectAllNo')}
            .disabled=${this.#still}
            @liyuan-confirm=${() => this.#decide('reject', waiting.map(({ id }) => id))}
          ></liyuan-confirm-button>`}
      ${accepted
        ? html`<liyuan-confirm-button
            class="proposal-undo"
            .label=${words.t('changes.undo')}
            .question=${words.t('proposal.undoConfirm')}
            .yes=${words.t('changes.undoYes')}
            .no=${words.t('changes.undoNo')}
            .disabled=${env.busy || this.#still}
            @liyuan-confirm=${() => env.context.act('undoTurn', { turnId: this.item.turnId })}
          ></liyuan-confirm-button>`
        : nothing}
    </div>`;
  }

  get #still(): boolean {
    return this.env.readOnly || this.deciding;
  }

  #file(file: ProposedFile): TemplateResult {
    const { words } = this.env.context;
    const { name } = splitPath(file.path);
    const state = words.t(stateWord(file));
    const look = {
      glyph: glyphs[file.kind],
      state,
      label: words.t('proposal.open', file.path),
      press: () => { void this.#decide('open', [file.id]); },
      note: file.waiting > 1 ? words.n('proposal.places', file.waiting) : '',
    };
    return html`<li class="proposal-file proposal-${file.state}">
      ${fileButton(file, look, words)}
      ${this.#verbs(file, name, state)}
      ${file.state === 'conflict' ? this.#conflict(file, name) : nothing}
    </li>`;
  }

  #verbs(file: ProposedFile, name: string, state: string): TemplateResult {
    const { words } = this.env.context;
    if (file.state !== 'pending') {
      return html`<span class="proposal-state">${state}</span>${file.state === 'rejected'
          ? html`<button type="button" class="link-button" ?disabled=${this.#still} aria-label=${words.t('proposal.reopenLabel', name)} @click=${() => this.#decide('reopen', [file.id])}>
              ${words.t('proposal.reopen')}
            </button>`
          : nothing}`;
    }
    return html`<span class="proposal-verbs">${this.#verb('accept', 'check', words.t('proposal.accept', name), file)}${this.#verb('reject', 'close', words.t('proposal.reject', name), file)}</span>`;
  }

  #verb(verb: Verb, glyph: string, label: string, file: ProposedFile): TemplateResult {
    return html`<button type="button" class="icon-button proposal-${verb}" title=${label} aria-label=${label} ?disabled=${this.#still} @click=${() => this.#decide(verb, [file.id])}>
      ${icon(glyph)}
    </button>`;
  }

  /** The ways on: the file's own words, the proposal's, or both side by side to put together by hand. */
  #conflict(file: ProposedFile, name: string): TemplateResult {
    const { words } = this.env.context;
    const way = (verb: Verb, text: ChatStringKey, label: ChatStringKey): TemplateResult =>
      html`<button type="button" class="link-button proposal-${verb}" ?disabled=${this.#still && verb !== 'open'} aria-label=${words.t(label, name)} @click=${() => this.#decide(verb, [file.id])}>
        ${words.t(text)}
      </button>`;
    return html`<p class="proposal-conflict-words">
      ${words.t('proposal.conflict')} ${way('open', 'proposal.openAll', 'proposal.open')} ${way('reject', 'proposal.mine', 'proposal.mineLabel')}
      ${way('use', 'proposal.use', 'proposal.useLabel')}
    </p>`;
  }

  async #decide(verb: Verb, ids: readonly string[]): Promise<void> {
    this.deciding = true;
    await this.env.context.act('review', { verb, ids: [...ids] });
    this.deciding = false;
  }
}

function stateWord(file: ProposedFile): ChatStringKey {
  return file.state === 'accepted' && file.rejected > 0 ? 'proposal.state.partly' : `proposal.state.${file.state}`;
}

define('liyuan-proposal', ProposalElement);
