import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ChatItem } from '../../../src/protocol/chat';
import '../../shared/confirm-button';
import { LightElement, define } from '../../shared/element';
import { buttonIcon, icon } from '../../shared/icons';
import type { RowEnvironment } from '../context';
import { fileButton, fileList, filesSum, shownFiles } from './file-rows';

type Changes = Extract<ChatItem, { kind: 'changes' }>;
type ChangedFile = Changes['files'][number];

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
    return html`<div class="card changes ${item.undone ? 'changes-undone' : ''}">
      <div class="card-head">
        ${icon('diff-multiple', 'card-glyph')}
        <span class="card-title">${words.t('changes.title')}</span>
        <span class="card-sum">${filesSum(item.files, item.files, words)}</span>
        ${item.undone ? html`<span class="badge">${words.t('changes.undone')}</span>` : nothing}
      </div>
      ${fileList(item.files, this.all, words, (file) => this.#file(file), () => { this.all = true; })}
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
    const look = {
      glyph: glyphs[file.status],
      state: words.t(`changes.status.${file.status}`),
      label: words.t('changes.openDiff', file.path),
      press: () => { void act('openDiff', { turnId: this.item.turnId, path: file.path }); },
      classes: `file-${file.status}`,
    };
    return html`<li>
      ${fileButton(file, look, words)}
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
