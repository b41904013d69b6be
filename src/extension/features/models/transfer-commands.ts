import * as vscode from 'vscode';
import type { Host } from '../../host';
import { addProfiles } from '../../models/change-profiles';
import { exportProfiles, freeTitle, readImport, type Incoming } from '../../models/transfer';

/** A file of profiles is small. */
const LARGEST_BYTES = 1_000_000;

const filters = (host: Host): Record<string, string[]> => ({ [host.t('Models of Liyuan')]: ['json'] });

/** Writes the profiles into a file of the person's choice, without keys, and says what else was left out. */
export async function exportModels(host: Host, target?: vscode.Uri): Promise<void> {
  const { t } = host;
  const { list } = await host.models.profiles();
  const usable = list.filter(({ problem, entry, title }) => problem === undefined && (title !== '' || (entry.baseUrl ?? '') !== ''));
  if (usable.length === 0) {
    void vscode.window.showInformationMessage(t('No model is set up yet; there is nothing to export.'));
    return;
  }
  const taken = new Set(usable.map(({ title }) => title));
  const entries = usable.map(({ entry, title }) => (title === '' ? { ...entry, title: freeTitle(entry.name ?? t('Default'), taken) } : entry));
  const { text, leftOut } = exportProfiles(entries);
  const file = target ?? (await vscode.window.showSaveDialog({ filters: filters(host), saveLabel: t('Export'), defaultUri: vscode.Uri.file('liyuan-models.json') }));
  if (file === undefined) return;
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  const fields = leftOut.flatMap((one) => one.fields.map((field) => `${one.title}: ${field}`)).join(t(', '));
  const said = t('Models exported: {count}. Keys are not in the file.', { count: entries.length });
  void vscode.window.showInformationMessage(fields === '' ? said : `${said} ${t('Left out because it looks like a secret: {fields}', { fields })}`);
}

interface IncomingItem extends vscode.QuickPickItem {
  readonly incoming: Incoming;
}

/** Reads a file of profiles, shows what is in it, and adds what is chosen; nothing that is there is changed. */
export async function importModels(host: Host, source?: vscode.Uri): Promise<void> {
  const { t } = host;
  const [file] = source === undefined ? ((await vscode.window.showOpenDialog({ filters: filters(host), openLabel: t('Import') })) ?? []) : [source];
  if (file === undefined) return;
  const { size } = await vscode.workspace.fs.stat(file);
  const { list } = await host.models.profiles();
  const text = size > LARGEST_BYTES ? '' : new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const found = readImport(text, list.map(({ entry, title }) => ({ ...entry, title })));
  if (found === undefined || found.incoming.length === 0) {
    void vscode.window.showErrorMessage(t('This file holds no models of Liyuan that can be read.'));
    return;
  }
  const chosen = await vscode.window.showQuickPick(found.incoming.map((one) => itemOf(one, host)), {
    canPickMany: true,
    title: t('Import models'),
    placeHolder: found.wrong === 0 ? t('Which of them? Your own models stay as they are.') : t('Which of them? {count} more cannot be read.', { count: found.wrong }),
    matchOnDetail: true,
  });
  if (chosen === undefined || chosen.length === 0) return;
  await addProfiles(host.models, chosen.map(({ incoming }) => incoming.entry));
  void vscode.window.showInformationMessage(t('Models imported: {count}. Give their keys on the page of the models.', { count: chosen.length }));
}

function itemOf(incoming: Incoming, { t }: Host): IncomingItem {
  const { entry, was, known } = incoming;
  const said = known ? t('you have it already') : was === undefined ? '' : t('you have one called “{title}”; this comes beside it', { title: was });
  return { label: entry.title, description: [entry.name ?? '', said].filter((one) => one !== '').join('   '), detail: entry.baseUrl ?? entry.provider, picked: !known, incoming };
}
