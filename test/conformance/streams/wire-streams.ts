import type { Stream } from './stream';
import { begun, c, d, DONE, done, ev, failed, STOP, text, usage, WITH_TOOLS } from './stream';

const RAIN = '{"choices":[{"index":0,"delta":{"content":"雨停"},"finish_reason":null}]}';
const OVER = '{"choices":[{"index":0,"delta":{"content":"了。"},"finish_reason":"stop"}]}';
const said = [text('雨停'), text('了。'), done('stop')];

/** Lines, events and ends of streams. */
export const wireStreams: readonly Stream[] = [
  { name: 'ends lines with CRLF', quirk: 'line ends', body: `data: ${RAIN}\r\n\r\ndata: ${OVER}\r\n\r\ndata: [DONE]\r\n\r\n`, events: said },
  { name: 'ends lines with CR', quirk: 'line ends', body: `data: ${RAIN}\r\rdata: ${OVER}\r\rdata: [DONE]\r\r`, events: said },
  { name: 'ends lines with CR and keeps the connection open', quirk: 'line ends', hangs: true, body: `data: ${RAIN}\r\rdata: ${OVER}\r\rdata: [DONE]\r\r`, events: said },
  { name: 'writes comments, as OpenRouter does while it waits', quirk: 'comments', body: `: OPENROUTER PROCESSING\n\n: 请稍候\n\n${ev(RAIN)}: keep-alive\n\n${ev(OVER)}${DONE}`, events: said },
  { name: 'puts no space after `data:`', quirk: 'data: without a space', hangs: true, body: `data:${RAIN}\n\ndata:${OVER}\n\ndata:[DONE]\n\n`, events: said },
  { name: 'names its events and numbers them', quirk: 'event and id lines', body: `event: message\nid: 1\ndata: ${RAIN}\n\nid: 2\nevent: message\ndata: ${OVER}\nretry: 3000\n\n${DONE}`, events: said },
  { name: 'cuts an event over two data lines', quirk: 'data over several lines', body: `data: {"choices":[{"index":0,\ndata: "delta":{"content":"雨停"}}]}\n\n${ev(OVER)}${DONE}`, events: said },
  { name: 'begins with empty lines', quirk: 'empty lines', body: `\n\n\n${ev(RAIN)}\n\n\n${ev(OVER)}\n${DONE}`, events: said },
  { name: 'sends empty deltas, null content and no choices', quirk: 'empty deltas', body: ev('{"choices":[]}') + d('{}') + d('{"content":""}') + d('{"content":null}') + ev(RAIN) + ev('{"choices":[{"index":0}]}') + ev(OVER) + DONE, events: said },
  { name: 'ends without [DONE]', quirk: 'no [DONE]', body: ev(RAIN) + ev(OVER), events: said },
  { name: 'keeps the connection open after [DONE]', quirk: 'open after [DONE]', hangs: true, body: ev(RAIN) + ev(OVER) + DONE, events: said },
  { name: 'goes on after [DONE]', quirk: 'goes on after [DONE]', body: ev(RAIN) + ev(OVER) + DONE + d('{"content":"多"}'), events: said },
  {
    name: 'answers whole, after an empty line, though a stream was asked for',
    quirk: 'a whole answer for a stream',
    headers: { 'content-type': 'application/json' },
    body: '\n {"choices":[{"index":0,"message":{"role":"assistant","content":"雨停\\n了。"},"finish_reason":"stop"}],\r\n"usage":{"prompt_tokens":5,"completion_tokens":3}}',
    events: [text('雨停\n了。'), usage(5, 3), done('stop')],
  },
  ...(
    [
      ['"stop"', 'stop'],
      ['"end_turn"', 'stop'],
      ['"length"', 'length'],
      ['"max_tokens"', 'length'],
      ['"content_filter"', 'content_filter'],
      ['"sensitive"', 'content_filter'],
      ['""', 'stop'],
      ['null', 'stop'],
      ['"something_new"', 'unknown'],
    ] as const
  ).map(([finish, reason]): Stream => ({ name: `gives ${finish} as finish_reason`, quirk: 'finish_reason seen', body: ev(RAIN) + d('{}', finish) + DONE, events: [text('雨停'), done(reason)] })),
  { name: 'gives neither a reason nor [DONE]', quirk: 'finish_reason absent', body: ev(RAIN), events: [text('雨停'), done('unknown')] },
  { name: 'runs out of resources', quirk: 'failures as finish_reason', body: ev(RAIN) + d('{}', '"insufficient_system_resource"') + DONE, events: [text('雨停'), failed('model.overloaded', true, { detail: 'insufficient_system_resource' })] },
  { name: 'fails and says so as finish_reason', quirk: 'failures as finish_reason', body: ev(RAIN) + d('{}', '"error"') + DONE, events: [text('雨停'), failed('model.server', true, { detail: 'error' })] },
  {
    name: 'sends an error object in the middle of a 200',
    quirk: 'error inside a stream',
    body: ev(RAIN) + ev('{"error":{"message":"Provider overloaded：忙","code":502}}'),
    events: [text('雨停'), failed('model.overloaded', true, { status: 502, detail: 'Provider overloaded：忙' })],
  },
  {
    name: 'sends an error beside a choice',
    quirk: 'error inside a stream',
    body: ev('{"choices":[{"index":0,"delta":{},"finish_reason":"error","error":{"message":"上游断了","code":500}}]}'),
    events: [failed('model.server', true, { status: 500, detail: '上游断了' })],
  },
  {
    name: 'sends an error that looks like a chunk',
    quirk: 'error inside a stream',
    body: ev('{"object":"error","message":"prompt too long：太长","code":400}'),
    events: [failed('model.context-overflow', false, { status: 400, detail: 'prompt too long：太长' })],
  },
  {
    name: 'tells usage before its error',
    quirk: 'error inside a stream',
    body: ev('{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":0}}') + ev('{"error":{"message":"坏了"}}'),
    events: [usage(3, 0), failed('model.server', true, { detail: '坏了' })],
  },
  { name: 'answers nothing', quirk: 'an empty answer', body: d('{"content":""}').replace('雨', '') + DONE, events: [failed('model.bad-stream', true, { detail: 'empty' })] },
  { name: 'breaks off inside an event', quirk: 'an event that is no JSON', body: `${ev(RAIN)}data: {"choices":[{"delta":{"content":"了\n\n`, events: [text('雨停'), failed('model.bad-stream', true)] },
  {
    name: 'closes inside a call',
    quirk: 'closed inside a call',
    request: WITH_TOOLS,
    body: c('{"index":0,"id":"a","function":{"name":"read","arguments":"{\\"path\\":\\"正"}}'),
    events: [...begun('a', 'read', '{"path":"正'), failed('model.bad-stream', true, { detail: 'cut in a call' })],
  },
  {
    name: 'sends a web page',
    quirk: 'a web page for an answer',
    headers: { 'content-type': 'text/html' },
    body: '<!doctype html><title>首页</title>',
    events: [failed('model.not-found', false, { url: '<base>/chat/completions', reason: 'page', host: '<host>' })],
  },
  { name: 'holds back less than sign', quirk: '<think> in the text', body: d('{"content":"雨 <"}') + STOP, events: [text('雨 '), text('<'), done('stop')] },
];
