import { html, type TemplateResult } from 'lit';

/** A codicon in the place that a toolkit button keeps for one, before its words. */
export function buttonIcon(name: string): TemplateResult {
  return html`<span slot="start" class="codicon codicon-${name}" aria-hidden="true"></span>`;
}

/** A codicon, hidden from screen readers: the words beside it, or the label of its button, say what it means. */
export function icon(name: string, extra = ''): TemplateResult {
  return html`<span class="codicon codicon-${name} ${extra}" aria-hidden="true"></span>`;
}
