import type { ModelMessage } from '../../../src/engine/ports/models';
import type { Answer } from '../../fakes/model-server/script';
import type { Stream } from './stream';
import { d, done, OUTLINE, STOP, text, WITH_TOOLS } from './stream';

const no = (message: string, status = 400): Answer => ({ status, body: { error: { message, type: 'invalid_request_error' } } });
const body = d('{"content":"雨停了。"}') + STOP;
const events = [text('雨停了。'), done('stop')];
const WHOLE = '{"choices":[{"index":0,"message":{"role":"assistant","content":"雨停了。"},"finish_reason":"stop"}]}';

const LED: readonly ModelMessage[] = [{ role: 'system', content: '守则' }, { role: 'user', content: '看《雨夜》' }];
const WITH_CALLS: readonly ModelMessage[] = [
  { role: 'user', content: '看目录' },
  { role: 'assistant', content: '', reasoning: '先看', calls: [{ callId: 'a', name: 'outline', args: '{}' }] },
  { role: 'tool', callId: 'a', name: 'outline', content: '{"ok":true}' },
];
const calling = (rest: object): unknown => ({ role: 'assistant', ...rest, tool_calls: [{ id: 'a', type: 'function', function: { name: 'outline', arguments: '{}' } }] });
const around = (assistant: unknown): readonly unknown[] => [{ role: 'user', content: '看目录' }, assistant, { role: 'tool', tool_call_id: 'a', content: '{"ok":true}' }];

const TWICE: readonly ModelMessage[] = [
  { role: 'system', content: '守则' },
  { role: 'user', content: '一' },
  { role: 'user', content: '二' },
  { role: 'assistant', content: '甲' },
  { role: 'assistant', content: '乙', calls: [{ callId: 'a', name: 'outline', args: '{}' }] },
  { role: 'tool', callId: 'a', name: 'outline', content: '{"ok":true}' },
  { role: 'tool', callId: 'a', name: 'outline', content: '{"ok":true}' },
  { role: 'user', content: '三' },
];

