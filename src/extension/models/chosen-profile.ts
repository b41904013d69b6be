import type { EngineError, ModelProfile, Result } from '../../engine/index';
import { completeBaseUrl, needsKey, profileFromSettings } from '../../engine/index';
import type { AddressConsent } from './consent';
import { originOf } from './keys';

/** Where the values of the settings come from, as far as it matters to what may be sent. */
export interface SettingsSource {
  /** The address that counts is the workspace's or the folder's. */
  readonly addressOfFolder: boolean;
  /** The addresses the person has set for themselves, whether or not they count here. */
  readonly ownAddresses: readonly string[];
  /** Headers or further fields of the person's own are among the values: both may hold keys. */
  readonly ownExtras: boolean;
}

export interface ChosenProfileDeps {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly source: SettingsSource;
  readonly consent: AddressConsent;
  readonly keyOf: (base: string) => Promise<string | undefined>;
}

/**
 * The profile the settings stand for, with its key. A folder is able to set the address, so what is the person's own goes to an address
 * of a folder only once they have agreed: until then `model.not-allowed` with `{address}`. Refuses `model.no-key`.
 */
export async function chosenProfile(deps: ChosenProfileDeps): Promise<Result<ModelProfile>> {
  const bare = profileFromSettings(deps.settings);
  if (!bare.ok) return bare;
  const address = completeBaseUrl(bare.value.baseUrl);
  if (!address.ok) return address;
  const { base } = address.value;
  const apiKey = await deps.keyOf(base);
  const hasKey = apiKey !== undefined && apiKey !== '';
  if ((hasKey || deps.source.ownExtras) && asksFirst(base, deps)) return refused({ code: 'model.not-allowed', args: { address: originOf(base) } });
  if (hasKey) return { ok: true, value: { ...bare.value, apiKey } };
  const bringsOwn = Object.keys(bare.value.headers ?? {}).some((name) => /authorization|api-?key|token/i.test(name));
  return needsKey(bare.value) && !bringsOwn ? refused({ code: 'model.no-key', args: { host: new URL(base).host } }) : bare;
}

function asksFirst(base: string, { source, consent }: ChosenProfileDeps): boolean {
  if (!source.addressOfFolder || consent.given(base)) return false;
  return !source.ownAddresses.some((address) => {
    const own = completeBaseUrl(address);
    return own.ok && originOf(own.value.base) === originOf(base);
  });
}

const refused = (error: EngineError): Result<never> => ({ ok: false, error });
