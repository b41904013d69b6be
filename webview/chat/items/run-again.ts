import { html, type TemplateResult } from 'lit';
import { icon } from '../../shared/icons';
import type { RowEnvironment } from '../context';

/**
 * Says a turn again; fires `liyuan-again` on the conversation around `from` when the host has begun: the row itself is gone by then. A
 * refusal is shown in the host's words.
 */
export async function runAgain(from: Element, env: RowEnvironment, what: { readonly turnId: string; readonly text?: string }): Promise<boolean> {
  const around = from.closest('.log');
  const answer = await env.context.act('runAgain', what);
  if (answer?.accepted !== true) return false;
  around?.dispatchEvent(new CustomEvent('liyuan-again'));
  return true;
}

/** The button that runs a turn again. While another runs it stays: the refusal says why. */
export function again(turnId: string, env: RowEnvironment): TemplateResult {
  const label = env.context.words.t('item.again');
  const onClick = (event: Event): void => {
    if (event.currentTarget instanceof Element) void runAgain(event.currentTarget, env, { turnId });
  };
  return html`<button type="button" class="icon-button run-again" title=${label} aria-label=${label} @click=${onClick}>${icon('refresh')}</button>`;
}
