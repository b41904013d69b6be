import { html, nothing, type TemplateResult } from 'lit';
import type { ChatContext } from '../context';

/** A long value is shown up to here, with a button for the rest. Characters. */
const shownCharacters = 3000;

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    // Arguments may be cut or broken, and answers may be plain words: then they are shown as sent.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isRecord(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const oldNames = ['old', 'oldText', 'old_string'];
const newNames = ['new', 'newText', 'new_string'];

interface Replacement {
  readonly old: string;
  readonly new: string;
  readonly path: string | undefined;
}

/** An edit, in any of the forms the tool accepts. */
function replacement(value: Json): Replacement | undefined {
  if (!isRecord(value)) return undefined;
  const find = (names: readonly string[]): Json | undefined => names.map((name) => value[name]).find((found) => found !== undefined);
  const before = find(oldNames);
  const after = find(newNames);
  if (typeof before !== 'string' || typeof after !== 'string') return undefined;
  return { old: before, new: after, path: typeof value['path'] === 'string' ? value['path'] : undefined };
}

/** The edits in the arguments of a call, or `undefined` when it is not an edit. */
function replacements(args: Json): readonly Replacement[] | undefined {
  const list = isRecord(args) && Array.isArray(args['edits']) ? (args['edits'] as readonly Json[]) : [args];
  const found = list.map(replacement);
  return found.every((one) => one !== undefined) && found.length > 0 ? found : undefined;
}

function text(value: string, context: ChatContext): TemplateResult {
  if (value.length <= shownCharacters) return html`<div class="value-text">${value}</div>`;
  const showAll = (event: Event): void => {
    const button = event.currentTarget as HTMLElement;
    const shown = button.parentElement?.querySelector('.value-text');
    if (shown) shown.textContent = value;
    button.remove();
  };
  return html`<div>
    <div class="value-text">${value.slice(0, shownCharacters)}…</div>
    <button type="button" class="link-button value-more" @click=${showAll}>${context.words.t('tool.more')}</button>
  </div>`;
}

/** Deeper than this, or longer than so many entries, a value is shown as JSON. */
const shownDepth = 3;
const shownEntries = 100;

function json(value: Json, context: ChatContext, depth = 0): TemplateResult {
  if (typeof value === 'string') return text(value, context);
  if (value === null || typeof value !== 'object') return text(String(value), context);
  const entries = Object.entries(value) as (readonly [string, Json])[];
  if (entries.length === 0) return html`<div class="value-none">–</div>`;
  if (depth === shownDepth || entries.length > shownEntries) return text(JSON.stringify(value, undefined, 1), context);
  if (Array.isArray(value)) return html`<ul class="value-list">${entries.map(([, inner]) => html`<li>${json(inner, context, depth + 1)}</li>`)}</ul>`;
  return html`<dl class="values">
    ${entries.map(
      ([key, inner]) => html`<dt>${key}</dt>
        <dd>${json(inner, context, depth + 1)}</dd>`,
    )}
  </dl>`;
}

function edits(list: readonly Replacement[], context: ChatContext): TemplateResult {
  const { t } = context.words;
  return html`${list.map(
    (edit) => html`<div class="edit">
      ${edit.path === undefined ? nothing : html`<div class="edit-path">${edit.path}</div>`}
      <del class="edit-old" aria-label=${t('tool.old')}>${text(edit.old, context)}</del>
      <ins class="edit-new" aria-label=${t('tool.new')}>${text(edit.new, context)}</ins>
    </div>`,
  )}`;
}

function section(title: string, body: TemplateResult): TemplateResult {
  return html`<section class="tool-section"><h4>${title}</h4>${body}</section>`;
}

/** The arguments and the receipt of a call, readable: edits as before and after, objects as lists, the rest as sent. */
export function toolDetails(args: string, result: string, context: ChatContext): TemplateResult {
  const { t } = context.words;
  const asked = parsed(args);
  const answer = parsed(result);
  const edited = asked === undefined ? undefined : replacements(asked);
  const argsView = edited ? edits(edited, context) : asked === undefined ? text(args, context) : json(asked, context);
  const resultView =
    result === '' ? html`<div class="value-none">${t('tool.noResult')}</div>` : answer === undefined ? text(result, context) : json(answer, context);
  return html`${args === '' ? nothing : section(t('tool.args'), argsView)}${section(t('tool.result'), resultView)}`;
}
