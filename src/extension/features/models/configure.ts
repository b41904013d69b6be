import * as vscode from 'vscode';
import { completeBaseUrl, listModels, needsKey, profileFromSettings } from '../../../engine/index';
import type { ModelProfile } from '../../../engine/index';
import type { Host } from '../../host';
import { localiseError } from '../../l10n/localise-error';
import { createLocalModels, localRows, windowWords, withLocalRows } from '../../models/local-models';
import type { LocalModels } from '../../models/local-models';
import { isMask, maskKey, originOf } from '../../models/keys';
import { pickStep, textStep } from './quick-steps';
import type { StepAnswer } from './quick-steps';
import { chooseVscodeModel } from './vscode-model';
import { modelPresets } from '../../models/presets';
import { readModelSettings, readRole, writeModelSetting } from '../../models/settings';
import { checkConnection } from './connection-commands';

/** Stands in the list of addresses for VS Code's own models, which have none. */
const vscodeAddress = 'vscode:';

interface AddressItem extends vscode.QuickPickItem {
  /** Empty: the rehearsal model. */
  readonly address: string;
}

/** What has been chosen so far. */
interface Choice {
  readonly address: string;
  /** Typed now; empty keeps what is stored. */
  readonly key: string;
  readonly model: string;
}

const totalSteps = 3;

/** The exact address requests will go to, or what is wrong with what was typed. */
function exactUrl(host: Host, address: string): string {
  const completed = completeBaseUrl(address);
  return completed.ok ? completed.value.chatUrl : localiseError(completed.error, host.t);
}

async function askAddress(host: Host, before: string, local: LocalModels): Promise<StepAnswer<string>> {
  const { t } = host;
  const item = (label: string, address: string): AddressItem => ({ label, description: address, detail: `→ ${exactUrl(host, address)}`, address });
  const current: AddressItem[] = before === '' ? [] : [{ ...item(t('Keep the current one'), before), description: before }];
  const rehearsal: AddressItem = { label: t('Rehearsal'), description: t('no network, no key: a rule-based stand-in'), address: '' };
  const ofVscode: AddressItem = { label: t('Models of VS Code'), description: t('GitHub Copilot’s, for example: neither address nor key'), address: vscodeAddress };
  const answer = await pickStep<AddressItem>({
    title: t('Set up the model: address'),
    step: 1,
    totalSteps,
    placeholder: t('Type the address of any OpenAI-compatible service, or choose one'),
    items: [...current, ...modelPresets.map(({ name, entry }) => item(name, entry.baseUrl)), ofVscode, rehearsal],
    typed: (text) => (completeBaseUrl(text).ok ? item(t('Use this address'), text) : undefined),
    wrong: (text) => {
      const completed = completeBaseUrl(text);
      return completed.ok ? undefined : { label: t('This address cannot be used'), detail: localiseError(completed.error, t) };
    },
    later: async (signal) => {
      const found = localRows(await local.find(signal), t);
      return { items: (now) => withLocalRows(now, found, (row) => row === current[0]) };
    },
  });
  return answer === undefined || answer === 'back' ? answer : { value: answer.value.address };
}

async function askKey(host: Host, address: string): Promise<StepAnswer<string>> {
  const { t } = host;
  const completed = completeBaseUrl(address);
  const base = completed.ok ? completed.value.base : address;
  const stored = await host.models.keys.get(base);
  const lost = stored === undefined && host.models.keys.hadKey(base);
  const missing = needsKey({ baseUrl: address }) ? t('Key') : t('Usually none is needed here; leave empty');
  const prompt = lost
    ? t('The key given before is no longer in this machine’s key store. Give it again, or set the environment variable LIYUAN_API_KEY.')
    : t('The key is kept in the key store of this machine, never in a file, and is sent only to {origin} (this scheme, host and port).', { origin: originOf(base) });
  return textStep({
    title: t('Set up the model: key'),
    step: 2,
    totalSteps,
    password: true,
    prompt,
    placeholder: stored === undefined ? missing : stored === process.env['LIYUAN_API_KEY']?.trim() ? t('LIYUAN_API_KEY is set; leave empty to use it') : t('{mask} is stored; leave empty to keep it', { mask: maskKey(stored) }),
    check: (text) => (isMask(text) ? t('This is a masked key. Leave the box empty to keep the stored one.') : /[^\x20-\x7e]/.test(text.trim()) ? t('A key has no such characters.') : undefined),
  });
}

