import type { chatRequests } from '../../src/protocol/chat';
import type { RequestOf } from '../../src/protocol/envelope';

export type Answer = RequestOf<typeof chatRequests, 'answer'>['answer'];

/** What words typed as an answer mean: an option by its own words, or by its number alone; else what they say. */
export function answerFrom(typed: string, options: readonly string[]): Answer {
  const text = typed.trim();
  const named = options.indexOf(text);
  if (named !== -1) return { kind: 'option', index: named };
  const digits = text.normalize('NFKC');
  const number = /^\d{1,2}$/.test(digits) ? Number(digits) : 0;
  return number >= 1 && number <= options.length ? { kind: 'option', index: number - 1 } : { kind: 'text', text };
}
