import { html, type PropertyDeclarations, type TemplateResult } from 'lit';
import { CopyElement, type CopyLabels } from './copy-button';
import { LightElement, define } from './element';
import { createBlockParser, markdownNodes, type MarkdownBlock } from './markdown';

/**
 * A markdown text. While `text` grows, the blocks before the last keep their nodes (and with them a selection in them); only
 * what changed is made anew. A click on a link to a file fires `liyuan-open-path` with the path; web links are left to
 * the host, which asks the user.
 */
export class MarkdownElement extends LightElement {
  static override properties: PropertyDeclarations = { text: { attribute: false }, labels: { attribute: false } };
  declare text: string;
  /** Of the copy button on code. */
  declare labels: CopyLabels;

  readonly #parser = createBlockParser();
  #shown: { readonly block: MarkdownBlock; readonly node: HTMLElement }[] = [];

  constructor() {
    super();
    this.text = '';
    this.labels = { copy: 'Copy this code', copied: 'Copied', failed: 'Could not copy' };
  }

  protected override render(): TemplateResult {
    return html`<div class="md" @click=${this.#follow} @keydown=${this.#follow}></div>`;
  }

  protected override updated(): void {
    const host = this.firstElementChild;
    if (!host) return;
    const blocks = this.#parser.parse(this.text);
    const shown = this.#shown;
    let same = 0;
    while (same < blocks.length && same < shown.length && shown[same]?.block.source === blocks[same]?.source) same += 1;
    for (const old of shown.splice(same)) old.node.remove();
    for (const block of blocks.slice(same)) {
      const node = this.#node(block);
      host.append(node);
      shown.push({ block, node });
    }
  }

  #node(block: MarkdownBlock): HTMLElement {
    const node = document.createElement('div');
    node.className = 'md-block';
    node.append(markdownNodes(block.html));
    for (const pre of node.querySelectorAll('pre')) {
      const frame = document.createElement('div');
      frame.className = 'md-code';
      pre.replaceWith(frame);
      pre.tabIndex = 0;
      const copy = new CopyElement();
      copy.labels = this.labels;
      copy.text = () => pre.textContent;
      frame.append(pre, copy);
    }
    for (const table of node.querySelectorAll('table')) {
      const frame = document.createElement('div');
      frame.className = 'md-table';
      frame.tabIndex = 0;
      table.replaceWith(frame);
      frame.append(table);
    }
    return node;
  }

  readonly #follow = (event: Event): void => {
    if (event instanceof KeyboardEvent && event.key !== 'Enter') return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const path = link?.dataset['path'];
    if (path === undefined) return;
    event.preventDefault();
    this.dispatchEvent(new CustomEvent<string>('liyuan-open-path', { detail: path, bubbles: true }));
  };
}

define('liyuan-markdown', MarkdownElement);
