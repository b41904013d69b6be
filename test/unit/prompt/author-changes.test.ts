import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentTexts } from '../../../src/engine/prompt/assets';
import { renderAuthorChanges } from '../../../src/engine/prompt/author-changes';

const texts = JSON.parse(readFileSync('assets/prompts/zh/texts.json', 'utf8')) as AgentTexts;

/** What the block says about one changed file, below its head line. */
function said(before: string, after: string): string[] {
  const change = { path: '正文/001.md', before: 'a'.repeat(64), after: 'b'.repeat(64), added: 0, removed: 0 };
  return renderAuthorChanges([{ change, before, after }], texts).split('\n').slice(2);
}
const filler = (n: number): string => '雨下了一夜，他没有走。'.repeat(n);

describe('the short diff of the author’s changes in Chinese', () => {
  it('shows every changed place of one long paragraph, each by its characters', () => {
    const paragraph = (first: string, second: string): string => `开头${first}。${filler(30)}门${second}了。${filler(30)}\n`;
    expect(said(paragraph('是夜', '开'), paragraph('是雪', '关'))).toEqual([
      '- 开头是夜。雨下了一夜，他没有走。雨下了一夜，他没有走。雨…',
      '+ 开头是雪。雨下了一夜，他没有走。雨下了一夜，他没有走。雨…',
      '- …。雨下了一夜，他没有走。雨下了一夜，他没有走。门开了。雨下了一夜，他没有走。雨下了一夜，他没有走。…',
      '+ …。雨下了一夜，他没有走。雨下了一夜，他没有走。门关了。雨下了一夜，他没有走。雨下了一夜，他没有走。…',
    ]);
  });

  it('shows where a sentence came in or went, with what stands around it', () => {
    expect(said('雨停了。天亮了。\n', '雨停了。没有人说话。天亮了。\n')).toEqual(['- 雨停了。天亮了。', '+ 雨停了。没有人说话。天亮了。']);
    expect(said('雨停了。没有人说话。天亮了。\n', '雨停了。天亮了。\n')).toEqual(['- 雨停了。没有人说话。天亮了。', '+ 雨停了。天亮了。']);
  });

  it('shows neighbouring changes as one', () => {
    expect(said('他说：“走。”她没有走。\n', '她说：“留。”他没有走。\n')).toEqual(['- 他说：“走。”她没有走。', '+ 她说：“留。”他没有走。']);
  });

  it('shows whole paragraphs that came or went alone, whatever the line ends', () => {
    for (const eol of ['\n', '\r\n']) {
      const lines = (...all: string[]): string => all.map((line) => `${line}${eol}`).join('');
      expect(said(lines('一。', '二。'), lines('一。', '新的一段。', '', '二。'))).toEqual(['+ 新的一段。']);
      expect(said(lines('一。', '旧的一段。', '二。'), lines('一。', '二。'))).toEqual(['- 旧的一段。']);
    }
    expect(said('一。', '一。\n二。')).toEqual(['+ 二。']);
    expect(said('一。\n', '一。\n二。')).toEqual(['+ 二。']);
  });

  it('never cuts a character of two units in half', () => {
    const line = (word: string): string => `${'😀'.repeat(40)}${word}${'😀'.repeat(40)}\n`;
    for (const pad of ['', '甲']) {
      for (const text of said(line(`${pad}开`), line(`${pad}关`))) expect(text).not.toMatch(/\p{Surrogate}/u);
    }
  });

  it('quotes only what stands on that side, for any two texts', () => {
    const sentence = fc.constantFrom('雨下了一夜。', '他没有走。', '她问：“谁？”', '天亮了', '\n', '\r\n', 'a b', '😀');
    const text = fc.array(sentence, { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        for (const line of said(before, after)) {
          const quote = line.slice(2).replace(/^…|…$/g, '');
          if (line.startsWith('- ')) expect(before).toContain(quote);
          else if (line.startsWith('+ ')) expect(after).toContain(quote);
        }
      }),
      { numRuns: 500 },
    );
  });
});
