import { parsedJson } from '../text/json';
import { CALL_CLOSE } from './text-tools';

/** How a call that is written as text begins and ends. */
export type CallFrame = 'tags' | 'fence';

export type CallPiece =
  | { readonly kind: 'call'; readonly name: string; readonly args: string }
  /** The call's arguments follow, piece by piece. */
  | { readonly kind: 'call-start'; readonly name: string }
  | { readonly kind: 'call-args'; readonly args: string };

/** Reads one call after its opening. */
export interface CallReader {
  /**
   * Takes from the front of `held` what belongs to the call. `left`: what may be more of it, or comes after it. `done`: the call is over.
   * `text`: it is no call, and these are the words it was made of. `last`: no more will come.
   */
  read(held: string, last: boolean): { readonly pieces: readonly CallPiece[]; readonly left: string; readonly done: boolean; readonly text?: string };
}

export interface CallRules {
  /** Names of the offered tools. */
  readonly tools: ReadonlySet<string>;
  /** What stands between the tags is a call, whatever it is: never text. */
  readonly always: boolean;
}

const HEAD = /^\s*\{\s*"name"\s*:\s*"([^"\\]*)"\s*,\s*"(?:arguments|parameters)"\s*:\s*(?=\{)/;
const FENCE = '```';
const INFOS = ['json', 'tool_call', 'tool_code', ''] as const;

export function createCallReader(frame: CallFrame, opening: string, { tools, always }: CallRules): CallReader {
  const close = frame === 'tags' ? CALL_CLOSE : FENCE;
  const accepted = (name: string): boolean => tools.has(name) || (always && frame === 'tags');
  let state: 'head' | 'args' | 'tail' = 'head';
  let braceClosed = false;
  const end = createObjectEnd();

  function whole(held: string, last: boolean): ReturnType<CallReader['read']> {
    const from = frame === 'fence' ? held.search(/\S/) : 0;
    const at = held.indexOf(close, Math.max(0, from));
    if (at === -1 && !last) return { pieces: [], left: held, done: false };
    const raw = at === -1 ? held : held.slice(0, at);
    const left = at === -1 ? '' : held.slice(at + close.length);
    const parsed = parseCall(frame === 'fence' ? raw.replace(/^[^\n]*/, '') : raw);
    if (parsed !== undefined && accepted(parsed.name) && (frame === 'tags' || parsed.given)) return { pieces: [{ kind: 'call', name: parsed.name, args: parsed.args }], left, done: true };
    if (always && frame === 'tags') return { pieces: [{ kind: 'call', name: /"name"\s*:\s*"([^"\\]+)"/.exec(raw)?.[1] ?? 'tool_call', args: raw.trim() }], left, done: true };
    return { pieces: [], left, done: true, text: opening + raw + (at === -1 ? '' : close) };
  }

  function head(held: string, last: boolean): ReturnType<CallReader['read']> {
    const body = frame === 'tags' ? held : afterInfo(held);
    if (body === undefined) return { pieces: [], left: held, done: true, text: opening };
    const match = HEAD.exec(body);
    const name = match?.[1] ?? '';
    if (match !== null && accepted(name)) {
      state = 'args';
      return { pieces: [{ kind: 'call-start', name }], left: body.slice(match[0].length), done: false };
    }
    if (frame === 'fence' && !couldBeCall(body)) return { pieces: [], left: held, done: true, text: opening };
    return whole(held, last);
  }

  function args(held: string, last: boolean): ReturnType<CallReader['read']> {
    const closing = frame === 'tags' ? close : `\n${close}`;
    const at = held.indexOf(closing);
    const most = at !== -1 ? at : last ? held.length : held.length - beginOf(held, closing);
    const length = end.push(held.slice(0, most));
    const taken = held.slice(0, length ?? most);
    if (length !== undefined || at !== -1) state = 'tail';
    return { pieces: taken === '' ? [] : [{ kind: 'call-args', args: taken }], left: held.slice(taken.length), done: false };
  }

  /** The brace around the call and its closing, either of which may be missing. */
  function tail(held: string, last: boolean): ReturnType<CallReader['read']> {
    const rest = held.trimStart();
    if (rest.startsWith('}') && !braceClosed) {
      braceClosed = true;
      return { pieces: [], left: rest.slice(1), done: false };
    }
    if (rest.startsWith(close)) return { pieces: [], left: rest.slice(close.length), done: true };
    if (!last && close.startsWith(rest)) return { pieces: [], left: rest, done: false };
    return { pieces: [], left: rest, done: true };
  }

  return {
    read(held, last) {
      switch (state) {
        case 'head':
          return head(held, last);
        case 'args':
          return args(held, last);
        case 'tail':
          return tail(held, last);
      }
    },
  };
}

/** Finds where a JSON object ends that may come in pieces. */
function createObjectEnd(): { push(text: string): number | undefined } {
  let depth = 0;
  let inString = false;
  let escaped = false;
  return {
    push(text) {
      for (let at = 0; at < text.length; at += 1) {
        const letter = text[at];
        if (escaped) escaped = false;
        else if (inString) {
          if (letter === '\\') escaped = true;
          else if (letter === '"') inString = false;
        } else if (letter === '"') inString = true;
        else if (letter === '{' || letter === '[') depth += 1;
        else if (letter === '}' || letter === ']') {
          depth -= 1;
          if (depth === 0) return at + 1;
        }
      }
      return undefined;
    },
  };
}

/** What follows a fence's first line; `''` while it is not over, `undefined` when the fence is not one in which calls stand. */
function afterInfo(held: string): string | undefined {
  const line = held.indexOf('\n');
  const info = (line === -1 ? held : held.slice(0, line)).trim().toLowerCase();
  if (!INFOS.some((known) => (line === -1 ? known.startsWith(info) : known === info))) return undefined;
  return line === -1 ? '' : held.slice(line + 1);
}

/** Whether a text may still become a call: it says nothing else than a call's first words. */
function couldBeCall(body: string): boolean {
  const said = body.replace(/\s+/g, '');
  const start = '{"name":"';
  if (said.length <= start.length) return start.startsWith(said);
  return said.startsWith(start) && /^\{"name":"[\w-]*(?:"(?:,(?:"[a-z]*(?:"(?::[\s\S]*)?)?)?)?)?$/.test(said);
}

/** Length of the longest end of `text` that begins `tag`. */
export function beginOf(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(tag.slice(0, length))) return length;
  }
  return 0;
}

function parseCall(raw: string): { readonly name: string; readonly args: string; readonly given: boolean } | undefined {
  const value = parsedJson(raw);
  if (typeof value !== 'object' || value === null) return undefined;
  const { name, arguments: args, parameters } = value as { readonly name?: unknown; readonly arguments?: unknown; readonly parameters?: unknown };
  if (typeof name !== 'string') return undefined;
  const given = args ?? parameters;
  return { name, args: typeof given === 'string' ? given : JSON.stringify(given ?? {}), given: given !== undefined };
}
