import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SplitOptions, TextPiece } from '../../../src/engine/model/split-text';
import { createTextSplitter } from '../../../src/engine/model/split-text';

/** Pieces joined, calls put together. */
function split(pieces: readonly string[], options: Partial<SplitOptions> = {}): readonly TextPiece[] {
  const splitter = createTextSplitter({ tools: new Set(), startsThinking: false, ...options });
  const found = [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()];
  return found.reduce<TextPiece[]>((joined, piece) => {
    const last = joined.at(-1);
    if (last !== undefined && (last.kind === 'text' || last.kind === 'reasoning') && piece.kind === last.kind) joined[joined.length - 1] = { kind: last.kind, text: last.text + piece.text };
    else if (piece.kind === 'call-start') joined.push({ kind: 'call', name: piece.name, args: '' });
    else if (piece.kind === 'call-args' && last?.kind === 'call') joined[joined.length - 1] = { ...last, args: last.args + piece.args };
    else joined.push(piece);
    return joined;
  }, []);
}

const texts = [
  '<think>想一想</think>\n\n好。',
  '  <thinking>想</thinking>好',
  '先想想</think>好。',
  '标签 `</think>`，和 </think>好。',
  '好 < 坏 <thin <think> </p>',
  '<think>没有想完',
  '读。<tool_call>{"name":"read","arguments":{"path":"a"}}</tool_call>完',
  '<tool_call>{"name":"shell"}</tool_call>',
  '<tool_call>{"name":"read"}',
  '<tool_call>not json</tool_call>',
  '<tool_call> {"name": "read", "arguments": {"path": "}\\"{</tool_", "n": [1]} }\n</tool_call>\n<tool_call>{"name":"read","arguments":{"path":"b"}}</tool_call>完',
  '<tool_call>{"name":"read","arguments":{"path":"a" "b"</tool_call>完',
  '<tool_call>{"name":"read","arguments":"{\\"path\\":\\"a\\"}"}</tool_call>',
  '看：\n```json\n{"name": "read", "arguments": {"path": "a`b"}}\n```\n完',
  '```\n{"name":"read","arguments":{"path":"a"}}\n```',
  '```json\n{"name":"shell","arguments":{}}\n```',
  '```json\n{"name":"read"}\n```',
  '<tool_call>{"name":"read","arguments":{}}</tool_call>又<tool_result name="read">编</tool_result>完',
  '行内 ```json\n{"name":"read","arguments":{}}```',
  '```ts\nlet x = 1;\n```\n{"name":"read","arguments":{}}',
  '   ',
  '',
];

it('finds the same however the text is cut', () => {
  fc.assert(
    fc.property(fc.constantFrom(...texts), fc.array(fc.nat({ max: 160 }), { maxLength: 20 }), fc.boolean(), fc.boolean(), (text, cuts, startsThinking, callsAreText) => {
      const at = [...new Set([0, ...cuts.filter((cut) => cut < text.length), text.length])].sort((a, b) => a - b);
      const pieces = at.slice(1).map((end, i) => text.slice(at[i], end));
      const options = { tools: new Set(['read']), startsThinking, callsAreText };
      expect(split(pieces, options)).toEqual(split([text], options));
    }),
  );
});

it('loses no character of a text without tags', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('<', '/', 't', 'h', '>', '雨', ' ', '_') }), { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      fc.pre(!text.includes('<th') && !text.includes('</th'));
      expect(split(pieces).map((piece) => ('text' in piece ? piece.text : '')).join('')).toBe(text);
    }),
  );
});

it.each([
  ['<think>想</think>\n\n好', [{ kind: 'reasoning', text: '想' }, { kind: 'text', text: '好' }]],
  ['想</think>好', [{ kind: 'text', text: '想' }, { kind: 'was-thinking' }, { kind: 'text', text: '好' }]],
  ['写作 `</think>` 的标签', [{ kind: 'text', text: '写作 `</think>` 的标签' }]],
  ['<think>想', [{ kind: 'reasoning', text: '想' }]],
  ['<tool_call>{"name":"read","parameters":{"path":"a"}}</tool_call>', [{ kind: 'call', name: 'read', args: '{"path":"a"}' }]],
  ['<tool_call>{"name":"read"}', [{ kind: 'call', name: 'read', args: '{}' }]],
  ['<tool_call>{"name":"read","arguments":{"path":"</tool_"}}\n</tool_call>完', [{ kind: 'call', name: 'read', args: '{"path":"</tool_"}' }, { kind: 'text', text: '完' }]],
  ['好：\n```json\n{"name": "read", "arguments": {"path": "a"}}\n```\n完', [{ kind: 'text', text: '好：\n' }, { kind: 'call', name: 'read', args: '{"path": "a"}' }, { kind: 'text', text: '\n完' }]],
  ['```json\n{"name":"read"}\n```', [{ kind: 'text', text: '```json\n{"name":"read"}\n```' }]],
  ['```json\n{"name":"shell","arguments":{}}\n```', [{ kind: 'text', text: '```json\n{"name":"shell","arguments":{}}\n```' }]],
  ['见 ```json\n{"name":"read","arguments":{}}\n```', [{ kind: 'text', text: '见 ```json\n{"name":"read","arguments":{}}\n```' }]],
  ['```\n正文\n```\n完', [{ kind: 'text', text: '```\n正文\n```\n完' }]],
  ['<tool_call>nope</tool_call>', [{ kind: 'text', text: '<tool_call>nope</tool_call>' }]],
])('%s', (text, pieces) => {
  expect(split([text], { tools: new Set(['read']) })).toEqual(pieces);
});

it('lets <tool_call> alone when no tools are offered', () => {
  expect(split(['<tool_call>{"name":"read"}</tool_call>'])).toEqual([{ kind: 'text', text: '<tool_call>{"name":"read"}</tool_call>' }]);
});

it('notes a closing tag that nothing had opened', () => {
  const splitter = createTextSplitter({ tools: new Set(), startsThinking: false });
  splitter.push('想</think>好');
  expect(splitter.sawLoneClose).toBe(true);
});

it.each([
  ['好<tool_call>{"name":"shell","arguments":{}}</tool_call>', [{ kind: 'text', text: '好' }, { kind: 'call', name: 'shell', args: '{}' }]],
  ['<tool_call>{"name": "read", oops}</tool_call>', [{ kind: 'call', name: 'read', args: '{"name": "read", oops}' }]],
  ['<tool_call>nope</tool_call>', [{ kind: 'call', name: 'tool_call', args: 'nope' }]],
  ['<tool_call>{"name":"read","arguments":{}}</tool_call><tool_result name="read">编</tool_result>完', [{ kind: 'call', name: 'read', args: '{}' }]],
  ['说说 <tool_result>', [{ kind: 'text', text: '说说 <tool_result>' }]],
  ['<tool_call>{"name":"re', [{ kind: 'call', name: 'tool_call', args: '{"name":"re' }]],
])('where calls are meant to be text, nothing between the tags is shown: %s', (text, pieces) => {
  expect(split([text], { tools: new Set(['read']), callsAreText: true })).toEqual(pieces);
});

it('a call in what was wrongly taken for thinking is a call', () => {
  const text = '好。<tool_call>{"name":"read","arguments":{}}</tool_call>';
  expect(split([text], { tools: new Set(['read']), startsThinking: true })).toEqual([
    { kind: 'reasoning', text },
    { kind: 'text', text: '好。' },
    { kind: 'call', name: 'read', args: '{}' },
  ]);
});
