import { html, nothing, type TemplateResult } from 'lit';
import type { ChatItem } from '../../../src/protocol/chat';
import { icon } from '../../shared/icons';
import type { RowEnvironment } from '../context';
import './retry-countdown';

type Of<K extends ChatItem['kind']> = Extract<ChatItem, { kind: K }>;

const levelIcons = { info: 'info', warning: 'warning', error: 'error' } as const;

/** A remark of the program, with what can be done about it. */
export function noticeRow(item: Of<'notice'>, { context, busy, readOnly, lastTurn }: RowEnvironment): TemplateResult {
  // A turn can be gone on with from its end only.
  const past = item.turnId !== undefined && item.turnId !== lastTurn;
  const offered = past ? item.actions.filter(({ action }) => action !== 'retry' && action !== 'continue') : item.actions;
  const buttons = offered.map(
    ({ action, label }) => html`<vscode-button
      class="small"
      appearance="secondary"
      data-action=${action}
      ?disabled=${(busy || readOnly) && (action === 'retry' || action === 'continue' || action === 'compact')}
      @click=${() => context.act('action', { action })}
      >${label}</vscode-button
    >`,
  );
  return html`<div class="notice notice-${item.level}" role=${item.level === 'error' ? 'alert' : nothing}>
    ${icon(levelIcons[item.level], 'notice-icon')}
    <div class="notice-body">
      ${item.countdown === undefined
        ? html`<div class="notice-text">${item.text}</div>
            ${buttons.length > 0 ? html`<div class="buttons">${buttons}</div>` : nothing}`
        : html`<liyuan-retry-countdown .item=${item} .context=${context} .readOnly=${readOnly}></liyuan-retry-countdown>`}
    </div>
  </div>`;
}
