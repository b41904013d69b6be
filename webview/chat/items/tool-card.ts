import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ChatItem } from '../../../src/protocol/chat';
import { LightElement, define } from '../../shared/element';
import { icon } from '../../shared/icons';
import type { ChatContext } from '../context';
import { toolDetails } from './tool-details';

type Tool = Extract<ChatItem, { kind: 'tool' }>;

/** Of a chapter being written, this much of its end is shown. UTF-16 units. */
const previewTail = 4000;

const glyphs: Readonly<Record<string, string>> = {
  list: 'list-tree',
  read: 'book',
  grep: 'search',
  edit: 'edit',
  write: 'new-file',
  rename: 'replace',
  delete: 'trash',
  outline: 'list-ordered',
};

function glyph(item: Tool): TemplateResult {
  switch (item.state) {
    case 'streaming':
    case 'running':
      return icon('loading', 'tool-glyph spin');
    case 'failed':
      return icon('error', 'tool-glyph tool-failed');
    case 'declined':
      return icon('circle-slash', 'tool-glyph');
    case 'done':
      return icon(glyphs[item.name] ?? 'tools', 'tool-glyph');
  }
}

/** One step of the agent in human words; unfolds to what was asked for and answered. A chapter being written shows its end while it grows. */
class ToolElement extends LightElement {
  static override properties: PropertyDeclarations = { item: { attribute: false }, context: { attribute: false }, open: { state: true } };
  declare item: Tool;
  declare context: ChatContext;
  declare open: boolean | undefined;
  /** The reader has not scrolled up in the preview. */
  #atEnd = true;

  protected override willUpdate(): void {
    this.open ??= this.context.view.isExpanded(this.item.id);
    const preview = this.querySelector('.preview');
    this.#atEnd = !preview || preview.scrollHeight - preview.clientHeight - preview.scrollTop < 8;
  }

  protected override render(): TemplateResult {
    const { item, context } = this;
    const { t } = context.words;
    const going = item.state === 'streaming' || item.state === 'running';
    const preview = going && item.preview !== undefined && item.preview !== '' ? item.preview : undefined;
    return html`<div class="tool" data-name=${item.name}>
      <div class="tool-head" @click=${this.#toggle}>
        <button
          type="button"
          class="icon-button tool-toggle"
          aria-expanded=${this.open === true}
          aria-label=${t('tool.show', `${item.title}, ${t(`tool.state.${item.state}`)}`)}
        >
          ${glyph(item)}${icon('chevron-right', 'twistie')}
        </button>
        <span class="tool-words">
          <span class="tool-title">${this.#title()}</span>
          ${item.note === '' ? nothing : html`<span class="tool-note">${item.note}</span>`}
        </span>
      </div>
      ${preview === undefined
        ? nothing
        : html`<div class="preview" role="region" tabindex="0" aria-label=${t('tool.preview')}>${preview.slice(-previewTail)}</div>`}
      ${this.open ? html`<div class="tool-details">${toolDetails(item.args, item.result, context)}</div>` : nothing}
    </div>`;
  }

  protected override updated(): void {
    const preview = this.querySelector('.preview');
    if (preview && this.#atEnd) preview.scrollTop = preview.scrollHeight;
  }

  /** The title, with the file it names as a link. */
  #title(): TemplateResult {
    const { title, path } = this.item;
    if (path === undefined) return html`${title}`;
    const link = html`<button type="button" class="link-button" title=${this.context.words.t('tool.openFile', path)} @click=${this.#openFile}>${path}</button>`;
    const at = title.indexOf(path);
    if (at >= 0) return html`${title.slice(0, at)}${link}${title.slice(at + path.length)}`;
    return html`${title} ${link}`;
  }

  readonly #openFile = (event: Event): void => {
    event.stopPropagation();
    const { path } = this.item;
    if (path !== undefined) void this.context.act('openFile', { path });
  };

  readonly #toggle = (): void => {
    // A drag that selected words of the title is not a click on it.
    if (getSelection()?.type === 'Range') return;
    this.open = this.open !== true;
    this.context.view.setExpanded(this.item.id, this.open);
  };
}

define('liyuan-tool', ToolElement);
