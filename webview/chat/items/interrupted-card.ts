import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import type { ChatItem, chatRequests } from '../../../src/protocol/chat';
import type { RequestOf } from '../../../src/protocol/envelope';
import '../../shared/confirm-button';
import { LightElement, define } from '../../shared/element';
import { icon } from '../../shared/icons';
import type { RowEnvironment } from '../context';

type Interrupted = Extract<ChatItem, { kind: 'interrupted' }>;
type How = RequestOf<typeof chatRequests, 'resume'>['how'];

/** A turn whose window went away: go on with it, start it again, take it back, or leave it as it stands. */
class InterruptedElement extends LightElement {
  static override properties: PropertyDeclarations = { item: { attribute: false }, env: { attribute: false }, sent: { state: true } };
  declare item: Interrupted;
  declare env: RowEnvironment;
  /** A choice is on its way. */
  declare sent: boolean;

  constructor() {
    super();
    this.sent = false;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('item')) this.sent = false;
  }

  protected override render(): TemplateResult {
    const { item, env } = this;
    const { t } = env.context.words;
    const disabled = env.busy || env.readOnly || this.sent;
    const button = (how: How, label: string, appearance: string): TemplateResult =>
      html`<vscode-button class="small" data-how=${how} appearance=${appearance} ?disabled=${disabled} @click=${() => this.#resume(how)}>${label}</vscode-button>`;
    return html`<div class="card interrupted" role="group" aria-label=${t('interrupted.title')}>
      <div class="card-head">${icon('debug-disconnect', 'card-glyph')}<span class="card-title">${t('interrupted.title')}</span></div>
      <div class="card-text">${t(item.waiting ? 'interrupted.waiting' : 'interrupted.text')}</div>
      ${item.partial === ''
        ? nothing
        : html`<details class="partial">
            <summary>${icon('chevron-right', 'twistie')}${t('interrupted.partial')}</summary>
            <div class="partial-text">${item.partial}</div>
          </details>`}
      <div class="buttons">
        ${button('continue', t('interrupted.continue'), 'primary')} ${button('retry', t('interrupted.retry'), 'secondary')}
        ${button('keep', t('interrupted.keep'), 'secondary')}
        <liyuan-confirm-button
          .label=${t('interrupted.undo')}
          .question=${t('interrupted.undoConfirm')}
          .yes=${t('changes.undoYes')}
          .no=${t('interrupted.undoNo')}
          .disabled=${disabled}
          @liyuan-confirm=${() => this.#resume('undo')}
        ></liyuan-confirm-button>
      </div>
    </div>`;
  }

  async #resume(how: How): Promise<void> {
    this.sent = true;
    const taken = await this.env.context.act('resume', { how });
    if (!taken) this.sent = false;
  }
}

define('liyuan-interrupted', InterruptedElement);
