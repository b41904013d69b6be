import { describe, expect, test } from 'vitest';
import { EngineFailure } from '../../../../src/engine/index';
import { draftProfile, readDraft, type ReadDraft } from '../../../../src/extension/features/models/page/draft';
import { probeWords } from '../../../../src/extension/features/models/page/probe-words';
import { modelsSnapshotOf, type SnapshotDeps } from '../../../../src/extension/features/models/page/snapshot';
import { nothingToSwitch, switchRows } from '../../../../src/extension/features/models/switch-rows';
import { chosenProfile } from '../../../../src/extension/models/chosen-profile';
import { createAddressConsent } from '../../../../src/extension/models/consent';
import type { HostModels, ModelProfiles } from '../../../../src/extension/models/models';
import { readProfiles, type UnreadProfiles } from '../../../../src/extension/models/profile-book';
import { withEntry } from '../../../../src/extension/models/profile-list';
import { asProfileValues } from '../../../../src/extension/models/setting-names';
import { profileEntry } from '../../../../src/protocol/model-profile';
import { createMemory } from './memory';

const t = (message: string, args: Readonly<Record<string, unknown>> = {}): string => message.replace(/\{(\w+)\}/g, (_, name: string) => String(args[name]));

function profiles(rest: Partial<UnreadProfiles> & { readonly writing?: string; readonly side?: string } = {}): ModelProfiles {
  const { writing = '', side = '', ...unread } = rest;
  return { list: readProfiles({ defaults: {}, defaultSource: { addressOfFolder: false, ownAddresses: [], ownExtras: false }, own: [], folder: [], ...unread }), writing, side };
}

const deepseek = { title: 'DeepSeek', baseUrl: 'https://api.deepseek.com', name: 'deepseek-chat' };
const relay = { title: 'Relay', baseUrl: 'https://relay.example/v1', name: 'm' };

describe('the rows of switching', () => {
  test('mark who writes and who does side work, with model and exact address', () => {
    const rows = switchRows(profiles({ own: [deepseek, { ...relay, topP: 9 }], writing: 'DeepSeek' }), 'writing', t);
    expect(rows.slice(0, 3).map(({ label, description }) => [label, description])).toEqual([
      ['Rehearsal', ''],
      ['DeepSeek', 'deepseek-chat   $(check) writes · side work'],
      ['Relay', 'm'],
    ]);
    expect(rows[1]?.detail).toBe('https://api.deepseek.com/v1/chat/completions');
    expect(rows[2]?.detail).toBe('$(warning) The model “Relay” cannot be used: its “topP” has a value that does not fit.');
    expect(rows.slice(3).map(({ choice }) => choice?.kind)).toEqual([undefined, 'side', 'add', 'vscode', 'page', 'test']);
  });

  test('say when the one that is set is gone', () => {
    expect(switchRows(profiles({ own: [deepseek], writing: 'Old' }), 'writing', t)[0]).toEqual({ label: 'Old', detail: '$(warning) There is no model with this title any more.' });
  });

  test('for side work are whoever writes, or one of the named', () => {
    const rows = switchRows(profiles({ own: [deepseek, relay], writing: 'DeepSeek', side: 'Relay' }), 'side', t);
    expect(rows.map(({ choice }) => choice)).toEqual([{ kind: 'asWriting' }, { kind: 'use', title: 'DeepSeek' }, { kind: 'use', title: 'Relay' }]);
    expect(rows.map(({ description }) => description?.includes('$(check)') === true)).toEqual([false, true, true]);
  });

  test('there are none to choose from while only the rehearsal is there', () => {
    expect([nothingToSwitch(profiles()), nothingToSwitch(profiles({ defaults: { baseUrl: 'a.example', name: 'm' } })), nothingToSwitch(profiles({ own: [deepseek] }))]).toEqual([true, false, false]);
  });
});

describe('what the page shows', () => {
  const keys = (stored: Readonly<Record<string, string>>, more: Partial<SnapshotDeps['keys']> = {}): SnapshotDeps => ({
    keys: { get: (base, title) => Promise.resolve(stored[title ?? ''] ?? stored[base]), ownIsSet: (_, title) => stored[title] !== undefined, hadKey: () => false, ...more },
    variable: 'env-key',
    describe: (error) => error.code,
    t,
  });

  test('of keys is how they end, and whose they are', async () => {
    const all = profiles({ own: [deepseek, relay, { ...relay, title: 'Env', baseUrl: 'https://e.example/v1' }, { ...relay, title: 'None', baseUrl: 'http://127.0.0.1:1' }] });
    const { profiles: shown } = await modelsSnapshotOf(all, keys({ 'https://api.deepseek.com/v1': 'sk-abcdefgh1234', Relay: 'sk-own', 'https://e.example/v1': 'env-key' }));
    expect(shown.map(({ key }) => key)).toEqual([{ kind: 'none' }, { kind: 'service', mask: '••••1234' }, { kind: 'own', mask: '••••' }, { kind: 'variable' }, { kind: 'none' }]);
    expect(JSON.stringify(shown)).not.toContain('sk-');
  });

  test('is whether the key store lost one, or does not work', async () => {
    const all = profiles({ own: [deepseek] });
    const lost = await modelsSnapshotOf(all, keys({}, { hadKey: () => true }));
    expect(lost.profiles[1]?.key).toEqual({ kind: 'lost' });
    const none = await modelsSnapshotOf(all, keys({}, { get: () => Promise.reject(new EngineFailure({ code: 'secrets.no-keyring' })) }));
    expect(none.profiles[1]?.key).toEqual({ kind: 'unreadable' });
  });

  test('is the exact URL, and what is wrong', async () => {
    const { profiles: shown, presets } = await modelsSnapshotOf(profiles({ own: [{ ...deepseek, tools: 'maybe' }] }), keys({}));
    expect(shown[1]).toMatchObject({ url: 'https://api.deepseek.com/v1/chat/completions', problem: 'model.bad-settings' });
    expect(presets.length).toBeGreaterThan(8);
  });
});

