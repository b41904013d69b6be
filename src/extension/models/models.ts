import * as vscode from 'vscode';
import type { Clock, Log, ModelClient, ModelProfile, Models, Result, Secrets } from '../../engine/index';
import { refusalOf } from '../commands';
import type { Memory } from '../memory';
import { createModelKeys } from './keys';
import type { ModelKeys } from './keys';
import { addressIsSet, onDidChangeModelSettings, readModelSettings } from './settings';

export interface ModelDescription {
  readonly name: string;
  readonly rehearsal: boolean;
  /** An address is set and everything else that is needed to ask it is there. */
  readonly configured: boolean;
  /** Tokens. */
  readonly window: number;
}

export interface HostModels extends Models {
  describe(): Promise<ModelDescription>;
  /** The service of the model asked last has refused requests with tools: what it answers can only be talk. */
  toolsRefused(): boolean;
  readonly keys: ModelKeys;
  /** Settings or keys changed. */
  readonly onDidChange: vscode.Event<void>;
  /** Tells about a changed key. */
  changed(): void;
  readonly fetch: typeof globalThis.fetch;
}

export interface HostModelsDeps {
  readonly secrets: Secrets;
  readonly memory: Memory;
  readonly clock: Clock;
  readonly log: Log;
  readonly fetch: typeof globalThis.fetch;
  /** What the rehearsal model speaks. */
  readonly language: () => 'zh' | 'en';
}

/**
 * The models as the settings say: without an address the rehearsal model, otherwise the one at that address. What is set
 * but incomplete is refused, never replaced by the rehearsal model behind the person's back.
 */
export function createHostModels(deps: HostModelsDeps): HostModels & vscode.Disposable {
  const emitter = new vscode.EventEmitter<void>();
  const subscription = onDidChangeModelSettings(() => { emitter.fire(); });
  const keys = createModelKeys(deps.secrets, deps.memory);
  // What a client learns about its endpoint is kept for as long as the settings stay the same.
  let last: { readonly key: string; readonly client: ModelClient } | undefined;

  /** Without a key store there is no key; whether that matters is for the address to say. */
  async function keyOf(base: string): Promise<string | undefined> {
    try {
      return await keys.get(base);
    } catch (error) {
      if (refusalOf(error) === undefined) throw error;
      deps.log.warn('the key store cannot be read', { error: String(error) });
      return undefined;
    }
  }

  async function profile(): Promise<Result<ModelProfile>> {
    const { completeBaseUrl, needsKey, profileFromSettings } = await import('../../engine/index');
    const bare = profileFromSettings(readModelSettings());
    if (!bare.ok) return bare;
    const address = completeBaseUrl(bare.value.baseUrl);
    if (!address.ok) return address;
    const apiKey = await keyOf(address.value.base);
    if (apiKey !== undefined && apiKey !== '') return { ok: true, value: { ...bare.value, apiKey } };
    const bringsOwn = Object.keys(bare.value.headers ?? {}).some((name) => /authorization|api-?key|token/i.test(name));
    return needsKey(bare.value) && !bringsOwn ? { ok: false, error: { code: 'model.no-key', args: { host: new URL(address.value.base).host } } } : bare;
  }

  async function client(): Promise<Result<ModelClient>> {
    const { createOpenAIClient, createRehearsalClient } = await import('../../engine/index');
    if (!addressIsSet()) return { ok: true, value: createRehearsalClient({ language: deps.language(), clock: deps.clock }) };
    const chosen = await profile();
    if (!chosen.ok) return chosen;
    const key = JSON.stringify(chosen.value);
    if (last?.key !== key) last = { key, client: createOpenAIClient(chosen.value, { fetch: deps.fetch, clock: deps.clock, log: deps.log }) };
    return { ok: true, value: last.client };
  }

  return {
    client,
    describe: async () => {
      const found = await client();
      if (found.ok) return { name: found.value.name, rehearsal: found.value.rehearsal, configured: !found.value.rehearsal, window: found.value.window };
      const name = readModelSettings()['name'];
      return { name: typeof name === 'string' ? name : '', rehearsal: false, configured: false, window: 0 };
    },
    toolsRefused: () => addressIsSet() && last?.client.params['toolsRefused'] === true,
    keys,
    onDidChange: emitter.event,
    changed: () => { emitter.fire(); },
    fetch: deps.fetch,
    dispose: () => {
      subscription.dispose();
      emitter.dispose();
    },
  };
}
