import type { Stream } from './stream';
import { d, DONE, done, ev, STOP, text, thought, usage } from './stream';

const on = [{ role: 'assistant', content: '雨停了。' }, { role: 'user', content: '继续' }];

/** Words and thinking. */
export const textStreams: readonly Stream[] = [
  {
    name: 'says how many tokens in a last chunk without choices',
    quirk: 'usage in a last chunk',
    body: d('{"role":"assistant","content":""}') + d('{"content":"雨停"}') + d('{"content":"了。"}') + d('{}', '"stop"') + ev('{"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":8},"completion_tokens_details":{"reasoning_tokens":2}}}') + DONE,
    events: [text('雨停'), text('了。'), usage(12, 5, { cached: 8, reasoning: 2 }), done('stop')],
    next: on,
  },
  {
    name: 'names cached tokens as DeepSeek does',
    quirk: 'names of cached tokens',
    body: d('{"content":"雨停了。"}', '"stop"') + ev('{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":4,"prompt_cache_hit_tokens":64,"prompt_cache_miss_tokens":36}}') + DONE,
    events: [text('雨停了。'), usage(100, 4, { cached: 64 }), done('stop')],
  },
  {
    name: 'puts usage into the choice, as Kimi does',
    quirk: 'names of cached tokens',
    body: d('{"content":"雨停了。"}') + ev('{"choices":[{"index":0,"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":9,"completion_tokens":2,"cached_tokens":4}}]}') + DONE,
    events: [text('雨停了。'), usage(9, 2, { cached: 4 }), done('stop')],
  },
  {
    name: 'counts on in each chunk: the last count holds',
    quirk: 'usage in each chunk',
    body: ev('{"choices":[{"index":0,"delta":{"content":"雨停"}}],"usage":{"prompt_tokens":9,"completion_tokens":1}}') + ev('{"choices":[{"index":0,"delta":{"content":"了。"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":2}}') + DONE,
    events: [text('雨停'), text('了。'), usage(9, 2), done('stop')],
  },
  ...(['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'] as const).map((field): Stream => ({
    name: `thinks in \`${field}\``,
    quirk: 'field of the thinking',
    body: d(`{"content":null,"${field}":"先想"}`) + d(`{"${field}":"「雨」\\n"}`) + d('{"content":"雨停了。"}') + STOP,
    events: [thought('先想'), thought('「雨」\n'), text('雨停了。'), done('stop')],
    // Beside plain words thinking never goes back.
    next: on,
  })),
  {
    name: 'thinks in `reasoning_details`',
    quirk: 'field of the thinking',
    body: d('{"reasoning_details":[{"type":"reasoning.text","text":"先"},{"type":"reasoning.text","text":"想"}]}') + d('{"reasoning_details":[{"type":"reasoning.summary","summary":"一想"},{"type":"reasoning.encrypted","data":"xx"}]}') + d('{"content":"雨停了。"}') + STOP,
    events: [thought('先想'), thought('一想'), text('雨停了。'), done('stop')],
  },
  {
    name: 'sends the same thinking under two names',
    quirk: 'thinking under two names',
    body: d('{"reasoning":"先想","reasoning_details":[{"type":"reasoning.text","text":"先想"}]}') + d('{"content":"雨停了。"}') + STOP,
    events: [thought('先想'), text('雨停了。'), done('stop')],
  },
  {
    name: 'thinks in <think> at the head of its words',
    quirk: '<think> in the text',
    body: d('{"content":"\\n<th"}') + d('{"content":"ink>先想</thi"}') + d('{"content":"nk>\\n\\n雨停"}') + d('{"content":"了。"}') + STOP,
    events: [thought('先想'), text('雨停'), text('了。'), done('stop')],
    next: on,
  },
  {
    name: 'thinks in <thinking>, as some templates have it',
    quirk: '<think> in the text',
    body: d('{"content":"<thinking>先想</thinking>雨停了。"}') + STOP,
    events: [thought('先想'), text('雨停了。'), done('stop')],
  },
  {
    name: 'leaves the opening <think> out',
    quirk: '<think> without its opening',
    body: d('{"content":"先想"}') + d('{"content":"</think>\\n\\n雨停了。"}') + STOP,
    events: [text('先想'), { type: 'textWasReasoning' }, text('雨停了。'), done('stop')],
    next: on,
  },
  {
    name: 'lets a closing tag slip after thinking under its own name',
    quirk: '<think> without its opening',
    body: d('{"reasoning_content":"想"}') + d('{"content":"雨停"}') + d('{"content":"</think>了。"}') + STOP,
    events: [thought('想'), text('雨停'), text('了。'), done('stop')],
    next: on,
  },
  {
    name: 'writes about <think> in the middle of its words',
    quirk: '<think> in the text',
    body: d('{"content":"他说 <think>"}') + d('{"content":" 1 <"}') + STOP,
    events: [text('他说 <think>'), text(' 1 '), text('<'), done('stop')],
  },
  {
    name: 'quotes a closing tag as code',
    quirk: '<think> without its opening',
    body: d('{"content":"标签 `"}') + d('{"content":"</think>` 是结束。"}') + STOP,
    events: [text('标签 `'), text('</think>'), text('` 是结束。'), done('stop')],
  },
  {
    name: 'gives its content as parts, thinking among them',
    quirk: 'content as parts',
    body: d('{"content":[{"type":"thinking","thinking":[{"type":"text","text":"先想"}]}]}') + d('{"content":[{"type":"text","text":"雨停"},{"type":"text","text":"了。"}]}') + STOP,
    events: [thought('先想'), text('雨停了。'), done('stop')],
    next: on,
  },
  {
    name: 'says no in `refusal`',
    quirk: 'words in `refusal`',
    body: d('{"refusal":"这个不写。"}') + STOP,
    events: [text('这个不写。'), done('stop')],
  },
  {
    name: 'escapes every character, also those outside the first plane',
    quirk: 'JSON escapes',
    body: d('{"content":"\\u96e8\\u505c\\u4e86\\ud83c\\udf27\\n\\"\\u3002\\\\"}') + STOP,
    events: [text('雨停了🌧\n"。\\'), done('stop')],
  },
  {
    name: 'writes four-byte characters',
    quirk: 'characters split between chunks',
    body: d('{"content":"𠮷野家的🌧️"}') + d('{"content":"——雨。"}') + STOP,
    events: [text('𠮷野家的🌧️'), text('——雨。'), done('stop')],
  },
  {
    name: 'thinks once more after it has begun to speak',
    quirk: 'thinking between words',
    body: d('{"content":"雨停"}') + d('{"reasoning_content":"再想"}') + d('{"content":"了。"}') + STOP,
    events: [text('雨停'), thought('再想'), text('了。'), done('stop')],
    next: on,
  },
];
