import { describe, expect, test } from 'vitest';
import { profileForRole, readProfiles, type SettingsProfile, type UnreadProfiles } from '../../../../src/extension/models/profile-book';

const none = { addressOfFolder: false, ownAddresses: [], ownExtras: false };
const read = (rest: Partial<UnreadProfiles>): readonly SettingsProfile[] => readProfiles({ defaults: {}, defaultSource: none, own: [], folder: [], ...rest });
const titles = (profiles: readonly SettingsProfile[]): readonly string[] => profiles.map(({ title }) => title);

const deepseek = { title: 'DeepSeek', baseUrl: 'https://api.deepseek.com', name: 'deepseek-chat' };

describe('the profiles of the settings', () => {
  test('are the default one, the person’s and the folder’s', () => {
    const profiles = read({ defaults: { baseUrl: 'https://a.example', name: 'm', tools: 'none' }, own: [deepseek], folder: [{ ...deepseek, title: 'Ours' }] });
    expect(titles(profiles)).toEqual(['', 'DeepSeek', 'Ours']);
    expect(profiles.map(({ ofFolder, problem }) => [ofFolder, problem])).toEqual([[false, undefined], [false, undefined], [true, undefined]]);
    expect(profiles[0]?.entry).toMatchObject({ name: 'm', tools: 'none' });
    expect(profiles[1]?.entry).toEqual({ ...deepseek, provider: 'openai' });
  });

  test('take empty, null and missing values as unset, and leave out what they do not know', () => {
    const [, one] = read({ own: [{ ...deepseek, temperature: null, reasoningEffort: ' ', headers: {}, price: null, later: true }] });
    expect(one?.problem).toBeUndefined();
    expect(JSON.parse(JSON.stringify(one?.entry))).toEqual({ ...deepseek, provider: 'openai' });
    expect(one?.raw['later']).toBe(true);
  });

  test('say what is wrong by name and field, while the others go on working', () => {
    const profiles = read({ own: [{ ...deepseek, temperature: 'hot' }, { ...deepseek, title: 'Kimi', price: { input: 1 } }, 'nonsense', { ...deepseek, title: 'GLM' }] });
    expect(profiles.map(({ title, problem }) => [title, problem?.args])).toEqual([
      ['', undefined],
      ['DeepSeek', { profile: 'DeepSeek', field: 'temperature' }],
      ['Kimi', { profile: 'Kimi', field: 'price' }],
      ['3', { profile: '3', field: 'title' }],
      ['GLM', undefined],
    ]);
    expect(profiles[1]?.entry.name).toBe('deepseek-chat');
  });

  test('with one title: the second of a list is wrong, the folder’s stands for the person’s', () => {
    expect(read({ own: [deepseek, deepseek] }).map(({ title, problem }) => [title, problem?.args])).toEqual([
      ['', undefined],
      ['DeepSeek', undefined],
      ['DeepSeek (2)', { profile: '2', field: 'title' }],
    ]);
    const profiles = read({ own: [deepseek], folder: [{ ...deepseek, baseUrl: 'https://relay.example' }] });
    expect(profiles.slice(1).map(({ entry, ofFolder }) => [entry.baseUrl, ofFolder])).toEqual([['https://relay.example', true]]);
    expect(titles(read({ own: [deepseek], folder: [{ ...deepseek, topP: 7 }] }))).toEqual(['', 'DeepSeek', 'DeepSeek']);
  });

  test('know the addresses the person has set, wherever', () => {
    const profiles = read({ defaultSource: { ...none, ownAddresses: ['https://a.example'] }, own: [deepseek], folder: [{ ...deepseek, title: 'Ours' }] });
    expect(profiles[2]?.source).toEqual({ addressOfFolder: true, ownExtras: false, ownAddresses: ['https://a.example', 'https://api.deepseek.com'] });
    expect(profiles[0]?.source.ownAddresses).toEqual(['https://a.example', 'https://api.deepseek.com']);
  });
});

test('roles choose by title: side work follows writing where nothing is set, a title that is gone is nobody', () => {
  const profiles = read({ own: [deepseek, { ...deepseek, title: 'Small' }] });
  const asked = (role: 'writing' | 'side', writing: string, side: string): string | undefined => profileForRole(profiles, role, { writing, side })?.title;
  expect([asked('writing', '', ''), asked('side', '', '')]).toEqual(['', '']);
  expect([asked('writing', 'DeepSeek', ''), asked('side', 'DeepSeek', '')]).toEqual(['DeepSeek', 'DeepSeek']);
  expect([asked('writing', 'DeepSeek', 'Small'), asked('side', 'DeepSeek', 'Small')]).toEqual(['DeepSeek', 'Small']);
  expect([asked('writing', 'Gone', ''), asked('side', '', 'Gone')]).toEqual([undefined, undefined]);
});
