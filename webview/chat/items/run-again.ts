import { html, type TemplateResult } from 'lit';
import { icon } from '../../shared/icons';
import type { RowEnvironment } from '../context';

/** Says a turn again; fires `liyuan-again` on what asked for it when the host has begun. A refusal is shown in the host's words. */
export async function runAgain(from: EventTarget, env: RowEnvironment, what: { readonly turnId: string; readonly text?: string }): Promise<boolean> {
  const answer = await env.context.act('runAgain', what);
  if (answer?.accepted !== true) return false;
  from.dispatchEvent(new CustomEvent('liyuan-again', { bubbles: true }));
  return true;
}

/** The button that runs a turn again. While another runs it stays: the refusal says why. */
export function again(turnId: string, env: RowEnvironment): TemplateResult {
  const label = env.context.words.t('item.again');
  const onClick = (event: Event): void => {
    if (event.currentTarget !== null) void runAgain(event.currentTarget, env, { turnId });
  };
  return html`<button type="button" class="icon-button run-again" title=${label} aria-label=${label} @click=${onClick}>${icon('refresh')}</button>`;
}
