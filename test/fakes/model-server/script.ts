/** Everything here is plain JSON, so that a script can be handed to a child process. */
export interface ScriptedCall {
  readonly name: string;
  /** Sent as JSON text; a string is sent as it is. */
  readonly args: unknown;
  /** Default `call_<request>_<position>`. */
  readonly id?: string;
}

export interface SayAnswer {
  readonly text?: string;
  readonly reasoning?: string;
  /** Default `reasoning_content`. */
  readonly reasoningField?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Default: `tool_calls` with calls, else `stop`. `null` leaves it out. */
  readonly finish?: string | null;
  readonly usage?: Readonly<Record<string, unknown>>;
  /** Characters (code points) of one streamed piece. Default 8. */
  readonly chunkSize?: number;
  /** Pause before each event, in ms. Default 0. */
  readonly delayMs?: number;
  /** Instead of `delayMs`: the events leave at this interval, in ms, counted from the first, however long each write takes. */
  readonly everyMs?: number;
  /** What happens after `cutAfter` events instead of the rest. */
  readonly cutAfter?: number;
  readonly end?: End;
}

/** How a body ends: whole, with the connection destroyed, or not at all. */
export type End = 'close' | 'cut' | 'hang';

export interface RawAnswer {
  /** The body, written piece by piece exactly so; bytes as base64. */
  readonly raw: readonly (string | { readonly base64: string })[];
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delayMs?: number;
  readonly end?: End;
}

export interface ErrorAnswer {
  readonly status: number;
  /** JSON unless a string. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** No answer at all, or (`headers`) the head of one and then nothing. */
export interface HangAnswer {
  readonly hang: 'request' | 'headers';
}

export type Answer = SayAnswer | RawAnswer | ErrorAnswer | HangAnswer;

/** What a chat request looked like; `turn` and `round` count from 1. */
export interface ServedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: string;
  /** Parsed JSON, or undefined when it is none. */
  readonly body: ChatBody | undefined;
  /** User messages so far. */
  readonly turn: number;
  /** Answers since the last user message, plus 1. */
  readonly round: number;
}

export interface ChatBody {
  readonly model?: string;
  readonly stream?: boolean;
  readonly messages?: readonly ChatMessage[];
  readonly tools?: readonly unknown[];
  readonly [name: string]: unknown;
}

export interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly unknown[];
  readonly [name: string]: unknown;
}

/** One rule of a JSON script: all given conditions must hold. */
export interface Rule {
  readonly turn?: number;
  readonly round?: number;
  /** The last user message contains this. */
  readonly words?: string;
  readonly answer: Answer;
  /** The rule serves this often, then counts as absent. Default: always. */
  readonly times?: number;
}

export interface JsonScript {
  /** First fitting rule answers. */
  readonly rules?: readonly Rule[];
  /** Answers in order, for requests no rule fits. */
  readonly answers?: readonly Answer[];
  /** For all others; without it they get a 500 that says so. */
  readonly otherwise?: Answer;
}

export type Script = JsonScript | readonly Answer[] | ((request: ServedRequest, n: number) => Answer | Promise<Answer>);

export type Answerer = (request: ServedRequest, n: number) => Answer | Promise<Answer>;

export const NOTHING_SCRIPTED: ErrorAnswer = { status: 500, body: { error: { message: 'the script has no answer for this request', type: 'script_exhausted' } } };

/** Turns any form of script into a function. Keeps count of what has been used, so make one per server. */
export function answererOf(script: Script): Answerer {
  if (typeof script === 'function') return script;
  const { rules = [], answers = [], otherwise = NOTHING_SCRIPTED }: JsonScript = isList(script) ? { answers: script } : script;
  const left = rules.map((rule) => rule.times ?? Number.POSITIVE_INFINITY);
  let next = 0;
  return (request) => {
    const at = rules.findIndex((rule, i) => (left[i] ?? 0) > 0 && fits(rule, request));
    const rule = rules[at];
    if (rule !== undefined) {
      left[at] = (left[at] ?? 0) - 1;
      return rule.answer;
    }
    const answer = answers[next];
    next += 1;
    return answer ?? otherwise;
  };
}

/** The text of the last message of a role, parts joined. */
export function lastText(request: ServedRequest, role = 'user'): string {
  const content = request.body?.messages?.findLast((message) => message.role === role)?.content;
  return typeof content === 'string' ? content : JSON.stringify(content ?? '');
}

function isList(script: JsonScript | readonly Answer[]): script is readonly Answer[] {
  return Array.isArray(script);
}

function fits(rule: Rule, request: ServedRequest): boolean {
  return (
    (rule.turn === undefined || rule.turn === request.turn) &&
    (rule.round === undefined || rule.round === request.round) &&
    (rule.words === undefined || lastText(request).includes(rule.words))
  );
}
