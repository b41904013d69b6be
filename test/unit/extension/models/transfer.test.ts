import { describe, expect, test } from 'vitest';
import { modelPresets } from '../../../../src/extension/models/presets';
import { exportProfiles, freeTitle, readImport } from '../../../../src/extension/models/transfer';
import { completeBaseUrl } from '../../../../src/engine/model/base-url';
import { profileEntry, wrongField, type ProfileEntry } from '../../../../src/protocol/model-profile';

const entry = (rest: Readonly<Record<string, unknown>>): ProfileEntry => profileEntry.parse({ title: 'A', baseUrl: 'https://a.example/v1', name: 'm', ...rest });
const file = (...profiles: readonly unknown[]): string => JSON.stringify({ liyuanModels: 1, profiles });

describe('exporting', () => {
  test('leaves out what looks like a secret, and says so', () => {
    const secretive = entry({
      baseUrl: 'https://me:pw@a.example/v1?api-key=abc&version=2',
      headers: { 'X-Api-Key': 'k', 'X-Title': 'Liyuan', 'X-Other': 'Bearer abcdef' },
      extraBody: { enable_thinking: true, inner: { token: 't', top: 1 } },
    });
    const { text, leftOut } = exportProfiles([secretive, entry({ title: 'B' })]);
    expect(JSON.parse(text)).toEqual({
      liyuanModels: 1,
      profiles: [
        { title: 'A', provider: 'openai', name: 'm', baseUrl: 'https://a.example/v1?version=2', headers: { 'X-Title': 'Liyuan' }, extraBody: { enable_thinking: true, inner: { top: 1 } } },
        { title: 'B', provider: 'openai', name: 'm', baseUrl: 'https://a.example/v1' },
      ],
    });
    expect(leftOut).toEqual([{ title: 'A', fields: ['baseUrl', 'baseUrl.api-key', 'headers.X-Api-Key', 'headers.X-Other', 'extraBody.inner.token'] }]);
  });
});

describe('importing', () => {
  test('brings back what was exported', () => {
    const all = [entry({ price: { input: 1, output: 2, currency: 'USD' }, tools: 'text' }), entry({ title: 'B' })];
    expect(readImport(exportProfiles(all).text, [])).toEqual({ incoming: all.map((one) => ({ entry: one, known: false })), wrong: 0 });
  });

  test('never takes the title of another profile, and knows what is there already', () => {
    const found = readImport(file(entry({ name: 'other' }), entry({}), entry({ name: 'third' })), [entry({}), entry({ title: 'A (2)' })]);
    expect(found?.incoming.map((one) => [one.entry.title, one.was, one.known])).toEqual([['A (3)', 'A', false], ['A', undefined, true], ['A (4)', 'A', false]]);
  });

  test('counts what it cannot read, and titles what has only a name', () => {
    const found = readImport(`\uFEFF${file(entry({ title: '' }), { title: 'X', topP: 9 }, 3)}`, []);
    expect(found).toMatchObject({ incoming: [{ entry: { title: 'm' } }], wrong: 2 });
  });

  test('refuses what is no such file', () => {
    expect([readImport('{', []), readImport('{"profiles":[]}', []), readImport('[]', []), readImport('{"liyuanModels":2,"profiles":[]}', [])]).toEqual([undefined, undefined, undefined, undefined]);
  });
});

test('a free title is the next number', () => {
  expect([freeTitle('A', new Set()), freeTitle('A', new Set(['A', 'A (2)']))]).toEqual(['A', 'A (3)']);
});

test('presets are entries that fit, with addresses that stay as they are, and links to keys where one is needed', () => {
  for (const { name, entry: fields, keyUrl } of modelPresets) {
    expect([name, wrongField({ title: name, ...fields })]).toEqual([name, undefined]);
    const address = completeBaseUrl(fields.baseUrl);
    expect(address.ok).toBe(true);
    expect([name, keyUrl?.startsWith('https://') ?? fields.baseUrl.startsWith('http://127.0.0.1:')]).toEqual([name, true]);
  }
  const glm = completeBaseUrl(modelPresets.find(({ name }) => name.includes('GLM'))?.entry.baseUrl ?? '');
  expect(glm.ok && glm.value.chatUrl).toBe('https://open.bigmodel.cn/api/paas/v4/chat/completions');
  expect(modelPresets.find(({ name }) => name.includes('Qwen'))?.entry.extraBody).toEqual({ enable_thinking: false });
});

test('the wrong field of an entry is named', () => {
  expect([wrongField({ title: 'A', headers: { 'a b': 'x' } }), wrongField({ title: 'A', idleTimeout: 1 }), wrongField({ title: 'A' }, (title) => title === 'A'), wrongField({ title: 'A', price: {} })]).toEqual(['headers', 'idleTimeout', 'title', undefined]);
});
