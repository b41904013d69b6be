import { html, nothing, type TemplateResult } from 'lit';
import { mentionWords, type ChatMention } from '../../src/protocol/mentions';
import { splitPath } from '../shared/format';
import { icon } from '../shared/icons';
import type { ChatContext } from './context';

const icons = { file: 'file', selection: 'selection', checkpoint: 'history' } as const;

/** How a mention is called on its chip. */
export function mentionTitle(mention: ChatMention, { words }: ChatContext): string {
  switch (mention.kind) {
    case 'file':
      return mention.title ?? nameOf(mention.ref);
    case 'selection':
      return words.t('mention.selection', nameOf(mention.ref), mention.start === mention.end ? String(mention.start) : `${mention.start}–${mention.end}`);
    case 'checkpoint':
      return mention.title ?? words.t('mention.checkpoint');
  }
}

const nameOf = (path: string): string => splitPath(path).name.replace(/\.[^.]+$/, '');

/** What is pointed at: each opens on a click, and can be taken out where `remove` is given. */
export function mentionChips(mentions: readonly ChatMention[] | undefined, context: ChatContext, remove?: (mention: ChatMention) => void): TemplateResult | typeof nothing {
  if (mentions === undefined || mentions.length === 0) return nothing;
  const { t } = context.words;
  return html`<ul class="chips" aria-label=${t('mention.label')}>
    ${mentions.map((mention) => {
      const title = mentionTitle(mention, context);
      return html`<li class="chip" data-kind=${mention.kind}>
        <button type="button" class="chip-open" title=${mentionWords(mention).slice(1)} aria-label=${t('mention.open', title)} @click=${() => context.act('openMention', { mention })}>
          ${icon(icons[mention.kind])}<span class="chip-title">${title}</span>
        </button>
        ${remove === undefined
          ? nothing
          : html`<button type="button" class="chip-remove" title=${t('mention.remove', title)} aria-label=${t('mention.remove', title)} @click=${() => { remove(mention); }}>
              ${icon('close')}
            </button>`}
      </li>`;
    })}
  </ul>`;
}
