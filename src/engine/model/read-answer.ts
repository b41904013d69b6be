import type { DoneReason, ModelEvent, ModelRequest, Usage } from '../ports/models';
import type { AssembledCall } from './assemble-calls';
import { createCallAssembler, isJson } from './assemble-calls';
import type { Chunk } from './chunk';
import { readFinish } from './chunk';
import type { Failure } from './failures';
import { failure } from './failures';
import type { LessonBook } from './lessons';
import type { ToolProtocol } from './profile';
import type { TextPiece, TextSplitter } from './split-text';
import { createTextSplitter } from './split-text';

export interface AnswerReader {
  push(chunk: Chunk): readonly ModelEvent[];
  /** The stream is over. `sawDone`: it said so itself. Ends with `done` or `error`. */
  end(sawDone: boolean): readonly ModelEvent[];
  /** The stream broke: what was still held back, so that no received word is lost. */
  abandon(): readonly ModelEvent[];
}

/** Where the indexes of calls begin that are written as text: no endpoint counts so far. */
const WRITTEN = 1_000_000;

/** Turns the chunks of one answer into events. `now` (ms) makes ids for calls that come without one. */
export function createAnswerReader(request: ModelRequest, lessons: LessonBook, now: () => number, protocol: ToolProtocol = 'native'): AnswerReader {
  // Told in words, tools stay told: a call is then none of the answer's words even where it will not be run.
  const callsAreText = protocol === 'text' && (request.tools ?? []).length > 0;
  const none = protocol === 'none' || (request.toolChoice === 'none' && !callsAreText);
  const offered = new Set(none ? [] : (request.tools ?? []).map((tool) => tool.name));
  const assembler = createCallAssembler(idsIn(request), (n) => `${now().toString(36)}${n.toString(36)}`.padStart(9, '0'));
  let splitter: TextSplitter | undefined;
  let written = WRITTEN;
  let usage: Usage | undefined;
  let finish: string | undefined;
  let sawText = false;
  let sawReasoning = false;

  function fromPieces(pieces: readonly TextPiece[]): readonly ModelEvent[] {
    return pieces.flatMap((piece): readonly ModelEvent[] => {
      switch (piece.kind) {
        case 'text':
          sawText = true;
          return [{ type: 'text', text: piece.text }];
        case 'reasoning':
          sawReasoning = true;
          return [{ type: 'reasoning', text: piece.text }];
        case 'was-thinking':
          // Where thinking came under a name of its own, the tag alone has leaked.
          if (sawReasoning || !sawText) return [];
          sawText = false;
          sawReasoning = true;
          return [{ type: 'textWasReasoning' }];
        case 'call':
          return assembler.push([{ index: (written += 1), name: piece.name, args: piece.args }]);
        case 'call-start':
          return assembler.push([{ index: (written += 1), name: piece.name }]);
        case 'call-args':
          return assembler.push([{ index: written, args: piece.args }]);
      }
    });
  }

  function textEvents(text: string): readonly ModelEvent[] {
    if (text === '') return [];
    splitter ??= createTextSplitter({ tools: offered, callsAreText, startsThinking: lessons.current().thinkWithoutOpening === true && !sawReasoning });
    return fromPieces(splitter.push(text));
  }

  function abandon(): readonly ModelEvent[] {
    const events = fromPieces(splitter?.end() ?? []);
    return usage === undefined ? events : [...events, { type: 'usage', usage }];
  }

  return {
    push(chunk) {
      usage = chunk.usage ?? usage;
      finish = chunk.finish ?? finish;
      const events: ModelEvent[] = [];
      if (chunk.reasoning !== '') {
        sawReasoning = true;
        events.push({ type: 'reasoning', text: chunk.reasoning });
      }
      events.push(...textEvents(chunk.text), ...assembler.push(chunk.calls));
      return events;
    },
    end(sawDone) {
      const held = fromPieces(splitter?.end() ?? []);
      if (splitter?.sawLoneClose === true) lessons.add({ thinkWithoutOpening: true });
      if (splitter?.guessedWrong === true) lessons.add({ thinkWithoutOpening: false });
      const calls = assembler.calls();
      const empty = !sawText && !sawReasoning && calls.length === 0 && finish === undefined;
      const verdict = empty ? failure('model.bad-stream', { detail: 'empty' }) : judge(finish, sawDone, calls);
      const whole = 'error' in verdict ? [] : verdict.calls;
      return [
        ...held,
        ...whole.map((call): ModelEvent => ({ type: 'toolCall', ...call })),
        ...(usage === undefined ? [] : [{ type: 'usage', usage } as const]),
        'error' in verdict ? errorEvent(verdict) : { type: 'done', reason: verdict.reason },
      ];
    },
    abandon,
  };
}

export function errorEvent(failed: Failure): ModelEvent {
  return {
    type: 'error',
    error: failed.error,
    retryable: failed.retryable,
    ...(failed.retryAfterMs === undefined ? {} : { retryAfterMs: failed.retryAfterMs }),
  };
}

/** How an answer ended, whatever its server said: which calls are whole, and why it stopped. */
function judge(
  finish: string | undefined,
  sawDone: boolean,
  calls: readonly AssembledCall[],
): Failure | { readonly reason: DoneReason; readonly calls: readonly AssembledCall[] } {
  const said = finish === undefined ? (sawDone ? 'stop' : 'unknown') : readFinish(finish);
  if (said === 'error') {
    return failure(finish === 'insufficient_system_resource' ? 'model.overloaded' : 'model.server', { detail: finish ?? '' });
  }
  const last = calls.at(-1);
  const cut = last !== undefined && !isJson(last.args);
  // A connection that closed in the middle of a call: running what arrived would do half of what was meant.
  if (cut && finish === undefined && !sawDone) return failure('model.bad-stream', { detail: 'cut in a call' });
  if (said === 'length' || said === 'content_filter') return { reason: said, calls: cut ? calls.slice(0, -1) : calls };
  if (calls.length > 0) return { reason: 'tool_calls', calls };
  return { reason: said === 'tool_calls' ? 'stop' : said, calls };
}

function idsIn(request: ModelRequest): ReadonlySet<string> {
  return new Set(request.messages.flatMap((message) => (message.role === 'assistant' ? (message.calls ?? []).map((call) => call.callId) : [])));
}
