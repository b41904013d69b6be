import { describe, expect, test } from 'vitest';
import { EngineFailure } from '../../../../src/engine/ports/result';
import { createSecrets } from '../../../../src/extension/ports/secrets';

type Storage = Parameters<typeof createSecrets>[0]['secrets'];

function keyring(behaviour: Partial<Storage> = {}): { readonly kept: Map<string, string>; readonly secrets: Storage } {
  const kept = new Map<string, string>();
  return {
    kept,
    secrets: {
      get: async (name) => kept.get(name),
      store: async (name, value) => void kept.set(name, value),
      delete: async (name) => void kept.delete(name),
      ...behaviour,
    },
  };
}

const broken = async (): Promise<never> => {
  throw new Error('no keyring daemon');
};

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(() => undefined, (error: unknown) => (error instanceof EngineFailure ? error.error : error));
}

describe('secrets', () => {
  test('come back as they were kept, until they are deleted', async () => {
    const secrets = createSecrets(keyring(), {});
    await secrets.set('key', 'sk-1');
    expect(await secrets.get('key')).toBe('sk-1');
    await secrets.delete('key');
    expect(await secrets.get('key')).toBeUndefined();
  });

  test('the environment variable stands in where nothing is kept, and not where something is', async () => {
    const secrets = createSecrets(keyring(), { LIYUAN_API_KEY: ' sk-env \n' });
    expect(await secrets.get('key')).toBe('sk-env');
    await secrets.set('key', 'sk-1');
    expect(await secrets.get('key')).toBe('sk-1');
  });

  test('an empty variable is none', async () => {
    expect(await createSecrets(keyring(), { LIYUAN_API_KEY: '  ' }).get('key')).toBeUndefined();
  });

  test('without a keyring the variable still works', async () => {
    expect(await createSecrets(keyring({ get: broken }), { LIYUAN_API_KEY: 'sk-env' }).get('key')).toBe('sk-env');
  });

  test('without a keyring and a variable, reading and keeping say so', async () => {
    const secrets = createSecrets(keyring({ get: broken, store: broken, delete: broken }), {});
    const expected = { code: 'secrets.no-keyring', args: { name: 'key', variable: 'LIYUAN_API_KEY' } };
    expect(await failureOf(secrets.get('key'))).toMatchObject(expected);
    expect(await failureOf(secrets.set('key', 'sk-1'))).toMatchObject(expected);
    expect(await failureOf(secrets.delete('key'))).toMatchObject(expected);
  });

  test('a key that does not come back was not kept', async () => {
    const secrets = createSecrets(keyring({ store: async () => undefined }), {});
    expect(await failureOf(secrets.set('key', 'sk-1'))).toMatchObject({ code: 'secrets.no-keyring' });
  });

  test('no failure carries the key', async () => {
    const secrets = createSecrets(keyring({ store: broken }), {});
    expect(JSON.stringify(await failureOf(secrets.set('key', 'sk-very-secret')))).not.toContain('sk-very-secret');
  });
});
