import type { Secrets } from '../../engine/index';
import type { Memory } from '../memory';

/**
 * Keys, one per service: a key goes only to the address it was given for. A profile may have one of its own for its address (`title`), which
 * then stands before the service's.
 */
export interface ModelKeys {
  get(baseUrl: string, title?: string): Promise<string | undefined>;
  /** Whose key `get` gives: the profile's own, or the service's (or none). */
  ownIsSet(baseUrl: string, title: string): boolean;
  /** A key typed as it is shown masked is refused, so that a mask never replaces a key. With a title it is that profile's own. */
  set(baseUrl: string, key: string, title?: string): Promise<void>;
  delete(baseUrl: string, title?: string): Promise<void>;
  /** There was a key for this address on this machine; without one now, the key store has lost it. */
  hadKey(baseUrl: string, title?: string): boolean;
}

/** Scheme, host and port of a completed address. */
export const originOf = (base: string): string => (URL.canParse(base) ? new URL(base).origin : base);

/** A key as it may be shown: its last four characters, if it is long enough to keep the rest secret. */
export const maskKey = (key: string): string => `••••${key.length >= 12 ? key.slice(-4) : ''}`;

/** What a mask looks like, typed or pasted. */
export const isMask = (text: string): boolean => /^[•●*·…]{2,}/.test(text.trim());

const placeOf = (base: string, title: string | undefined): string => `${originOf(base)}${title === undefined || title === '' ? '' : `#${title}`}`;
const secretName = (base: string, title?: string): string => `model.key:${placeOf(base, title)}`;
const memoryName = (base: string, title?: string): string => `model.hadKey:${placeOf(base, title)}`;

export function createModelKeys(secrets: Secrets, memory: Memory): ModelKeys {
  const had = (base: string, title?: string): boolean => memory.get<boolean>(memoryName(base, title)) === true;
  const ownIsSet = (base: string, title = ''): boolean => title !== '' && had(base, title);
  return {
    // Asked for by what is remembered: the store answers every name with `LIYUAN_API_KEY` when it has nothing.
    get: (base, title) => secrets.get(secretName(base, ownIsSet(base, title) ? title : undefined)),
    ownIsSet,
    set: async (base, key, title) => {
      if (isMask(key)) throw new Error('a masked key is not a key');
      await secrets.set(secretName(base, title), key.trim());
      await memory.update(memoryName(base, title), true);
    },
    delete: async (base, title) => {
      await secrets.delete(secretName(base, title));
      await memory.update(memoryName(base, title), undefined);
    },
    hadKey: had,
  };
}
