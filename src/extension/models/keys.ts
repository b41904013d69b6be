import type { Secrets } from '../../engine/index';
import type { Memory } from '../memory';

/** Keys, one per service: a key goes only to the address it was given for. */
export interface ModelKeys {
  get(baseUrl: string): Promise<string | undefined>;
  /** A key typed as it is shown masked is refused, so that a mask never replaces a key. */
  set(baseUrl: string, key: string): Promise<void>;
  delete(baseUrl: string): Promise<void>;
  /** There was a key for this address on this machine; without one now, the key store has lost it. */
  hadKey(baseUrl: string): boolean;
}

/** Scheme, host and port of a completed address. */
export const originOf = (base: string): string => (URL.canParse(base) ? new URL(base).origin : base);

/** A key as it may be shown: its last four characters, if it is long enough to keep the rest secret. */
export const maskKey = (key: string): string => `••••${key.length >= 12 ? key.slice(-4) : ''}`;

/** What a mask looks like, typed or pasted. */
export const isMask = (text: string): boolean => /^[•●*·…]{2,}/.test(text.trim());

const secretName = (base: string): string => `model.key:${originOf(base)}`;
const memoryName = (base: string): string => `model.hadKey:${originOf(base)}`;

export function createModelKeys(secrets: Secrets, memory: Memory): ModelKeys {
  return {
    get: (base) => secrets.get(secretName(base)),
    set: async (base, key) => {
      if (isMask(key)) throw new Error('a masked key is not a key');
      await secrets.set(secretName(base), key.trim());
      await memory.update(memoryName(base), true);
    },
    delete: async (base) => {
      await secrets.delete(secretName(base));
      await memory.update(memoryName(base), undefined);
    },
    hadKey: (base) => memory.get<boolean>(memoryName(base)) === true,
  };
}
