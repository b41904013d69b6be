import type { Stream } from './stream';
import { begun, called, d, DONE, done, MADE, STOP, text, WITH_TOOLS } from './stream';

const profile = { tools: 'text' } as const;
const request = WITH_TOOLS;
const ARGS = '{"path":"正文/001.md"}';
const TOLD = [
  '# Tools',
  'To call a tool, write this and nothing else around it, one block per call, the arguments as JSON:',
  '<tool_call>{"name":"<tool>","arguments":{…}}</tool_call>',
  'Then stop. Each result comes back as <tool_result name="<tool>">…</tool_result>. Never write results yourself.',
  'The tools, one per line:',
  '{"name":"read","description":"读文件。","parameters":{"type":"object","properties":{"path":{"type":"string"}}}}',
  '{"name":"outline","description":"列出各章。","parameters":{"type":"object","properties":{}}}',
].join('\n');

/** Tools told in words, because the author said so, or not at all. */
export const toldStreams: readonly Stream[] = [
  {
    name: 'calls in words, cut inside the tags; the call streams and is none of the answer',
    quirk: 'tools told in words',
    profile,
    request: { ...request, messages: [{ role: 'system', content: '守则' }, { role: 'user', content: '看' }] },
    body: d('{"content":"我先读。\\n<tool_"}') + d('{"content":"call>{\\"name\\":\\"read\\",\\"arguments\\":{\\"path\\":\\"正文"}') + d('{"content":"/001.md\\"}}</tool_call"}') + d('{"content":">"}') + STOP,
    events: [text('我先读。\n'), ...begun(MADE(0), 'read', '{"path":"正文', '/001.md"}'), called(MADE(0), 'read', ARGS), done('tool_calls')],
    asked: { tools: undefined, tool_choice: undefined, messages: [{ role: 'system', content: `守则\n\n${TOLD}` }, { role: 'user', content: '看' }] },
    next: [
      { role: 'assistant', content: `我先读。\n\n<tool_call>{"name":"read","arguments":${ARGS}}</tool_call>` },
      { role: 'user', content: '<tool_result name="read">\n{"ok":true}\n</tool_result>' },
    ],
  },
  {
    name: 'makes two calls in words, without a system message before',
    quirk: 'tools told in words',
    profile,
    request,
    body: d(`{"content":"<tool_call>{\\"name\\":\\"read\\",\\"arguments\\":{\\"path\\":\\"正文/001.md\\"}}</tool_call>\\n<tool_call>{\\"name\\":\\"outline\\",\\"arguments\\":{}}</tool_call>"}`) + STOP,
    events: [...begun(MADE(0), 'read', ARGS), text('\n'), ...begun(MADE(1), 'outline', '{}'), called(MADE(0), 'read', ARGS), called(MADE(1), 'outline', '{}'), done('tool_calls')],
    asked: { tools: undefined, messages: [{ role: 'system', content: TOLD }, { role: 'user', content: '看《雨夜》' }] },
    next: [
      { role: 'assistant', content: `\n\n<tool_call>{"name":"read","arguments":${ARGS}}</tool_call>\n<tool_call>{"name":"outline","arguments":{}}</tool_call>` },
      { role: 'user', content: '<tool_result name="read">\n{"ok":true}\n</tool_result>' },
      { role: 'user', content: '<tool_result name="outline">\n{"ok":true}\n</tool_result>' },
    ],
  },
  {
    name: 'calls in words what was never offered, or what is no JSON: never shown',
    quirk: 'tools told in words',
    profile,
    request,
    body: d('{"content":"<tool_call>{\\"name\\":\\"shell\\",\\"arguments\\":{\\"命\\":1}}</tool_call><tool_call>{\\"name\\": \\"read\\", 路径}</tool_call>"}') + STOP,
    events: [
      ...begun(MADE(0), 'shell', '{"命":1}'),
      ...begun(MADE(1), 'read', '{"name": "read", 路径}'),
      called(MADE(0), 'shell', '{"命":1}'),
      called(MADE(1), 'read', '{"name": "read", 路径}'),
      done('tool_calls'),
    ],
  },
  {
    name: 'makes up the result of its call, and goes on from it: all of that is dropped',
    quirk: 'tools told in words',
    profile,
    request,
    body: d('{"content":"<tool_call>{\\"name\\":\\"outline\\",\\"arguments\\":{}}</tool_call>\\n<tool_"}') + d('{"content":"result name=\\"outline\\">\\n三章</tool_result>\\n一共三章。"}') + d('{"content":"<tool_call>{\\"name\\":\\"outline\\",\\"arguments\\":{}}</tool_call>"}') + STOP,
    events: [...begun(MADE(0), 'outline', '{}'), text('\n'), called(MADE(0), 'outline', '{}'), done('tool_calls')],
  },
  {
    name: 'is cut by the output limit inside a call in words',
    quirk: 'tools told in words',
    profile,
    request,
    body: d('{"content":"<tool_call>{\\"name\\":\\"read\\",\\"arguments\\":{\\"path\\":\\"正"}', '"length"') + DONE,
    events: [...begun(MADE(0), 'read', '{"path":"正'), done('length')],
  },
  {
    name: 'calls in words in the last call, which may use no tool',
    quirk: 'tools told in words',
    profile,
    request: { ...request, toolChoice: 'none' },
    body: d('{"content":"好。<tool_call>{\\"name\\":\\"outline\\",\\"arguments\\":{}}</tool_call>"}') + STOP,
    events: [text('好。'), ...begun(MADE(0), 'outline', '{}'), called(MADE(0), 'outline', '{}'), done('tool_calls')],
    asked: { tool_choice: undefined, messages: [{ role: 'system', content: TOLD }, { role: 'user', content: '看《雨夜》' }, { role: 'user', content: 'No more tools can be called now. Answer in words.' }] },
  },
  {
    name: 'wants roles to alternate, with tools told in words',
    quirk: 'consecutive messages of one role',
    profile,
    request: {
      ...request,
      messages: [
        { role: 'user', content: '看' },
        { role: 'assistant', content: '', calls: [{ callId: 'a', name: 'outline', args: '{}' }, { callId: 'b', name: 'outline', args: '' }] },
        { role: 'tool', callId: 'a', name: 'outline', content: '甲' },
        { role: 'tool', callId: 'b', name: 'outline', content: '乙' },
      ],
    },
    before: [{ status: 400, body: { error: { message: 'roles must alternate' } } }],
    body: d('{"content":"好。"}') + STOP,
    events: [text('好。'), done('stop')],
    asked: {
      messages: [
        { role: 'system', content: TOLD },
        { role: 'user', content: '看' },
        { role: 'assistant', content: '<tool_call>{"name":"outline","arguments":{}}</tool_call>\n<tool_call>{"name":"outline","arguments":{}}</tool_call>' },
        { role: 'user', content: '<tool_result name="outline">\n甲\n</tool_result>\n\n<tool_result name="outline">\n乙\n</tool_result>' },
      ],
    },
  },
  {
    name: 'is asked without tools because the author said so: tags are words then',
    quirk: 'no tools by the profile',
    profile: { tools: 'none' },
    request,
    body: d('{"content":"雨。<tool_call>{\\"name\\":\\"outline\\"}</tool_call>"}') + STOP,
    events: [text('雨。<tool_call>{"name":"outline"}</tool_call>'), done('stop')],
    asked: { tools: undefined, messages: [{ role: 'user', content: '看《雨夜》' }] },
  },
];
