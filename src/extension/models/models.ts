import * as vscode from 'vscode';
import type { Clock, Log, ModelClient, ModelProfile, Models, Result, Secrets } from '../../engine/index';
import { refusalOf } from '../commands';
import type { HostUsage } from '../usage/usage';
import type { Memory } from '../memory';
import { createAddressConsent } from './consent';
import type { AddressConsent } from './consent';
import { createModelKeys } from './keys';
import type { ModelKeys } from './keys';
import type { SettingsProfile } from './profile-book';
import { asProfileValues, type ModelRole } from './setting-names';
import { addressIsSet, onDidChangeModelSettings, readDefaultEntry, readListEntries, readRole, readSettingsSource } from './settings';

export interface ModelDescription {
  readonly name: string;
  readonly rehearsal: boolean;
  /** An address is set and everything else that is needed to ask it is there. */
  readonly configured: boolean;
  /** Tokens. */
  readonly window: number;
  /** Tokens that are kept free for the answer. */
  readonly maxOutput: number;
}

/** The profiles as set now, and the titles that are set for the roles. */
export interface ModelProfiles {
  readonly list: readonly SettingsProfile[];
  readonly writing: string;
  readonly side: string;
}

export interface HostModels extends Models {
  describe(): Promise<ModelDescription>;
  profiles(): Promise<ModelProfiles>;
  /** The profile as it would be asked, with its key. Refuses as `client` does. */
  resolve(profile: SettingsProfile): Promise<Result<ModelProfile>>;
  /** The service of the model asked last for writing has refused requests with tools: what it answers can only be talk. */
  toolsRefused(): boolean;
  readonly keys: ModelKeys;
  readonly consent: AddressConsent;
  /** Settings or keys changed. */
  readonly onDidChange: vscode.Event<void>;
  /** Tells about a changed key or consent; what the services have taught is then learned anew. */
  changed(): void;
  readonly fetch: typeof globalThis.fetch;
}

export interface HostModelsDeps {
  readonly secrets: Secrets;
  readonly memory: Memory;
  readonly clock: Clock;
  readonly log: Log;
  readonly fetch: typeof globalThis.fetch;
  /** Measures what is called. */
  readonly usage: Pick<HostUsage, 'measured'>;
  /** What the rehearsal model speaks. */
  readonly language: () => 'zh' | 'en';
}

/**
 * The models as the settings say, by their roles. The default profile: without an address the rehearsal model, otherwise the one at that address. What is set
 * but incomplete is refused, never replaced by the rehearsal model behind the person's back.
 */
