import { html, type TemplateResult } from 'lit';
import type { ChatItem } from '../../../src/protocol/chat';
import type { ChatStringKey } from '../../../src/protocol/chat-strings';
import type { RowRenderer } from '../../shared/chunk-list';
import type { RowEnvironment } from '../context';
import { noticeRow } from './simple-rows';
import { steerRow } from './steer-row';
import './ask-card';
import './assistant-message';
import './changes-card';
import './interrupted-card';
import './summary-row';
import './proposal-card';
import './tool-card';
import './user-message';

const labels: Readonly<Record<ChatItem['kind'], ChatStringKey>> = {
  user: 'item.you',
  steer: 'item.steer',
  assistant: 'item.agent',
  tool: 'item.tool',
  ask: 'item.ask',
  changes: 'item.changes',
  proposal: 'item.proposal',
  notice: 'item.notice',
  interrupted: 'interrupted.title',
  summary: 'item.summary',
};

function stateOf(item: ChatItem): string {
  switch (item.kind) {
    case 'assistant':
    case 'tool':
    case 'ask':
      return item.state;
    case 'changes':
      return item.undone ? 'undone' : 'done';
    case 'proposal':
      return item.files.some((file) => file.state === 'pending' || file.state === 'conflict') ? 'open' : 'done';
    case 'notice':
      return item.level;
    case 'summary':
      return item.state;
    case 'user':
    case 'steer':
    case 'interrupted':
      return 'done';
  }
}

function content(item: ChatItem, env: RowEnvironment): TemplateResult {
  switch (item.kind) {
    case 'user':
      return html`<liyuan-user .item=${item} .env=${env}></liyuan-user>`;
    case 'steer':
      return steerRow(item, env);
    case 'assistant':
      return html`<liyuan-assistant .item=${item} .env=${env}></liyuan-assistant>`;
    case 'tool':
      return html`<liyuan-tool .item=${item} .context=${env.context}></liyuan-tool>`;
    case 'ask':
      return html`<liyuan-ask .item=${item} .context=${env.context}></liyuan-ask>`;
    case 'changes':
      return html`<liyuan-changes .item=${item} .env=${env}></liyuan-changes>`;
    case 'proposal':
      return html`<liyuan-proposal .item=${item} .env=${env}></liyuan-proposal>`;
    case 'notice':
      return noticeRow(item, env);
    case 'interrupted':
      return html`<liyuan-interrupted .item=${item} .env=${env}></liyuan-interrupted>`;
    case 'summary':
      return html`<liyuan-summary .item=${item} .env=${env}></liyuan-summary>`;
  }
}

function plain(item: ChatItem): string {
  switch (item.kind) {
    case 'user':
    case 'steer':
    case 'assistant':
    case 'notice':
    case 'summary':
      return item.text;
    case 'tool':
      return item.title;
    case 'ask':
      return item.question;
    case 'changes':
    case 'proposal':
      return item.files.map((file) => file.path).join('\n');
    case 'interrupted':
      return item.partial;
  }
}

/** A reply that only called tools has nothing to show once it is done; its steps have rows of their own. */
function isVoid(item: ChatItem): boolean {
  return item.kind === 'assistant' && item.state === 'done' && item.text === '' && item.reasoning === '';
}

/** How the conversation's items are shown. */
export const chatRows: RowRenderer<ChatItem, RowEnvironment> = {
  key: (item) => item.id,
  plain,
  row: (item, env) =>
    html`<div
      class="row row-${item.kind}"
      data-id=${item.id}
      data-kind=${item.kind}
      data-state=${stateOf(item)}
      role="article"
      tabindex="-1"
      ?hidden=${isVoid(item)}
      aria-label=${env.context.words.t(labels[item.kind])}
    >
      ${content(item, env)}
    </div>`,
};
