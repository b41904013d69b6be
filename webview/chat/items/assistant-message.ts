import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ChatItem } from '../../../src/protocol/chat';
import '../../shared/copy-button';
import { LightElement, define } from '../../shared/element';
import { clip } from '../../shared/format';
import { icon } from '../../shared/icons';
import '../../shared/markdown-view';
import type { RowEnvironment } from '../context';
import { codeLabels, copyLabels } from './labels';

type Assistant = Extract<ChatItem, { kind: 'assistant' }>;

const summaryLength = 80;

/** Under which the view remembers whether the thinking of a reply is unfolded. */
function thinkingKey(item: Assistant): string {
  return `thinking:${item.id}`;
}

/** One line of a chain of thought: its latest while it grows, its first when it is done. */
function thinkingSummary(reasoning: string, live: boolean): string {
  const lines = reasoning.split('\n').filter((line) => line.trim() !== '');
  return clip((live ? lines.at(-1) : lines[0])?.trim() ?? '', summaryLength);
}

/** An answer to a turn about a passage has its texts between these tags; in the conversation they are set apart by lines. */
const offersTexts = (text: string): boolean => /<draft>/.test(text);
const withoutTags = (text: string): string => (offersTexts(text) ? text.replace(/\s*<\/?draft>\s*/g, '\n\n---\n\n').replace(/(?:\n\n---\n\n)+/g, '\n\n---\n\n') : text);

/** One reply of the agent: folded thinking, the text, and how it ended if not well, with a way to run it again. */
class AssistantElement extends LightElement {
  static override properties: PropertyDeclarations = { item: { attribute: false }, env: { attribute: false }, open: { state: true } };
  declare item: Assistant;
  declare env: RowEnvironment;
  declare open: boolean | undefined;

  protected override willUpdate(): void {
    this.open ??= this.env.context.view.isExpanded(thinkingKey(this.item));
  }

  protected override render(): TemplateResult {
    const { item } = this;
    const { context } = this.env;
    const streaming = item.state === 'streaming';
    return html`
      ${item.reasoning === '' ? nothing : this.#thinking()}
      ${item.text === ''
        ? nothing
        : html`<liyuan-markdown .text=${withoutTags(item.text)} .labels=${codeLabels(context)} @liyuan-open-path=${this.#openPath}></liyuan-markdown>`}
      ${streaming && item.text === '' && item.reasoning === ''
        ? html`<span class="pending">${context.words.t('item.writing')}</span>`
        : nothing}
      ${offersTexts(item.text) && !streaming
        ? html`<button type="button" class="link-button" @click=${() => context.act('openOffer', { turnId: item.turnId })}>${context.words.t('offer.open')}</button>`
        : nothing}
      ${this.#ending()}
      ${item.text !== '' && !streaming
        ? html`<liyuan-copy class="row-copy" .text=${item.text} .labels=${copyLabels(context)}></liyuan-copy>`
        : nothing}
    `;
  }

  #thinking(): TemplateResult {
    const { item } = this;
    const { words, view } = this.env.context;
    const key = thinkingKey(item);
    const live = item.state === 'streaming' && item.text === '';
    const onToggle = (event: Event): void => {
      this.open = (event.currentTarget as HTMLDetailsElement).open;
      view.setExpanded(key, this.open);
    };
    return html`<details class="thinking" ?open=${this.open === true} @toggle=${onToggle}>
      <summary>
        ${icon('chevron-right', 'twistie')}
        <span class="thinking-label">${words.t(live ? 'thinking.live' : 'thinking.label')}</span>
        <span class="thinking-summary">${this.open ? '' : thinkingSummary(item.reasoning, live)}</span>
        <span class="thinking-length">${words.n('thinking.length', item.reasoning.length)}</span>
      </summary>
      ${this.open ? html`<div class="thinking-text">${item.reasoning}</div>` : nothing}
    </details>`;
  }

  #ending(): TemplateResult | typeof nothing {
    const { context, busy, readOnly, lastTurn } = this.env;
    const { t } = context.words;
    if (this.item.state === 'stopped') {
      // Only the last turn can be run again.
      const again = this.item.turnId !== lastTurn || readOnly
        ? nothing
        : html`<button type="button" class="link-button again" ?disabled=${busy} @click=${() => context.act('action', { action: 'retry' })}>${t('item.retry')}</button>`;
      return html`<div class="ending">${icon('debug-stop')} ${t('item.stopped')}${again}</div>`;
    }
    if (this.item.state === 'error') return html`<div class="ending ending-error">${icon('error')} ${t('item.error')}</div>`;
    return nothing;
  }

  readonly #openPath = (event: CustomEvent<string>): void => {
    void this.env.context.act('openFile', { path: event.detail });
  };
}

define('liyuan-assistant', AssistantElement);
