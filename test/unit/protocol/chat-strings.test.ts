import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findIntents } from '../../../src/engine/model/rehearsal/intents';
import { chatStrings, type ChatStringKey } from '../../../src/protocol/chat-strings';

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

  it.each([
    ['example.outline', 'outline'],
    ['example.replace', 'replace'],
    ['example.read', 'read'],
    ['example.create', 'create'],
    ['example.options', 'options'],
  ] as const)('%s is something the rehearsal model can carry out, in both languages', (key, kind) => {
    expect(findIntents(chatStrings[key]).map((intent) => intent.kind)).toEqual([kind]);
    expect(findIntents(chinese[chatStrings[key]] ?? '').map((intent) => intent.kind)).toEqual([kind]);
  });

  it('has an example whose words stand once in the first chapter of the sample novel', () => {
    const chapter = fs.readFileSync('assets/sample-novel/正文/第一卷 退潮/001-雨夜来信.md', 'utf8');
    expect(chapter.split('灯是看不见的')).toHaveLength(2);
    expect(findIntents(chatStrings['example.replace'])).toMatchObject([{ old: '灯是看不见的', new: '灯照不了多远', ref: { by: 'number', n: 1 } }]);
  });
});