export function createHostModels(deps: HostModelsDeps): HostModels & vscode.Disposable {
  const emitter = new vscode.EventEmitter<void>();
  const subscription = onDidChangeModelSettings(() => { emitter.fire(); });
  const keys = createModelKeys(deps.secrets, deps.memory);
  const consent = createAddressConsent(deps.memory);
  /** Grows with each key or consent that changed. */
  let generation = 0;
  const made = new Map<string, { readonly key: string; readonly generation: number; readonly client: ModelClient }>();

  /** Without a key store there is no key; whether that matters is for the address to say. */
  async function keyOf(base: string, title: string): Promise<string | undefined> {
    try {
      return await keys.get(base, title);
    } catch (error) {
      if (refusalOf(error) === undefined) throw error;
      deps.log.warn('the key store cannot be read', { error: String(error) });
      return undefined;
    }
  }

  async function profiles(): Promise<ModelProfiles> {
    const { readProfiles } = await import('./profile-book');
    const list = readProfiles({ defaults: readDefaultEntry(), defaultSource: readSettingsSource(), ...readListEntries() });
    return { list, writing: readRole('writing'), side: readRole('side') };
  }

  async function resolve(profile: SettingsProfile): Promise<Result<ModelProfile>> {
    if (profile.problem !== undefined && profile.title !== '') return { ok: false, error: profile.problem };
    const { chosenProfile } = await import('./chosen-profile');
    const settings = asProfileValues(profile.title === '' ? profile.raw : profile.entry);
    return chosenProfile({ settings, source: profile.source, consent, keyOf: (base) => keyOf(base, profile.title) });
  }

  /** The client of an address, made anew only when something of the profile changed. */
  async function clientAt(title: string, profile: ModelProfile): Promise<ModelClient> {
    const [{ createOpenAIClient, completeBaseUrl }, { createKeptLessons }] = await Promise.all([import('../../engine/index'), import('./kept-lessons')]);
    const key = JSON.stringify(profile);
    const before = made.get(title);
    if (before?.key === key && before.generation === generation) return before.client;
    const address = completeBaseUrl(profile.baseUrl);
    const base = address.ok ? address.value.base : profile.baseUrl;
    const lessons = createKeptLessons({ memory: deps.memory, now: () => deps.clock.now(), log: deps.log });
    if (generation > (before?.generation ?? 0)) lessons.forget(base, profile.model);
    const client = createOpenAIClient(profile, { fetch: deps.fetch, clock: deps.clock, log: deps.log, lessons: lessons.book(base, profile.model) });
    made.set(title, { key, generation, client });
    return client;
  }

  async function clientOf(profile: SettingsProfile): Promise<Result<ModelClient>> {
    if (profile.title === '' && !addressIsSet()) {
      const { createRehearsalClient } = await import('../../engine/index');
      return { ok: true, value: createRehearsalClient({ language: deps.language(), clock: deps.clock }) };
    }
    if (profile.problem === undefined && profile.provider === 'vscode') {
      const { createVscodeModelClient } = await import('./vscode-model-client');
      const { name = '', contextWindow, maxOutput, tools = 'native' } = profile.entry;
      return createVscodeModelClient({
        title: profile.title,
        name,
        ...(contextWindow === undefined ? {} : { window: contextWindow }),
        ...(maxOutput === undefined ? {} : { maxOutput }),
        tools,
        clock: deps.clock,
        log: deps.log,
      });
    }
    const resolved = await resolve(profile);
    return resolved.ok ? { ok: true, value: await clientAt(profile.title, resolved.value) } : resolved;
  }

  async function measured(found: Result<ModelClient>, use: ModelRole, { title, entry }: SettingsProfile): Promise<Result<ModelClient>> {
    if (!found.ok || found.value.rehearsal) return found;
    const { completeBaseUrl } = await import('../../engine/index');
    const address = completeBaseUrl(entry.baseUrl ?? '');
    const price = entry.price === undefined ? undefined : { ...entry.price, currency: entry.price.currency ?? 'CNY' };
    return { ok: true, value: await deps.usage.measured(found.value, { use, title, base: address.ok ? address.value.base : undefined, price }) };
  }

  async function client(use: ModelRole): Promise<Result<ModelClient>> {
    const [known, { profileForRole }] = await Promise.all([profiles(), import('./profile-book')]);
    const profile = profileForRole(known.list, use, known);
    if (profile !== undefined) return measured(await clientOf(profile), use, profile);
    return { ok: false, error: { code: 'model.no-profile', args: { title: use === 'side' && known.side !== '' ? known.side : known.writing } } };
  }

  return {
    client,
    profiles,
    resolve,
    describe: async () => {
      const found = await client('writing');
      if (found.ok) return { name: found.value.name, rehearsal: found.value.rehearsal, configured: !found.value.rehearsal, window: found.value.window, maxOutput: found.value.maxOutput };
      const { list, writing } = await profiles();
      const name = list.find(({ title }) => title === writing)?.entry.name ?? writing;
      return { name, rehearsal: false, configured: false, window: 0, maxOutput: 0 };
    },
    toolsRefused: () => made.get(readRole('writing'))?.client.params['toolsRefused'] === true && (readRole('writing') !== '' || addressIsSet()),
    keys,
    consent,
    onDidChange: emitter.event,
    changed: () => {
      generation += 1;
      emitter.fire();
    },
    fetch: deps.fetch,
    dispose: () => {
      subscription.dispose();
      emitter.dispose();
    },
  };
}
