import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRehearsalClient } from '../../../src/engine/model/rehearsal';
import { findIntents } from '../../../src/engine/model/rehearsal/intents';
import { chatStrings, type ChatStringKey } from '../../../src/protocol/chat-strings';
import { slashCommands } from '../../../src/protocol/slash-commands';
import { createFakeClock } from '../../fakes/clock';
import { withEngine } from '../../fakes/engine-bench';
import { sampleNovelFiles } from '../../fakes/sample-novel';

const chinese = JSON.parse(fs.readFileSync('l10n/bundle.l10n.zh-cn.json', 'utf8')) as Record<string, string>;
const keys = Object.keys(chatStrings) as ChatStringKey[];

function sources(folder: string): string {
  return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => fs.readFileSync(`${folder}/${name}`, 'utf8'))
    .join('\n');
}

/** `{0}`, `{1}`… in order. */
const placeholders = (text: string): readonly string[] => [...text.matchAll(/\{\d+\}/g)].map(([one]) => one).sort();

const firstChapter = '正文/第一卷 退潮/001-雨夜来信.md';

describe('the texts of the chat view', () => {
  it.each(keys)('%s has a Chinese text with the same places to fill in', (key) => {
    const text = chinese[chatStrings[key]];
    expect(text).toBeDefined();
    expect(placeholders(text ?? '')).toEqual(placeholders(chatStrings[key]));
  });

  it('are all used by the view', () => {
    const code = sources('webview');
    const unused = keys.filter((key) => {
      const plural = key.replace(/\.(one|other)$/, '');
      const family = key.replace(/\.[^.]+$/, '.');
      return !code.includes(`'${key}'`) && !code.includes(`'${plural}'`) && !code.includes(`\`${family}\${`);
    });
    expect(unused).toEqual([]);
  });

  const examples = [
    ['example.outline', 'outline'],
    ['example.replace', 'replace'],
    ['example.read', 'read'],
    ['example.create', 'create'],
    ['example.options', 'options'],
  ] as const;

  it('are all looked at below as far as they are examples, but for the one that is a command', () => {
    expect(keys.filter((key) => /^example\.\w+$/.test(key)).sort()).toEqual([...examples.map(([key]) => key), 'example.next'].sort());
    expect(slashCommands.find(({ id }) => id === 'next-chapter')?.does).toEqual({ command: 'liyuan.chapters.next' });
  });

  it.each(examples)('%s is something the rehearsal model can carry out, in both languages', (key, kind) => {
    expect(findIntents(chatStrings[key]).map((intent) => intent.kind)).toEqual([kind]);
    expect(findIntents(chinese[chatStrings[key]] ?? '').map((intent) => intent.kind)).toEqual([kind]);
  });

  it.each((['zh', 'en'] as const).flatMap((language) => examples.map(([key]) => [key, language] as const)))('%s, in %s, is carried out to its end on the sample novel', (key, language) =>
    withEngine(
      sampleNovelFiles(),
      createRehearsalClient({ language, clock: createFakeClock(), pieceMs: 0 }),
      async ({ turn, branch, disk, ui }) => {
        ui.answer({ kind: 'answer', text: '他回来了', by: 'option' });
        const words = language === 'zh' ? (chinese[chatStrings[key]] ?? '') : chatStrings[key];
        const events = await turn(words);
        expect(events.at(-1)).toMatchObject({ type: 'ended' });
        expect(branch().filter((entry) => entry.type === 'tool').map((entry) => entry.data.ok)).not.toContain(false);
        expect(branch().filter((entry) => entry.type === 'end').map((entry) => entry.data.status)).toEqual(['done']);
        expect(ui.asked).toHaveLength(key === 'example.options' ? 1 : 0);
        if (key === 'example.replace') expect(await disk(firstChapter)).toContain('灯照不了多远');
        if (key === 'example.create') expect(await disk(language === 'zh' ? '正文/第二卷 涨潮/009-雾里的钟.md' : '正文/第二卷 涨潮/009-The Bell in the Fog.md')).toContain('# 第九章');
      },
      { language },
    ));

  it('has an example whose words stand once in the first chapter of the sample novel', () => {
    const chapter = fs.readFileSync('assets/sample-novel/正文/第一卷 退潮/001-雨夜来信.md', 'utf8');
    expect(chapter.split('灯是看不见的')).toHaveLength(2);
    expect(findIntents(chatStrings['example.replace'])).toMatchObject([{ old: '灯是看不见的', new: '灯照不了多远', ref: { by: 'number', n: 1 } }]);
  });
});