interface ModelItem extends vscode.QuickPickItem {
  readonly model: string;
}

async function askModel(host: Host, choice: Choice, local: LocalModels): Promise<StepAnswer<string>> {
  const { t } = host;
  const profile = await profileOf(host, { ...choice, model: choice.model === '' ? '-' : choice.model });
  const number = new Intl.NumberFormat(vscode.env.language);
  const asItem = (model: string): ModelItem => {
    const known = local.model(choice.address, model);
    const words = known === undefined ? undefined : windowWords(known, t, (value) => number.format(value));
    return { label: model, model, ...(words === undefined ? {} : { detail: words }) };
  };
  const now: ModelItem[] = choice.model === '' ? [] : [{ ...asItem(choice.model), description: t('in use now') }];
  const answer = await pickStep<ModelItem>({
    title: t('Set up the model: name (choose it, or type it)'),
    step: 3,
    totalSteps,
    placeholder: t('Choose a model, or type any name'),
    items: now,
    typed: (text) => ({ label: text, description: t('as typed'), model: text }),
    later: async (signal) => {
      if (profile === undefined) return { items: now };
      const names = await listModels(profile, { fetch: host.models.fetch, clock: host.clock, log: host.log }, signal);
      if (names.ok) return { items: [...now, ...names.value.filter((name) => name !== choice.model).map(asItem)] };
      return { items: now, note: { label: t('The service gave no list of models: type the model’s name'), detail: localiseError(names.error, t) } };
    },
  });
  return answer === undefined || answer === 'back' ? answer : { value: answer.value.model };
}

/** The profile as it would be with these choices, the key included. */
async function profileOf(host: Host, choice: Choice): Promise<ModelProfile | undefined> {
  const made = profileFromSettings({ ...readModelSettings(), baseUrl: choice.address, name: choice.model });
  if (!made.ok) return undefined;
  const completed = completeBaseUrl(choice.address);
  const stored = completed.ok ? await host.models.keys.get(completed.value.base) : undefined;
  const apiKey = choice.key.trim() === '' ? stored : choice.key.trim();
  return apiKey === undefined ? made.value : { ...made.value, apiKey };
}

const setting = (name: string): string => {
  const value = readModelSettings()[name];
  return typeof value === 'string' ? value.trim() : '';
};

/** Address, key, name, one after the other; nothing is written until the last is answered. */
export async function configureModel(host: Host): Promise<void> {
  const local = createLocalModels({ fetch: host.models.fetch, log: host.log });
  let choice: Choice = { address: setting('baseUrl'), key: '', model: setting('name') };
  let step = 1;
  while (step <= totalSteps) {
    const answer: StepAnswer<string> = step === 1 ? await askAddress(host, choice.address, local) : step === 2 ? await askKey(host, choice.address) : await askModel(host, choice, local);
    if (answer === undefined) return;
    if (answer === 'back') {
      step -= 1;
      continue;
    }
    if (step === 1) {
      if (answer.value === '') {
        await writeModelSetting('baseUrl', undefined);
        await useDefault(host);
        return;
      }
      if (answer.value === vscodeAddress) return chooseVscodeModel(host);
      choice = { ...choice, address: answer.value };
    } else if (step === 2) {
      choice = { ...choice, key: answer.value };
      // The step has named the address the key goes to.
      const completed = completeBaseUrl(choice.address);
      if (completed.ok) await host.models.consent.give(completed.value.base);
    } else choice = { ...choice, model: answer.value };
    step += 1;
  }
  await save(host, choice);
  const window = local.model(choice.address, choice.model)?.window;
  if (window !== undefined) await writeModelSetting('contextWindow', window);
  await checkConnection(host, configureModel);
}

async function save(host: Host, choice: Choice): Promise<void> {
  const completed = completeBaseUrl(choice.address);
  if (completed.ok && choice.key.trim() !== '') {
    try {
      await host.models.keys.set(completed.value.base, choice.key);
    } catch (error) {
      host.log.warn('the key could not be stored', { error: String(error) });
      void vscode.window.showWarningMessage(host.t('This machine has no key store that works here. Set the environment variable LIYUAN_API_KEY instead, then start VS Code again.'));
    }
  }
  await writeModelSetting('baseUrl', choice.address);
  await writeModelSetting('name', choice.model);
  await useDefault(host);
}

/** What has just been set up is what writes. */
async function useDefault(host: Host): Promise<void> {
  if (readRole('writing') !== '') await writeModelSetting('writing', undefined);
  host.models.changed();
}
