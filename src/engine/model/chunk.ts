import type { DoneReason, Usage } from '../ports/models';

/** One piece of a tool call as it stands in a delta; absent parts are undefined. */
export interface CallFragment {
  readonly index?: number;
  readonly id?: string;
  readonly name?: string;
  /** A fragment of JSON text, or the whole of it when the endpoint sent an object. */
  readonly args?: string;
}

/** What one chunk of a stream says, whatever names its server uses for it. */
export interface Chunk {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly CallFragment[];
  readonly usage?: Usage;
  /** As sent; `''` counts as absent. */
  readonly finish?: string;
  /** The chunk is an error in disguise: its JSON. */
  readonly error?: string;
}

type Json = Readonly<Record<string, unknown>>;

/** Reads a parsed chunk, tolerant of everything that is not there. Only the first choice counts. */
export function readChunk(raw: unknown): Chunk {
  const chunk = asObject(raw) ?? {};
  const choices = chunk['choices'];
  const choice = asObject(Array.isArray(choices) ? choices[0] : undefined);
  const error = errorIn(chunk, choice);
  if (error !== undefined) return { text: '', reasoning: '', calls: [], error };
  const delta = asObject(choice?.['delta']) ?? asObject(choice?.['message']) ?? {};
  const parts = readContent(delta['content']);
  const usage = readUsage(chunk['usage']) ?? readUsage(choice?.['usage']);
  const finish = text(choice?.['finish_reason']);
  return {
    text: parts.text + text(delta['refusal']),
    reasoning: readReasoning(delta) + parts.reasoning,
    calls: [...readCalls(delta['tool_calls']), ...readCalls(delta['function_call'])],
    ...(usage === undefined ? {} : { usage }),
    ...(finish === '' ? {} : { finish }),
  };
}

/** `error` stands for endings that are failures. */
export function readFinish(finish: string): DoneReason | 'error' {
  switch (finish) {
    case 'stop':
    case 'eos':
    case 'end_turn':
      return 'stop';
    case 'tool_calls':
    case 'function_call':
      return 'tool_calls';
    case 'length':
    case 'max_tokens':
      return 'length';
    case 'content_filter':
    case 'sensitive':
      return 'content_filter';
    case 'insufficient_system_resource':
    case 'error':
    case 'network_error':
      return 'error';
    default:
      return 'unknown';
  }
}

function errorIn(chunk: Json, choice: Json | undefined): string | undefined {
  if (choice !== undefined) return choice['error'] === undefined || choice['error'] === null ? undefined : JSON.stringify(choice['error']);
  const disguised = chunk['object'] === 'error' || (typeof chunk['message'] === 'string' && !('choices' in chunk));
  return disguised ? JSON.stringify(chunk) : undefined;
}

function readReasoning(delta: Json): string {
  for (const name of ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking']) {
    const value = text(delta[name]);
    if (value !== '') return value;
  }
  const details = delta['reasoning_details'];
  if (!Array.isArray(details)) return '';
  return details.map((item) => text(asObject(item)?.['text']) || text(asObject(item)?.['summary'])).join('');
}

/** `content` is text, or an array of parts of which some may be thinking. */
function readContent(content: unknown): { readonly text: string; readonly reasoning: string } {
  if (!Array.isArray(content)) return { text: text(content), reasoning: '' };
  let plain = '';
  let reasoning = '';
  for (const part of content.map(asObject)) {
    if (part?.['type'] === 'thinking') reasoning += readContent(part['thinking']).text;
    else plain += text(part?.['text']);
  }
  return { text: plain, reasoning };
}

function readCalls(raw: unknown): readonly CallFragment[] {
  const list = Array.isArray(raw) ? raw : raw === undefined || raw === null ? [] : [raw];
  return list.flatMap((item) => {
    const call = asObject(item);
    if (call === undefined) return [];
    const body = asObject(call['function']) ?? call;
    const index = call['index'];
    const id = text(call['id']);
    const name = text(body['name']);
    const args = body['arguments'];
    return [
      {
        ...(typeof index === 'number' ? { index } : {}),
        ...(id === '' ? {} : { id }),
        ...(name === '' ? {} : { name }),
        ...(args === undefined || args === null ? {} : { args: typeof args === 'string' ? args : JSON.stringify(args) }),
      },
    ];
  });
}

function readUsage(raw: unknown): Usage | undefined {
  const usage = asObject(raw);
  const input = usage?.['prompt_tokens'];
  const output = usage?.['completion_tokens'];
  if (typeof input !== 'number' && typeof output !== 'number') return undefined;
  const cached = number(asObject(usage?.['prompt_tokens_details'])?.['cached_tokens']) ?? number(usage?.['prompt_cache_hit_tokens']) ?? number(usage?.['cached_tokens']);
  const reasoning = number(asObject(usage?.['completion_tokens_details'])?.['reasoning_tokens']) ?? number(usage?.['reasoning_tokens']);
  return {
    input: number(input) ?? 0,
    output: number(output) ?? 0,
    ...(cached === undefined ? {} : { cached }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}

function asObject(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
