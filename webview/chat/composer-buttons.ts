import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../shared/icons';
import type { ChatContext } from './context';

export interface ButtonsInput {
  readonly context: ChatContext;
  readonly busy: boolean;
  /** A question is open: the box answers it. */
  readonly answering: boolean;
  readonly empty: boolean;
  readonly maySend: boolean;
  readonly submit: (steer: boolean) => void;
}

/** The key that steers, as people know it. */
export const steerKey = (): string => (/Mac/.test(navigator.userAgent) ? '⌘Enter' : 'Ctrl+Enter');

/** What can be done with the words in the box, and stop while a turn runs. */
export function composerButtons({ context, busy, answering, empty, maySend, submit }: ButtonsInput): TemplateResult {
  const { t } = context.words;
  const queues = busy && !answering;
  const send = queues ? t('composer.queue') : t(answering ? 'composer.answer' : 'composer.send');
  const steer = t('composer.steer', steerKey());
  return html`${busy
    ? html`<button type="button" class="round-button stop" title=${t('composer.stop')} aria-label=${t('composer.stop')} @click=${() => context.act('stop', {})}>
        ${icon('debug-stop')}
      </button>`
    : nothing}
  ${queues && !empty
    ? html`<button type="button" class="round-button steer" title=${steer} aria-label=${steer} ?disabled=${!maySend} @click=${() => { submit(true); }}>
        ${icon('debug-step-into')}
      </button>`
    : nothing}
  ${queues && empty
    ? nothing
    : html`<button type="button" class="round-button send" title=${send} aria-label=${send} ?disabled=${empty || !maySend} @click=${() => { submit(false); }}>
        ${icon(queues ? 'list-ordered' : 'arrow-up')}
      </button>`}`;
}
