import type { SayAnswer, ServedRequest } from './script';

const BASE = { id: 'chatcmpl-fake', object: 'chat.completion.chunk', created: 1_767_225_600 } as const;

/** The events of a streamed answer, one string each, as OpenAI itself would send them. */
export function eventsOf(answer: SayAnswer, request: ServedRequest, n: number): readonly string[] {
  const model = request.body?.model ?? 'fake';
  const chunk = (delta: unknown, finish: string | null = null): string =>
    event({ ...BASE, model, choices: [{ index: 0, delta, finish_reason: finish }] });
  const calls = answer.calls ?? [];
  return [
    chunk({ role: 'assistant', content: '' }),
    ...pieces(answer.reasoning, answer.chunkSize).map((text) => chunk({ [answer.reasoningField ?? 'reasoning_content']: text })),
    ...pieces(answer.text, answer.chunkSize).map((text) => chunk({ content: text })),
    ...calls.flatMap((call, index) => {
      const id = call.id ?? `call_${String(n)}_${String(index)}`;
      const args = typeof call.args === 'string' ? call.args : JSON.stringify(call.args);
      return [
        chunk({ tool_calls: [{ index, id, type: 'function', function: { name: call.name, arguments: '' } }] }),
        ...pieces(args, answer.chunkSize).map((text) => chunk({ tool_calls: [{ index, function: { arguments: text } }] })),
      ];
    }),
    ...(answer.finish === null ? [] : [chunk({}, answer.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'))]),
    event({ ...BASE, model, choices: [], usage: usageOf(answer, request) }),
    'data: [DONE]\n\n',
  ];
}

/** The whole answer as one JSON body, for requests that do not stream. */
export function wholeOf(answer: SayAnswer, request: ServedRequest, n: number): string {
  const calls = (answer.calls ?? []).map((call, index) => ({
    id: call.id ?? `call_${String(n)}_${String(index)}`,
    type: 'function',
    function: { name: call.name, arguments: typeof call.args === 'string' ? call.args : JSON.stringify(call.args) },
  }));
  return JSON.stringify({
    ...BASE,
    object: 'chat.completion',
    model: request.body?.model ?? 'fake',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: answer.text ?? '', ...(calls.length === 0 ? {} : { tool_calls: calls }) },
        finish_reason: answer.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
      },
    ],
    usage: usageOf(answer, request),
  });
}

/** One server-sent event. */
export function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function pieces(text: string | undefined, size = 8): readonly string[] {
  const points = [...(text ?? '')];
  return Array.from({ length: Math.ceil(points.length / size) }, (_, i) => points.slice(i * size, (i + 1) * size).join(''));
}

/** About what a tokenizer would say, so that a usage display has something to show. */
function usageOf(answer: SayAnswer, request: ServedRequest): Readonly<Record<string, unknown>> {
  const input = Math.ceil(request.raw.length / 3);
  const output = Math.ceil(`${answer.reasoning ?? ''}${answer.text ?? ''}${JSON.stringify(answer.calls ?? '')}`.length / 2);
  return answer.usage ?? { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}