/** What endpoints refuse, and how they are asked from then on. */
export const refusalStreams: readonly Stream[] = [
  { name: 'refuses stream_options', quirk: 'stream_options refused', before: [no('Unrecognized request argument supplied: stream_options')], body, events, asked: { stream: true, stream_options: undefined } },
  { name: 'refuses tool_choice: the last call goes without tools', quirk: 'tool_choice refused', request: { ...WITH_TOOLS, toolChoice: 'none' }, before: [no("tool_choice 'none' is not supported")], body, events, asked: { tool_choice: undefined, tools: undefined } },
  ...(
    [
      ['registry.ollama.ai/library/gemma does not support tools', 400],
      ['"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', 400],
      ['No endpoints found that support tool use.', 404],
    ] as const
  ).map(
    ([message, status]): Stream => ({
      name: `takes no tools: ${message}`,
      quirk: 'no tool support',
      request: { tools: [OUTLINE], messages: WITH_CALLS },
      before: [no(message, status)],
      body,
      events,
      // Calls made before, with another model, are told by what came of them.
      asked: { tools: undefined, messages: [{ role: 'user', content: '看目录' }, { role: 'user', content: '<tool_result name="outline">\n{"ok":true}\n</tool_result>' }] },
    }),
  ),
  ...['Streaming is not supported for this model.', 'Your organization must be verified to stream this model.', "Unsupported value: 'stream' does not support true with this model. Only the default (false) value is supported.", '该模型不支持流式输出'].map(
    (message): Stream => ({
      name: `does not stream: ${message}`,
      quirk: 'no streaming',
      before: [no(message)],
      headers: { 'content-type': 'application/json' },
      body: WHOLE,
      events,
      asked: { stream: false, stream_options: undefined },
      next: [{ role: 'assistant', content: '雨停了。' }, { role: 'user', content: '继续' }],
    }),
  ),
  { name: 'calls the system role developer', quirk: 'no system role', request: { messages: LED }, before: [no("Unsupported value: 'messages[0].role' does not support 'system' with this model.")], body, events, asked: { messages: [{ role: 'developer', content: '守则' }, { role: 'user', content: '看《雨夜》' }] } },
  {
    name: 'knows neither system nor developer',
    quirk: 'no system role',
    request: { messages: LED },
    before: [no('System role not supported'), no('Conversation roles must alternate user/assistant/user/assistant/...')],
    body,
    events,
    asked: { messages: [{ role: 'user', content: '守则\n\n看《雨夜》' }] },
    next: [{ role: 'assistant', content: '雨停了。' }, { role: 'user', content: '继续' }],
  },
  { name: 'takes no instruction at all, as Gemma behind Google’s service', quirk: 'no system role', request: { messages: LED }, before: [no('Developer instruction is not enabled for models/gemma-3-27b-it')], body, events, asked: { messages: [{ role: 'user', content: '守则\n\n看《雨夜》' }] } },
  {
    name: 'wants its system message first and only there',
    quirk: 'a system message that is not first',
    request: { messages: [...LED, { role: 'assistant', content: '好' }, { role: 'system', content: '再守' }] },
    before: [no('System message must be at the beginning.')],
    body,
    events,
    asked: { messages: [{ role: 'system', content: '守则' }, { role: 'user', content: '看《雨夜》' }, { role: 'assistant', content: '好' }, { role: 'user', content: '再守' }] },
  },
  {
    name: 'wants roles to alternate',
    quirk: 'consecutive messages of one role',
    request: { messages: TWICE },
    before: [no('After the optional system message, conversation roles must alternate user/assistant/user/assistant/...')],
    body,
    events,
    asked: {
      messages: [
        { role: 'system', content: '守则' },
        { role: 'user', content: '一\n\n二' },
        calling({ content: '甲\n\n乙' }),
        { role: 'tool', tool_call_id: 'a', content: '{"ok":true}' },
        { role: 'tool', tool_call_id: 'a', content: '{"ok":true}' },
        { role: 'user', content: '三' },
      ],
    },
  },
  {
    name: 'wants a word of the assistant between results and what the author says next, as Mistral does',
    quirk: "the user's words after results",
    request: { messages: [...WITH_CALLS, { role: 'user', content: '短些' }] },
    before: [no("Unexpected role 'user' after role 'tool'")],
    body,
    events,
    asked: { messages: [...around(calling({ content: null, reasoning_content: '先看' })), { role: 'assistant', content: '…' }, { role: 'user', content: '短些' }] },
    next: [{ role: 'assistant', content: '雨停了。' }, { role: 'user', content: '继续' }],
  },
  { name: 'has another name for max_tokens', quirk: 'max_tokens refused', profile: { maxOutput: 50 }, before: [no("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.")], body, events, asked: { max_tokens: undefined, max_completion_tokens: 50 } },
  { name: 'takes no temperature', quirk: 'sampling refused', profile: { temperature: 0.2, topP: 1 }, before: [no("Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.")], body, events, asked: { temperature: undefined, top_p: 1 } },
  { name: 'wants a string beside calls', quirk: 'empty content beside calls', request: { messages: WITH_CALLS }, before: [no('messages[1]: invalid type: null, expected a string for content')], body, events, asked: { messages: around(calling({ content: '', reasoning_content: '先看' })) } },
  { name: 'wants no content beside calls', quirk: 'empty content beside calls', request: { messages: WITH_CALLS }, before: [no('content: none is not an allowed value, expected a string'), no('messages[1].content must not be empty')], body, events, asked: { messages: around(calling({ reasoning_content: '先看' })) } },
  {
    name: 'wants the thinking back beside every call',
    quirk: 'reasoning that must be replayed',
    request: { messages: WITH_CALLS.map((message) => (message.role === 'assistant' ? { role: 'assistant', content: '', calls: message.calls ?? [] } : message)) },
    before: [no('The reasoning_content in the thinking mode must be passed back to the API.')],
    body,
    events,
    asked: { messages: around(calling({ content: null, reasoning_content: '' })) },
  },
  { name: 'refuses thinking that is sent back', quirk: 'reasoning that must not be replayed', request: { messages: WITH_CALLS }, before: [no("messages.1: property 'reasoning_content' is unsupported")], body, events, asked: { messages: around(calling({ content: null })) } },
  {
    name: 'refuses a field inside a stream that began well',
    quirk: 'refusal inside a stream',
    before: [{ raw: ['data: {"error":{"message":"stream_options is unknown","code":400}}\n\n'] }],
    body,
    events,
    asked: { stream_options: undefined },
  },
];
