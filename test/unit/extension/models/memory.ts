import type { Memory } from '../../../../src/extension/memory';

/** A memory that forgets with the test; values pass through JSON, as on the disk. */
export function createMemory(): Memory & { readonly values: ReadonlyMap<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    get: <T>(name: string): T | undefined => {
      const text = values.get(name);
      return text === undefined ? undefined : (JSON.parse(text) as T);
    },
    update: (name, value) => {
      if (value === undefined) values.delete(name);
      else values.set(name, JSON.stringify(value));
      return Promise.resolve();
    },
  };
}
