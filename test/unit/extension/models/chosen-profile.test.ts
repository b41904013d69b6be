import { describe, expect, test } from 'vitest';
import { chosenProfile } from '../../../../src/extension/models/chosen-profile';
import type { ChosenProfileDeps } from '../../../../src/extension/models/chosen-profile';
import { createAddressConsent } from '../../../../src/extension/models/consent';
import { createModelKeys } from '../../../../src/extension/models/keys';
import { createSecrets } from '../../../../src/extension/ports/secrets';
import { createMemory } from './memory';

const FOLDERS = 'https://set-by-the-folder.example/v1';
const byFolder = { addressOfFolder: true, ownAddresses: [], ownExtras: false };
const byPerson = { addressOfFolder: false, ownAddresses: [FOLDERS], ownExtras: true };

/** The profile of these settings, with `LIYUAN_API_KEY` set unless told otherwise. */
function choose(rest: Partial<ChosenProfileDeps> & { readonly key?: string | undefined } = {}): ReturnType<typeof chosenProfile> {
  const memory = createMemory();
  const storage = { get: () => Promise.resolve(undefined), store: () => Promise.resolve(), delete: () => Promise.resolve() };
  const keys = createModelKeys(createSecrets({ secrets: storage }, { LIYUAN_API_KEY: 'key' in rest ? rest.key : 'sk-mine' }), memory);
  return chosenProfile({
    settings: { baseUrl: FOLDERS, name: 'm' },
    source: byFolder,
    consent: createAddressConsent(memory),
    keyOf: (base) => keys.get(base),
    ...rest,
  });
}

const notAllowed = { ok: false, error: { code: 'model.not-allowed', args: { address: 'https://set-by-the-folder.example' } } };

describe('an address that a folder sets', () => {
  test('gets no key before the person has agreed, and then for this service alone', async () => {
    const consent = createAddressConsent(createMemory());
    expect(await choose({ consent })).toEqual(notAllowed);
    await consent.give('https://set-by-the-folder.example');
    expect(await choose({ consent })).toMatchObject({ ok: true, value: { apiKey: 'sk-mine' } });
    expect(await choose({ consent, settings: { baseUrl: 'https://other.example/v1', name: 'm' } })).toMatchObject({ ok: false, error: { code: 'model.not-allowed' } });
    expect(await choose({ consent, settings: { baseUrl: 'http://set-by-the-folder.example/v1', name: 'm' } })).toMatchObject({ ok: false });
  });

  test('gets no headers or further fields of the person’s own either', async () => {
    const source = { ...byFolder, ownExtras: true };
    expect(await choose({ source, key: undefined })).toEqual(notAllowed);
    expect(await choose({ source, key: undefined, settings: { baseUrl: 'http://127.0.0.1:8000', name: 'm' } })).toMatchObject({ error: { code: 'model.not-allowed' } });
  });

  test('needs no word where nothing of the person’s own would go there', async () => {
    expect(await choose({ key: undefined, settings: { baseUrl: 'http://127.0.0.1:8000', name: 'm' } })).toMatchObject({ ok: true });
    expect(await choose({ key: undefined })).toMatchObject({ ok: false, error: { code: 'model.no-key' } });
  });

  test('needs none where the person has set the same service for themselves', async () => {
    const source = { ...byFolder, ownAddresses: ['other.example', 'set-by-the-folder.example'] };
    expect(await choose({ source })).toMatchObject({ ok: true, value: { apiKey: 'sk-mine' } });
    expect(await choose({ source: { ...byFolder, ownAddresses: ['other.example'] } })).toEqual(notAllowed);
  });
});

test('an address of the person’s own is not asked about', async () => {
  expect(await choose({ source: byPerson })).toMatchObject({ ok: true, value: { apiKey: 'sk-mine' } });
  expect(await choose({ source: byPerson, key: undefined, settings: { baseUrl: FOLDERS, name: 'm', headers: { 'X-Api-Key': 'own' } } })).toMatchObject({ ok: true });
  expect(await choose({ source: byPerson, key: undefined })).toMatchObject({ ok: false, error: { code: 'model.no-key', args: { host: 'set-by-the-folder.example' } } });
});
