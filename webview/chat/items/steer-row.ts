import { html, type TemplateResult } from 'lit';
import type { ChatItem } from '../../../src/protocol/chat';
import '../../shared/copy-button';
import { icon } from '../../shared/icons';
import type { RowEnvironment } from '../context';
import { mentionChips } from '../mention-chips';
import { copyLabels } from './labels';

/** What the user said while the turn ran, where it went in. */
export function steerRow(item: Extract<ChatItem, { kind: 'steer' }>, { context }: RowEnvironment): TemplateResult {
  const { t, moment } = context.words;
  return html`<div class="user user-steer" title=${moment(item.ts)}>
    <div class="user-note">${icon('debug-step-into')}<span>${t('item.steer')}</span></div>
    <div class="user-text">${item.text}</div>
    ${mentionChips(item.mentions, context)}
    <liyuan-copy class="row-copy" .text=${item.text} .labels=${copyLabels(context)}></liyuan-copy>
  </div>`;
}
