import * as vscode from 'vscode';
import { completeBaseUrl, testConnection } from '../../../engine/index';
import type { ConnectionTest } from '../../../engine/index';
import { withCancel } from '../../cancellable';
import type { Host } from '../../host';
import { localiseError } from '../../l10n/localise-error';
import { saveProfile } from '../../models/change-profiles';
import { originOf } from '../../models/keys';
import type { SettingsProfile } from '../../models/profile-book';
import { addressIsSet } from '../../models/settings';
import { titleWords } from './words';

type SetUp = (host: Host) => Promise<void>;

/** The addresses a folder has set for the models in use, which wait for the person's word. */
async function notAllowed(host: Host): Promise<string | undefined> {
  for (const use of ['writing', 'side'] as const) {
    const client = await host.models.client(use);
    if (!client.ok && client.error.code === 'model.not-allowed') return String(client.error.args?.['address'] ?? '');
  }
  return undefined;
}

/** Asks whether keys and headers may go to the address the folder sets, and keeps a yes for this service. */
export async function allowAddress(host: Host, waiting?: string): Promise<boolean> {
  const { t } = host;
  const address = waiting ?? (await notAllowed(host));
  if (address === undefined) {
    void vscode.window.showInformationMessage(t('No address waits for your permission.'));
    return true;
  }
  const allow = t('Allow {address}', { address });
  const chosen = await vscode.window.showWarningMessage(t('This folder sets the model’s address: {address}. May your key and your own headers go there?', { address }), allow);
  if (chosen !== allow) return false;
  await host.models.consent.give(address);
  host.models.changed();
  return true;
}

async function profileTitled(host: Host, title: string | undefined): Promise<SettingsProfile | undefined> {
  const { list, writing } = await host.models.profiles();
  return list.find((one) => one.title === (title ?? writing));
}

/** Asks a model for a word (the one that writes, or the one with this title) and says what came of it, with the exact address. */
export async function checkConnection(host: Host, setUp: SetUp, title?: string): Promise<ConnectionTest | undefined> {
  const { t } = host;
  const profile = await profileTitled(host, title);
  if (profile !== undefined && profile.provider === 'vscode') {
    void vscode.window.showInformationMessage(t('VS Code’s own models have no address to test.'));
    return undefined;
  }
  let resolved = profile === undefined ? undefined : await host.models.resolve(profile);
  if (resolved?.ok === false && resolved.error.code === 'model.not-allowed' && profile !== undefined) {
    if (!(await allowAddress(host, String(resolved.error.args?.['address'] ?? '')))) return undefined;
    resolved = await host.models.resolve(profile);
  }
  if (resolved === undefined || profile === undefined || (profile.title === '' && !addressIsSet()) || (!resolved.ok && resolved.error.code === 'model.not-configured')) {
    const configure = t('Set up the model…');
    const chosen = await vscode.window.showInformationMessage(t('No model is set up yet; the rehearsal model stands in.'), configure);
    if (chosen === configure) await setUp(host);
    return undefined;
  }
  if (!resolved.ok) {
    await offerChange(host, profile, localiseError(resolved.error, t), setUp);
    return undefined;
  }
  const { value } = resolved;
  const test = await withCancel(t('Testing the connection to {model}…', { model: value.model }), (signal) =>
    testConnection(value, { fetch: host.models.fetch, clock: host.clock, log: host.log }, signal),
  );
  await tell(host, profile, test, setUp);
  return test;
}

async function tell(host: Host, profile: SettingsProfile, test: ConnectionTest, setUp: SetUp): Promise<void> {
  const { t } = host;
  if (test.ok && test.baseUrl !== undefined) {
    const use = t('Use {address}', { address: test.baseUrl });
    const chosen = await vscode.window.showInformationMessage(t('The address as set does not answer, but this one does: {url}', { url: test.url }), use);
    if (chosen === use) await saveProfile(host.models, profile, { ...profile.entry, baseUrl: test.baseUrl });
    return;
  }
  if (test.ok) {
    void vscode.window.showInformationMessage(t('The model answers ({ms} ms): {url}', { ms: test.latencyMs, url: test.url }));
    return;
  }
  if (test.error === undefined || test.error.code === 'turn.aborted') return;
  await offerChange(host, profile, `${localiseError(test.error, t)} ${t('Asked: {url}', { url: test.url })}`, setUp);
}

async function offerChange(host: Host, { title }: SettingsProfile, words: string, setUp: SetUp): Promise<void> {
  const change = host.t('Change the settings…');
  const chosen = await vscode.window.showErrorMessage(words, change);
  if (chosen !== change) return;
  if (title === '') await setUp(host);
  else await vscode.commands.executeCommand('liyuan.model.openPage', { title });
}

/** Forgets the key of a profile: its own, or else the one of its address. Asks which profile where there are several. */
export async function removeKey(host: Host, title?: string): Promise<void> {
  const { t } = host;
  const profile = title === undefined ? await profileWithKey(host) : await profileTitled(host, title);
  const completed = completeBaseUrl(profile?.entry.baseUrl ?? '');
  if (profile === undefined || !completed.ok) {
    if (profile !== undefined || title !== undefined) void vscode.window.showInformationMessage(t('No model is set up yet; there is no key to remove.'));
    return;
  }
  const { base } = completed.value;
  const own = host.models.keys.ownIsSet(base, profile.title);
  const others = own ? [] : (await host.models.profiles()).list.filter((one) => one.title !== profile.title && sharesKey(host, one, base));
  const remove = t('Remove the key');
  const also = others.length === 0 ? '' : ` ${t('It is also used by: {titles}', { titles: others.map((one) => titleWords(one.title, t)).join(t(', ')) })}`;
  const words = own
    ? t('Remove the key that only {title} has from this machine?', { title: titleWords(profile.title, t) })
    : t('Remove the key for {host} from this machine?', { host: new URL(base).host });
  const chosen = await vscode.window.showWarningMessage(words + also, { modal: true }, remove);
  if (chosen !== remove) return;
  await host.models.keys.delete(base, own ? profile.title : undefined);
  host.models.changed();
}

function sharesKey(host: Host, { title, entry }: SettingsProfile, base: string): boolean {
  const completed = completeBaseUrl(entry.baseUrl ?? '');
  return completed.ok && originOf(completed.value.base) === originOf(base) && !host.models.keys.ownIsSet(base, title);
}

async function profileWithKey(host: Host): Promise<SettingsProfile | undefined> {
  const { t } = host;
  const withAddress = (await host.models.profiles()).list.filter(({ entry }) => completeBaseUrl(entry.baseUrl ?? '').ok);
  if (withAddress.length < 2) {
    if (withAddress.length === 0) void vscode.window.showInformationMessage(t('No model is set up yet; there is no key to remove.'));
    return withAddress[0];
  }
  const items = withAddress.map((profile) => ({ label: titleWords(profile.title, t), description: profile.entry.baseUrl ?? '', profile }));
  return (await vscode.window.showQuickPick(items, { placeHolder: t('Whose key is to be removed?') }))?.profile;
}
