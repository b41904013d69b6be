import type { CallFrame, CallPiece, CallReader } from './call-text';
import { beginOf, createCallReader } from './call-text';
import { CALL_OPEN, RESULT_OPEN } from './text-tools';

/** What a stretch of a model's text turns out to be. */
export type TextPiece =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | CallPiece
  /** All text so far was thinking: a closing tag came that nothing had opened. */
  | { readonly kind: 'was-thinking' };

export interface TextSplitter {
  push(text: string): readonly TextPiece[];
  /** What was held back, once no more will come. */
  end(): readonly TextPiece[];
  /** Thinking ended by a tag that nothing had opened. */
  readonly sawLoneClose: boolean;
  /** The text was expected to begin inside the thinking, and did not. Known after `end`. */
  readonly guessedWrong: boolean;
}

export interface SplitOptions {
  /** Names of the offered tools: only a `<tool_call>` or a fenced JSON object of one of these is a call. */
  readonly tools: ReadonlySet<string>;
  /** Calls are meant to be written as text: what stands between the tags is never shown, whatever it is. */
  readonly callsAreText?: boolean;
  /** The text begins inside the thinking (learned from an earlier answer). */
  readonly startsThinking: boolean;
}

const OPEN = ['<think>', '<thinking>'] as const;
const CLOSE = ['</think>', '</thinking>'] as const;
const FENCE = '```';

type State = 'head' | 'thinking' | 'after-thinking' | 'body' | 'call' | 'over';

/**
 * Takes apart what some servers send as plain text: thinking between `<think>` tags at the head, and calls between `<tool_call>` tags
 * or in a fence, by models whose template is broken or that were told to. Tags may be split anywhere; text is held back only while it may still become a tag.
 */
export function createTextSplitter(options: SplitOptions): TextSplitter {
  const callTags = options.callsAreText === true || options.tools.size > 0 ? [CALL_OPEN, FENCE] : [];
  let state: State = 'head';
  let reader: CallReader | undefined;
  let called = false;
  let held = '';
  let tagged = options.startsThinking;
  let guessed = '';
  let closed = false;
  let sawLoneClose = false;
  let guessedWrong = false;
  /** The last character handed on as text. */
  let before = '';

  /** One step on the held text; undefined when it needs more. */
  function step(last: boolean): TextPiece[] | undefined {
    switch (state) {
      case 'head':
        return head(last);
      case 'thinking':
        return thinking(last);
      case 'after-thinking': {
        const rest = held.trimStart();
        if (rest === '') return undefined;
        held = rest;
        state = 'body';
        return [];
      }
      case 'body':
        return body(last);
      case 'call':
        return call(last);
      case 'over':
        held = '';
        return [];
    }
  }

  function head(last: boolean): TextPiece[] | undefined {
    const rest = held.trimStart();
    const tag = OPEN.find((open) => rest.startsWith(open));
    if (tag !== undefined) {
      held = rest.slice(tag.length);
      state = 'thinking';
      tagged = true;
      return [];
    }
    if (!last && OPEN.some((open) => open.startsWith(rest))) return undefined;
    state = options.startsThinking ? 'thinking' : 'body';
    return [];
  }

  function thinking(last: boolean): TextPiece[] | undefined {
    const hit = firstOf(held, CLOSE);
    if (hit !== undefined) {
      const text = held.slice(0, hit.at);
      held = held.slice(hit.at + hit.tag.length);
      state = 'after-thinking';
      closed = true;
      return piece('reasoning', text);
    }
    const text = take(last, CLOSE);
    if (options.startsThinking) guessed += text;
    return text === '' ? undefined : piece('reasoning', text);
  }

  function body(last: boolean): TextPiece[] | undefined {
    const tags = [...(tagged ? [] : CLOSE), ...callTags, ...(called && options.callsAreText === true ? [RESULT_OPEN] : [])];
    const hit = firstOf(held, tags);
    if (hit === undefined) {
      const text = take(last, tags);
      return text === '' ? undefined : asText(text);
    }
    const text = held.slice(0, hit.at);
    held = held.slice(hit.at + hit.tag.length);
    // What follows rests on a result that the model has made up.
    if (hit.tag === RESULT_OPEN) {
      state = 'over';
      return asText(text);
    }
    if (hit.tag === CALL_OPEN) return asCall('tags', hit.tag, text);
    if (hit.tag === FENCE) return ['', '\n'].includes(text.at(-1) ?? before) ? asCall('fence', hit.tag, text) : asText(text + hit.tag);
    // Quoted as code, the tag is what the text is about.
    if ((text.at(-1) ?? before) === '`') return asText(text + hit.tag);
    tagged = true;
    sawLoneClose = true;
    state = 'after-thinking';
    return [...asText(text), { kind: 'was-thinking' }];
  }

  function asCall(frame: CallFrame, opening: string, textBefore: string): TextPiece[] {
    state = 'call';
    reader = createCallReader(frame, opening, { tools: options.tools, always: options.callsAreText === true });
    return asText(textBefore);
  }

  function call(last: boolean): TextPiece[] | undefined {
    if (reader === undefined) throw new Error('no call is being read');
    const { pieces, left, done, text } = reader.read(held, last);
    const stuck = !done && pieces.length === 0 && left === held;
    held = left;
    called ||= pieces.length > 0;
    if (done) state = 'body';
    if (stuck) return undefined;
    return text === undefined ? [...pieces] : asText(text);
  }

  function asText(text: string): TextPiece[] {
    before = text.at(-1) ?? before;
    return piece('text', text);
  }

  /** Takes what can no longer become one of `tags` off the held text. */
  function take(last: boolean, tags: readonly string[]): string {
    const keep = last ? 0 : heldBack(held, tags);
    const text = held.slice(0, held.length - keep);
    held = held.slice(held.length - keep);
    return text;
  }

  function drain(last: boolean): readonly TextPiece[] {
    const pieces: TextPiece[] = [];
    while (held !== '' || (last && state === 'call')) {
      const next = step(last);
      if (next === undefined) break;
      pieces.push(...next);
    }
    return pieces;
  }

  return {
    push(text) {
      held += text;
      return drain(false);
    },
    end() {
      const pieces = drain(true);
      // Wrongly taken for thinking: no closing tag ever came, so what was shown as thinking was the answer.
      guessedWrong = options.startsThinking && !closed && guessed.trim() !== '';
      if (!guessedWrong) return pieces;
      const anew = createTextSplitter({ ...options, startsThinking: false });
      return [...pieces, ...anew.push(guessed), ...anew.end()];
    },
    get guessedWrong() {
      return guessedWrong;
    },
    get sawLoneClose() {
      return sawLoneClose;
    },
  };
}

function piece(kind: 'text' | 'reasoning', text: string): TextPiece[] {
  return text === '' ? [] : [{ kind, text }];
}

function firstOf(text: string, tags: readonly string[]): { readonly at: number; readonly tag: string } | undefined {
  let best: { readonly at: number; readonly tag: string } | undefined;
  for (const tag of tags) {
    const at = text.indexOf(tag);
    if (at !== -1 && (best === undefined || at < best.at)) best = { at, tag };
  }
  return best;
}

/** Length of the longest end of `text` that begins one of `tags`. */
function heldBack(text: string, tags: readonly string[]): number {
  return Math.max(0, ...tags.map((tag) => beginOf(text, tag)));
}
