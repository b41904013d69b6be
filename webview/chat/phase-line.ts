import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import type { ChatStatus } from '../../src/protocol/chat';
import { LightElement, define } from '../shared/element';
import { icon } from '../shared/icons';
import type { ChatContext } from './context';

const second = 1000;

/** One line that says what the running turn does, and for how long it has been running. Empty when none runs. */
class PhaseElement extends LightElement {
  static override properties: PropertyDeclarations = {
    context: { attribute: false },
    phase: { attribute: false },
    doing: { attribute: false },
    seconds: { state: true },
  };
  declare context: ChatContext;
  declare phase: ChatStatus['phase'];
  /** More exact words for what is being done, from the step that runs. */
  declare doing: string | undefined;
  declare seconds: number;
  #since = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.phase = 'idle';
    this.seconds = 0;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('phase')) return;
    if (this.phase === 'idle') {
      this.#stop();
    } else if (this.#timer === undefined) {
      this.#since = performance.now();
      this.seconds = 0;
      this.#timer = setInterval(() => { this.seconds = Math.floor((performance.now() - this.#since) / second); }, second);
    }
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.phase === 'idle') return nothing;
    const { t } = this.context.words;
    const { seconds } = this;
    const elapsed = seconds < 60 ? t('phase.seconds', seconds) : t('phase.minutes', Math.floor(seconds / 60), seconds % 60);
    return html`<div class="phase" data-phase=${this.phase}>
      ${this.phase === 'waiting' ? icon('question') : icon('loading', 'spin')}
      <span class="phase-words">${this.doing ?? t(`phase.${this.phase}`)}</span>
      ${seconds > 0 ? html`<span class="phase-time">${elapsed}</span>` : nothing}
    </div>`;
  }
}

define('liyuan-phase', PhaseElement);