describe('a form', () => {
  const { list } = profiles({ own: [deepseek], folder: [relay] });
  const read = (was: string | undefined, entry: Readonly<Record<string, unknown>>, key = ''): ReadDraft => readDraft({ ...(was === undefined ? {} : { was }), entry, key }, list);

  test('needs a title nobody else has, unless it is the default one', () => {
    expect(read(undefined, deepseek)).toEqual({ field: 'title' });
    expect(read(undefined, { ...deepseek, title: '' })).toEqual({ field: 'title' });
    expect(read('DeepSeek', { ...deepseek, title: 'Relay' })).toEqual({ field: 'title' });
    expect(read('DeepSeek', deepseek)).toMatchObject({ entry: deepseek, before: { title: 'DeepSeek' } });
    expect(read('', { baseUrl: 'a.example' })).toMatchObject({ entry: { title: '', baseUrl: 'a.example' } });
  });

  test('takes no mask for a key, and nothing that does not fit', () => {
    expect([read('DeepSeek', deepseek, '••••1234'), read('DeepSeek', deepseek, '密'), read('DeepSeek', { ...deepseek, maxOutput: 0.5 })]).toEqual([{ field: 'key' }, { field: 'key' }, { field: 'maxOutput' }]);
  });

  /** As the models resolve a profile; a key is stored for every address. */
  const consent = createAddressConsent(createMemory());
  const models = {
    resolve: (profile: Parameters<HostModels['resolve']>[0]) =>
      chosenProfile({ settings: asProfileValues(profile.entry), source: profile.source, consent, keyOf: () => Promise.resolve('sk-stored') }),
  } as unknown as HostModels;
  const resolve = async (draft: ReadDraft): Promise<unknown> => {
    if ('field' in draft) return draft.field;
    const made = await draftProfile({ models }, draft);
    return made.ok ? made.value.apiKey : made.error.code;
  };

  test('of a profile the folder has set gets no stored key before that is allowed', async () => {
    expect(await resolve(read('Relay', relay))).toBe('model.not-allowed');
    expect(await resolve(read('Relay', { ...relay, baseUrl: 'https://relay.example/other' }))).toBe('model.not-allowed');
    expect(await resolve(read('Relay', relay, 'sk-typed'))).toBe('sk-typed');
    expect(await resolve(read('Relay', { ...relay, baseUrl: 'https://mine.example' }))).toBe('sk-stored');
    expect(await resolve(read('DeepSeek', deepseek))).toBe('sk-stored');
    await consent.give('https://relay.example');
    expect(await resolve(read('Relay', relay))).toBe('sk-stored');
  });
});

test('a changed entry stands in its old place and keeps what is not ours', () => {
  const entry = profileEntry.parse({ ...deepseek, name: 'new' });
  expect(withEntry(['nonsense', { ...deepseek, topP: 1, later: true }, relay], 1, entry)).toEqual(['nonsense', { ...deepseek, name: 'new', later: true }, relay]);
  expect(withEntry([relay], undefined, entry)).toEqual([relay, { ...deepseek, name: 'new' }]);
});

test('what a test found out is said in words', () => {
  expect(probeWords({ subject: 'address', verdict: 'ok', url: 'https://a/v1/chat/completions', latencyMs: 12 }, t)).toBe('https://a/v1/chat/completions answers after 12 ms.');
  expect(probeWords({ subject: 'address', verdict: 'no', url: 'https://a/v1/chat/completions', error: { code: 'model.auth' } }, t)).toMatch(/refused the key.*Asked: https:\/\/a\/v1/);
  expect(probeWords({ subject: 'answer', verdict: 'ok', firstMs: 30, wholeMs: 90 }, t)).toBe('First word after 30 ms, all of it after 90 ms.');
  expect(probeWords({ subject: 'usage', verdict: 'ok', usage: { input: 3, output: 2 } }, t)).toBe('3 tokens in, 2 out.');
  expect(probeWords({ subject: 'tools', verdict: 'no', reason: 'refused' }, t)).toContain('can only talk');
});
