import { html, nothing, type TemplateResult } from 'lit';
import type { ChatItem } from '../../../src/protocol/chat';
import '../../shared/copy-button';
import { icon } from '../../shared/icons';
import type { RowEnvironment } from '../context';
import { mentionChips } from '../mention-chips';
import { copyLabels } from './labels';

type Of<K extends ChatItem['kind']> = Extract<ChatItem, { kind: K }>;

/** The user's own words, as typed. */
export function userRow(item: Of<'user'>, { context }: RowEnvironment): TemplateResult {
  const when = new Intl.DateTimeFormat(context.words.locale, { dateStyle: 'medium', timeStyle: 'short' }).format(item.ts);
  return html`<div class="user" title=${when}>
    <div class="user-text">${item.text}</div>
    ${mentionChips(item.mentions, context)}
    <liyuan-copy class="row-copy" .text=${item.text} .labels=${copyLabels(context)}></liyuan-copy>
  </div>`;
}

const levelIcons = { info: 'info', warning: 'warning', error: 'error' } as const;

/** A remark of the program, with what can be done about it. */
export function noticeRow(item: Of<'notice'>, { context, busy, readOnly }: RowEnvironment): TemplateResult {
  const buttons = item.actions.map(
    ({ action, label }) => html`<vscode-button
      class="small"
      appearance="secondary"
      data-action=${action}
      ?disabled=${(busy || readOnly) && (action === 'retry' || action === 'continue')}
      @click=${() => context.act('action', { action })}
      >${label}</vscode-button
    >`,
  );
  return html`<div class="notice notice-${item.level}" role=${item.level === 'error' ? 'alert' : nothing}>
    ${icon(levelIcons[item.level], 'notice-icon')}
    <div class="notice-body">
      <div class="notice-text">${item.text}</div>
      ${buttons.length > 0 ? html`<div class="buttons">${buttons}</div>` : nothing}
    </div>
  </div>`;
}
