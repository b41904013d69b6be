import * as vscode from 'vscode';
import type { Clock, Log, ModelClient, Models, Result, Secrets } from '../../engine/index';
import { refusalOf } from '../commands';
import type { Memory } from '../memory';
import { createAddressConsent } from './consent';
import type { AddressConsent } from './consent';
import { createModelKeys } from './keys';
import type { ModelKeys } from './keys';
import { addressIsSet, onDidChangeModelSettings, readModelSettings, readSettingsSource } from './settings';

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

export interface HostModels extends Models {
  describe(): Promise<ModelDescription>;
  /** The service of the model asked last has refused requests with tools: what it answers can only be talk. */
  toolsRefused(): boolean;
  readonly keys: ModelKeys;
  readonly consent: AddressConsent;
  /** Settings or keys changed. */
  readonly onDidChange: vscode.Event<void>;
  /** Tells about a changed key or consent; what the model's service has taught is then learned anew. */
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
  const consent = createAddressConsent(deps.memory);
  let relearn = false;
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

  async function client(): Promise<Result<ModelClient>> {
    const [{ createOpenAIClient, createRehearsalClient, completeBaseUrl }, { chosenProfile }, { createKeptLessons }] = await Promise.all([
      import('../../engine/index'),
      import('./chosen-profile'),
      import('./kept-lessons'),
    ]);
    if (!addressIsSet()) return { ok: true, value: createRehearsalClient({ language: deps.language(), clock: deps.clock }) };
    const chosen = await chosenProfile({ settings: readModelSettings(), source: readSettingsSource(), consent, keyOf });
    if (!chosen.ok) return chosen;
    const key = JSON.stringify(chosen.value);
    if (last?.key !== key || relearn) {
      const address = completeBaseUrl(chosen.value.baseUrl);
      const base = address.ok ? address.value.base : chosen.value.baseUrl;
      const lessons = createKeptLessons({ memory: deps.memory, now: () => deps.clock.now(), log: deps.log });
      if (relearn) lessons.forget(base, chosen.value.model);
      relearn = false;
      last = { key, client: createOpenAIClient(chosen.value, { fetch: deps.fetch, clock: deps.clock, log: deps.log, lessons: lessons.book(base, chosen.value.model) }) };
    }
    return { ok: true, value: last.client };
  }

  return {
    client,
    describe: async () => {
      const found = await client();
      if (found.ok) return { name: found.value.name, rehearsal: found.value.rehearsal, configured: !found.value.rehearsal, window: found.value.window, maxOutput: found.value.maxOutput };
      const name = readModelSettings()['name'];
      return { name: typeof name === 'string' ? name : '', rehearsal: false, configured: false, window: 0, maxOutput: 0 };
    },
    toolsRefused: () => addressIsSet() && last?.client.params['toolsRefused'] === true,
    keys,
    consent,
    onDidChange: emitter.event,
    changed: () => {
      relearn = true;
      emitter.fire();
    },
    fetch: deps.fetch,
    dispose: () => {
      subscription.dispose();
      emitter.dispose();
    },
  };
}
