import type { EngineError } from '../ports/result';
import { longestHead } from '../text/longest-head';
import type { Receipt } from './tool';

/** An error as the model meets it: `{"error": <name>, …what is wrong and where}`. Data only. */
export function errorReceipt(error: EngineError & { readonly receipt?: Receipt }): Receipt {
  return { error: errorName(error.code), ...error.args, ...error.receipt };
}

/** The part of a code after its dot, in the form of a name: `edit.no-match` → `no_match`. */
function errorName(code: EngineError['code']): string {
  if (code === 'tool.unknown') return 'unknown_tool';
  return (code.split('.').at(-1) ?? code).replaceAll('-', '_');
}

/** The receipt of a call that was not run: a terminating call came before it, or the turn ended. */
export const NOT_RUN: Receipt = { error: 'not_run' };
/** The receipt of a call that was under way when the host went away; it may or may not have taken effect. */
export const INTERRUPTED: Receipt = { error: 'interrupted' };

/** Room kept for the fields around a list or a text. */
const ENVELOPE = 400;

/** How many leading items fit into `limit` characters of JSON; at least one. */
export function fitting(items: readonly unknown[], limit: number): number {
  let room = Math.max(0, limit - ENVELOPE);
  let count = 0;
  for (const item of items) {
    room -= JSON.stringify(item).length + 1;
    if (room < 0) break;
    count += 1;
  }
  return Math.max(count, Math.min(1, items.length));
}

/** The longest head of `text` whose JSON fits into `limit` characters; never ends inside a surrogate pair. */
export function headFitting(text: string, limit: number): string {
  const room = Math.max(0, limit - ENVELOPE);
  if (JSON.stringify(text).length <= room) return text;
  return longestHead(text, (head) => JSON.stringify(head).length <= room, room);
}
