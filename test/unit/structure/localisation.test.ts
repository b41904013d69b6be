import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkpointMessages } from '../../../src/engine/manuscript/messages';
import { errorTexts, finerTexts, retryTexts } from '../../../src/extension/l10n/error-texts';
import { chatStrings } from '../../../src/protocol/chat-strings';
import { modelsStrings } from '../../../src/protocol/models-strings';
import { presetNotes } from '../../../src/extension/models/presets';
import { passageStrings } from '../../../src/protocol/passage-strings';
import { usageStrings } from '../../../src/protocol/usage-strings';
import { numbersStrings } from '../../../src/protocol/numbers-strings';
import { firstArguments, parse, readJson, sourceFiles, stringsOf } from './source-tree';

const bundle = readJson<Readonly<Record<string, string>>>('l10n/bundle.l10n.zh-cn.json');
const host = sourceFiles('src/extension', 'src/protocol').map((file) => parse(file));

/** Messages the host words: literals given to `t`, and the tables it translates value by value. */
const messages = new Set([
  ...host.flatMap((source) => firstArguments(source, 't')),
  ...[errorTexts, finerTexts, retryTexts].flatMap((table) => Object.values<string>(table)),
  ...Object.values<string>(chatStrings),
  ...Object.values<string>(modelsStrings),
  ...Object.values<string>(presetNotes),
  ...Object.values<string>(passageStrings),
  ...Object.values<string>(numbersStrings),
  ...Object.values<string>(usageStrings),
]);

const places = (text: string): readonly string[] => [...new Set([...text.matchAll(/\{\w+\}/g)].map((match) => match[0]))].sort();

describe('the Chinese bundle', () => {
  test('has every message of the host, of the errors and of the chat', () => {
    expect([...messages].filter((message) => bundle[message] === undefined)).toEqual([]);
  });

  test('has no message that nothing says any more', () => {
    const said = new Set(host.flatMap(stringsOf));
    expect(Object.keys(bundle).filter((message) => !said.has(message))).toEqual([]);
  });

  test('keeps the places to be filled in', () => {
    const different = Object.entries(bundle).filter(([message, text]) => places(message).join() !== places(text).join());
    expect(different.map(([message]) => message)).toEqual([]);
  });

  test('is Chinese wherever the English has words', () => {
    const untranslated = Object.entries(bundle)
      .filter(([message]) => /[a-z]{3}/.test(message.replace(/\{\w+\}/g, '')))
      .filter(([, text]) => !/\p{Script=Han}/u.test(text));
    expect(untranslated).toEqual([]);
  });
});

describe('one word for one thing', () => {
  const chinese = [
    ...Object.values(bundle),
    ...Object.values(readJson<Readonly<Record<string, string>>>('package.nls.zh-cn.json')),
    ...Object.values(checkpointMessages('zh')).filter((text) => typeof text === 'string'),
    ...fs.readFileSync('README.zh-CN.md', 'utf8').split('\n'),
  ];

  test('代理 is the proxy of a network, the agent is 助手', () => {
    expect(chinese.filter((text) => text.replaceAll('网络代理', '').includes('代理'))).toEqual([]);
  });

  test('字 are “words” in English wherever they are counted', () => {
    const counts = Object.entries(bundle).filter(([, text]) => /^\+\{\w+\} \/ −\{\w+\} 字$/.test(text)).map(([message]) => message.replace(/\{\w+\}/g, '#'));
    expect(counts).toEqual(['+# / −# words', '+# / −# words']);
  });
});
