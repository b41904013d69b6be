import type { Memory } from '../memory';
import { originOf } from './keys';

/** Addresses a folder has set, to which the person lets keys and headers of their own go. One answer for each service. */
export interface AddressConsent {
  given(base: string): boolean;
  give(base: string): PromiseLike<void>;
}

const memoryName = (base: string): string => `model.addressAllowed:${originOf(base)}`;

export function createAddressConsent(memory: Memory): AddressConsent {
  return {
    given: (base) => memory.get<boolean>(memoryName(base)) === true,
    give: (base) => memory.update(memoryName(base), true),
  };
}
