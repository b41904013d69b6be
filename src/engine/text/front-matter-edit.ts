import { isMap, parseDocument } from 'yaml';
import type { TextChange } from '../ports/documents';
import type { Result } from '../ports/result';
import { ok, refuse } from '../ports/result';
import { frontMatterEnd } from './front-matter';
import { trimChange } from './text-change';

/**
 * The change that sets one key of a chapter's front matter (`undefined` takes it out), comments and all other lines left as they are. A
 * chapter without front matter gets one; one that has nothing left loses it. Resolves to `undefined` when there is nothing to change.
 * Refuses `front-matter.unreadable` when the block is not a YAML mapping.
 */
export function setFrontMatter(text: string, key: string, value: string | number | undefined): Result<TextChange | undefined> {
  const end = frontMatterEnd(text);
  const eol = /^[^\n]*\r\n/.test(text) ? '\r\n' : '\n';
  if (end === 0) {
    if (value === undefined) return ok(undefined);
    const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
    const gap = text.trim() === '' || /^\r?\n/.test(text.slice(start)) ? '' : '\n';
    return ok({ start, end: start, text: native(`---\n${rendered({ [key]: value })}---\n${gap}`, eol) });
  }
  const head = /^\uFEFF?---[ \t]*\r?\n/.exec(text)?.[0].length ?? 0;
  const foot = /(?:---|\.\.\.)[ \t]*(?:\r?\n)?$/.exec(text.slice(head, end))?.[0].length ?? 0;
  const body = text.slice(head, end - foot);
  const document = parseDocument(body.replaceAll('\r\n', '\n'), { prettyErrors: false });
  const empty = document.contents === null;
  if (document.errors.length > 0 || (!empty && !isMap(document.contents))) return refuse('front-matter.unreadable', { cause: document.errors[0]?.message ?? 'not a mapping' });
  if (document.get(key) === value && document.has(key) === (value !== undefined)) return ok(undefined);
  if (value === undefined) document.delete(key);
  else document.set(key, value);
  const left = isMap(document.contents) && document.contents.items.length === 0 && (document.commentBefore ?? document.comment ?? '') === '';
  if (left) {
    const from = text.charCodeAt(0) === 0xfeff ? 1 : 0;
    return ok({ start: from, end: end + (/^\r?\n/.exec(text.slice(end))?.[0].length ?? 0), text: '' });
  }
  const after = native(document.toString({ lineWidth: 0, flowCollectionPadding: false }), eol);
  return ok(trimChange(text, { start: head, end: head + body.length, text: after }));
}

function rendered(data: Readonly<Record<string, string | number>>): string {
  const document = parseDocument('');
  document.contents = document.createNode(data) as unknown as typeof document.contents;
  return document.toString({ lineWidth: 0 });
}

const native = (text: string, eol: string): string => (eol === '\n' ? text : text.replaceAll('\n', eol));
