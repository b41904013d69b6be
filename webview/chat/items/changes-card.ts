import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ChatItem } from '../../../src/protocol/chat';
import '../../shared/confirm-button';
import { LightElement, define } from '../../shared/element';
import { splitPath } from '../../shared/format';
import { buttonIcon, icon } from '../../shared/icons';
import type { RowEnvironment } from '../context';

type Changes = Extract<ChatItem, { kind: 'changes' }>;
type ChangedFile = Changes['files'][number];

/** More files than this are folded away until asked for. */
const shownFiles = 8;

const glyphs = { added: 'diff-added', modified: 'diff-modified', renamed: 'diff-renamed', removed: 'diff-removed' } as const;

/** 「本轮改动」: the files of a turn with +字/−字, their diffs, and the way back. */
class ChangesElement extends LightElement {
  static override properties: PropertyDeclarations = {
    item: { attribute: false },
    env: { attribute: false },
    all: { state: true },
    undoing: { state: true },
  };
  declare item: Changes;
  declare env: RowEnvironment;
  declare all: boolean;
  /** The request to undo is on its way. */
  declare undoing: boolean;

  constructor() {
    super();
    this.all = false;
    this.undoing = false;
  }

  protected override render(): TemplateResult {
    const { item, env } = this;
    const { words } = env.context;
    const files = this.all ? item.files : item.files.slice(0, shownFiles);
    const added = item.files.reduce((sum, file) => sum + file.added, 0);
    const removed = item.files.reduce((sum, file) => sum + file.removed, 0);
    return html`<div class="card changes ${item.undone ? 'changes-undone' : ''}">
      <div class="card-head">
        ${icon('diff-multiple', 'card-glyph')}
        <span class="card-title">${words.t('changes.title')}</span>
        <span class="card-sum">${words.n('changes.files', item.files.length)} · ${words.t('changes.words', words.number(added), words.number(removed))}</span>
        ${item.undone ? html`<span class="badge">${words.t('changes.undone')}</span>` : nothing}
      </div>
      <ul class="files">
        ${files.map((file) => this.#file(file))}
      </ul>
      ${files.length < item.files.length
        ? html`<button type="button" class="link-button files-more" @click=${() => { this.all = true; }}>${words.t('changes.showAll', words.number(item.files.length))}</button>`
        : nothing}
      <div class="buttons">
        ${item.files.length > 1
          ? html`<vscode-button class="small changes-open-all" appearance="secondary" @click=${() => env.context.act('openDiff', { turnId: item.turnId })}
              >${buttonIcon('diff-multiple')}${words.t('changes.openAll')}</vscode-button
            >`
          : nothing}
        ${item.undone
          ? nothing
          : html`<liyuan-confirm-button
              class="changes-undo"
              .label=${words.t('changes.undo')}
              .question=${words.t('changes.undoConfirm')}
              .yes=${words.t('changes.undoYes')}
              .no=${words.t('changes.undoNo')}
              .disabled=${env.busy || env.readOnly || this.undoing}
              @liyuan-confirm=${this.#undo}
            ></liyuan-confirm-button>`}
      </div>
    </div>`;
  }

  #file(file: ChangedFile): TemplateResult {
    const { words, act } = this.env.context;
    const { folder, name } = splitPath(file.path);
    const status = words.t(`changes.status.${file.status}`);
    return html`<li>
      <button
        type="button"
        class="file file-${file.status}"
        title=${words.t('changes.openDiff', file.path)}
        aria-label="${words.t('changes.openDiff', file.path)} (${status}, ${words.t('changes.words', file.added, file.removed)})"
        @click=${() => act('openDiff', { turnId: this.item.turnId, path: file.path })}
      >
        <span class="file-glyph" title=${status}>${icon(glyphs[file.status])}</span>
        <span class="file-name"
          ><span class="file-base">${name}</span><span class="file-folder">${folder.replace(/\/$/, '')}</span>${file.from === undefined
            ? nothing
            : html`<span class="file-folder">${words.t('changes.renamedFrom', splitPath(file.from).name)}</span>`}</span
        >
        <span class="file-counts"
          >${file.added === 0 ? nothing : html`<span class="added">+${words.number(file.added)}</span>`}
          ${file.removed === 0 ? nothing : html`<span class="removed">−${words.number(file.removed)}</span>`}</span
        >
      </button>
      ${file.forbidden === undefined ? nothing : this.#forbidden(file.forbidden)}
    </li>`;
  }

  #forbidden(found: NonNullable<ChangedFile['forbidden']>): TemplateResult {
    const { t } = this.env.context.words;
    const shown = found.slice(0, shownFiles).map(({ word, line }) => t('changes.forbiddenLine', word, line));
    return html`<div class="file-forbidden">${icon('info')}<span>${t('changes.forbidden', [...shown, ...(found.length > shownFiles ? ['…'] : [])].join(t('changes.forbiddenJoin')))}</span></div>`;
  }

  readonly #undo = async (): Promise<void> => {
    this.undoing = true;
    await this.env.context.act('undoTurn', { turnId: this.item.turnId });
    this.undoing = false;
  };
}

define('liyuan-changes', ChangesElement);
