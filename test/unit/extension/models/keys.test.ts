import { describe, expect, test } from 'vitest';
import { createModelKeys, isMask, maskKey } from '../../../../src/extension/models/keys';

function createParts(): { readonly kept: Map<string, string>; readonly keys: ReturnType<typeof createModelKeys> } {
  const kept = new Map<string, string>();
  const remembered = new Map<string, unknown>();
  const secrets = {
    get: (name: string) => Promise.resolve(kept.get(name)),
    set: (name: string, value: string) => Promise.resolve(void kept.set(name, value)),
    delete: (name: string) => Promise.resolve(void kept.delete(name)),
  };
  const memory = {
    get: <T>(name: string): T | undefined => remembered.get(name) as T | undefined,
    update: (name: string, value: unknown) => Promise.resolve(void remembered.set(name, value)),
  };
  return { kept, keys: createModelKeys(secrets, memory) };
}

describe('keys of models', () => {
  test('go only to the service they were given for', async () => {
    const { keys } = createParts();
    await keys.set('https://api.deepseek.com/v1', 'sk-one');
    expect(await keys.get('https://api.deepseek.com/beta')).toBe('sk-one');
    expect(await keys.get('https://api.deepseek.com.evil.example/v1')).toBeUndefined();
    expect(await keys.get('http://api.deepseek.com/v1')).toBeUndefined();
  });

  test('are never replaced by their own mask', async () => {
    const { keys } = createParts();
    await keys.set('https://a.example/v1', 'sk-secret-0001');
    for (const mask of ['••••0001', '****', '●●●●●●', maskKey('sk-secret-0001')]) {
      await expect(keys.set('https://a.example/v1', mask)).rejects.toThrow('masked');
    }
    expect(await keys.get('https://a.example/v1')).toBe('sk-secret-0001');
  });

  test('lose the blanks of a careless paste', async () => {
    const { keys } = createParts();
    await keys.set('https://a.example/v1', '  sk-1\n');
    expect(await keys.get('https://a.example/v1')).toBe('sk-1');
  });

  test('are remembered to have been there, so that a lost key store can be told', async () => {
    const { kept, keys } = createParts();
    await keys.set('https://a.example/v1', 'sk-1');
    kept.clear();
    expect([await keys.get('https://a.example/v1'), keys.hadKey('https://a.example/v1')]).toEqual([undefined, true]);
    await keys.delete('https://a.example/v1');
    expect(keys.hadKey('https://a.example/v1')).toBe(false);
  });

  test('may be a profile’s own, which stands before the service’s for it alone', async () => {
    const { keys } = createParts();
    await keys.set('https://a.example/v1', 'sk-shared');
    expect([await keys.get('https://a.example/v1', 'Small'), keys.ownIsSet('https://a.example', 'Small')]).toEqual(['sk-shared', false]);
    await keys.set('https://a.example/v1', 'sk-small', 'Small');
    expect([await keys.get('https://a.example/v1', 'Small'), await keys.get('https://a.example/v1', 'Large'), await keys.get('https://a.example/v1')]).toEqual(['sk-small', 'sk-shared', 'sk-shared']);
    expect(await keys.get('https://b.example/v1', 'Small')).toBeUndefined();
    await keys.delete('https://a.example/v1', 'Small');
    expect([await keys.get('https://a.example/v1', 'Small'), keys.ownIsSet('https://a.example', 'Small')]).toEqual(['sk-shared', false]);
  });

  test('of a profile that the store has lost are not replaced by the service’s, which another may pay for', async () => {
    const { kept, keys } = createParts();
    await keys.set('https://a.example', 'sk-shared');
    await keys.set('https://a.example', 'sk-small', 'Small');
    kept.delete('model.key:https://a.example#Small');
    expect(await keys.get('https://a.example', 'Small')).toBeUndefined();
  });

  test('show their last four characters only when the rest stays secret', () => {
    expect(maskKey('sk-abcdefgh1234')).toBe('••••1234');
    expect(maskKey('short')).toBe('••••');
    expect([isMask('sk-1'), isMask('sk-**')]).toEqual([false, false]);
  });
});
