import * as vscode from 'vscode';
import { completeBaseUrl, listModels } from '../../../../engine/index';
import { modelsEvents, modelsRequests, type ModelsSnapshot, type PagePlace, type ProfileDraft } from '../../../../protocol/models';
import { modelsStrings } from '../../../../protocol/models-strings';
import { refusalOf } from '../../../commands';
import type { Host } from '../../../host';
import { localiseError } from '../../../l10n/localise-error';
import { removeProfile, saveProfile } from '../../../models/change-profiles';
import { originOf } from '../../../models/keys';
import { writeModelSetting } from '../../../models/settings';
import { createHostConnection, type MessagePort } from '../../../webviews/connection';
import { pageStrings } from '../../../webviews/page';
import { allowAddress, removeKey } from '../connection-commands';
import { exportModels, importModels } from '../transfer-commands';
import { draftProfile, readDraft } from './draft';
import { modelsSnapshotOf } from './snapshot';
import { createTester } from './tester';

/** Where the page is shown, and at what it is to stand. */
export interface ModelsPlace {
  readonly visible: () => boolean;
  readonly onDidChangeVisibility: (listener: () => void) => vscode.Disposable;
  readonly port: MessagePort;
  /** What it was opened at; asked for once. */
  readonly takePlace: () => PagePlace;
  readonly onPlace: vscode.Event<PagePlace>;
}

/** Keeps the page of the models up to date while it is seen, and does what is asked there. */
export function connectModelsPage(host: Host, { visible, onDidChangeVisibility, port, takePlace, onPlace }: ModelsPlace): vscode.Disposable {
  const { t, models } = host;
  const epoch = host.ids.next();
  let seq = 0;
  const stamp = (): { readonly epoch: string; readonly seq: number } => ({ epoch, seq: (seq += 1) });

  const snapshot = async (): Promise<ModelsSnapshot> =>
    modelsSnapshotOf(await models.profiles(), { keys: models.keys, variable: process.env['LIYUAN_API_KEY']?.trim(), describe: (error) => localiseError(error, t), t });
  const profileOf = async (title: string): Promise<Awaited<ReturnType<typeof models.profiles>>['list'][number]> => {
    const found = (await models.profiles()).list.find((one) => one.title === title);
    if (found === undefined) throw new Error(localiseError({ code: 'model.no-profile', args: { title } }, t));
    return found;
  };

  const connection = createHostConnection({
    port,
    requests: modelsRequests,
    events: modelsEvents,
    log: host.log,
    handlers: {
      ready: async () => ({ snapshot: await snapshot(), place: takePlace(), strings: pageStrings(t, modelsStrings), locale: vscode.env.language }),
      address: ({ baseUrl }) => {
        const address = completeBaseUrl(baseUrl);
        return address.ok ? { url: address.value.chatUrl, origin: originOf(address.value.base) } : { problem: localiseError(address.error, t) };
      },
      save: ({ draft, ownKey }) => save(host, draft, ownKey),
      remove: async ({ title }) => {
        const profile = await profileOf(title);
        const address = completeBaseUrl(profile.entry.baseUrl ?? '');
        if (address.ok && models.keys.ownIsSet(address.value.base, title)) await models.keys.delete(address.value.base, title);
        await removeProfile(models, profile);
        return { removed: true };
      },
      removeKey: async ({ title }) => {
        await removeKey(host, title);
        return {};
      },
      use: async ({ title, role }) => {
        await writeModelSetting(role, title === '' ? undefined : title);
        return {};
      },
      test: async ({ draft, run }) => {
        await tester.begin(draft, run);
        return {};
      },
      stopTest: () => {
        tester.stop();
        return {};
      },
      allow: async ({ address }) => ({ allowed: await allowAddress(host, address) }),
      listModels: async ({ draft }) => {
        const read = readDraft({ ...draft, entry: { ...draft.entry, title: draft.was ?? '-', name: '-' } }, (await models.profiles()).list);
        if ('field' in read) return { problem: t('Something in the form does not fit: {field}', { field: read.field }) };
        const profile = await draftProfile(host, read);
        const names = profile.ok ? await listModels(profile.value, { fetch: models.fetch, clock: host.clock, log: host.log }) : profile;
        return names.ok ? { names: [...names.value] } : { problem: localiseError(names.error, t) };
      },
      importFile: async () => {
        await importModels(host);
        return {};
      },
      exportFile: async () => {
        await exportModels(host);
        return {};
      },
    },
  });
  const tester = createTester(host, (state) => { connection.post('probe', state, stamp()); });

  const post = (): void => {
    if (!visible()) return;
    snapshot().then(
      (now) => { connection.post('snapshot', now, stamp()); },
      (error: unknown) => { host.log.error('the models could not be shown', { error: String(error) }); },
    );
  };
  return vscode.Disposable.from(
    connection,
    models.onDidChange(post),
    onDidChangeVisibility(post),
    onPlace((place) => { connection.post('place', place, stamp()); }),
    { dispose: () => { tester.stop(); } },
  );
}

/** Writes the key first: what cannot be kept is said, and the rest is written all the same. */
async function save(host: Host, draft: ProfileDraft, ownKey: boolean): Promise<{ title?: string; field?: string; problem?: string; warning?: string }> {
  const { t, models } = host;
  const read = readDraft(draft, (await models.profiles()).list);
  if ('field' in read) return { field: read.field, problem: t('Something in the form does not fit: {field}', { field: read.field }) };
  const { entry, before, key } = read;
  const address = completeBaseUrl(entry.baseUrl ?? '');
  if (!address.ok && (entry.baseUrl !== undefined || (before?.title !== '' && entry.provider === 'openai'))) return { field: 'baseUrl', problem: localiseError(address.error, t) };
  let warning: string | undefined;
  if (address.ok) {
    const { base } = address.value;
    try {
      if (key !== '') {
        await models.keys.set(base, key, ownKey ? entry.title : undefined);
        if (!ownKey && before !== undefined && models.keys.ownIsSet(base, before.title)) await models.keys.delete(base, before.title);
        // The page has named the address the key goes to.
        await models.consent.give(base);
      } else if (before !== undefined && before.title !== entry.title && models.keys.ownIsSet(base, before.title)) {
        const moved = await models.keys.get(base, before.title);
        if (moved !== undefined) await models.keys.set(base, moved, entry.title);
        await models.keys.delete(base, before.title);
      }
    } catch (error) {
      if (refusalOf(error) === undefined) throw error;
      host.log.warn('the key could not be stored', { error: String(error) });
      warning = t('This machine has no key store that works here. Set the environment variable LIYUAN_API_KEY instead, then start VS Code again.');
    }
  }
  await saveProfile(models, before, entry);
  return { title: entry.title, ...(warning === undefined ? {} : { warning }) };
}
