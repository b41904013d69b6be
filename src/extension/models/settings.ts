import * as vscode from 'vscode';
import { asProfileValues, profileNames, timeNames, type ModelRole, type ModelSetting } from './setting-names';

/**
 * The values under `liyuan.model` as they count now, by the names of the settings: in a folder that is not trusted VS Code leaves out what the
 * folder itself sets (`restrictedConfigurations`).
 */
export function readDefaultEntry(): Readonly<Record<string, unknown>> {
  const config = vscode.workspace.getConfiguration('liyuan.model');
  return Object.fromEntries([...Object.keys(profileNames), ...Object.keys(timeNames)].map((setting) => [setting, config.get<unknown>(setting)]));
}

/** The same, named as in a profile, times in ms. */
export const readModelSettings = (): Readonly<Record<string, unknown>> => asProfileValues(readDefaultEntry());

/** Where the address and what may hold keys come from. */
export function readSettingsSource(): { readonly addressOfFolder: boolean; readonly ownAddresses: readonly string[]; readonly ownExtras: boolean } {
  const config = vscode.workspace.getConfiguration('liyuan.model');
  const address = config.inspect<string>('baseUrl');
  const ofFolder = [address?.workspaceValue, address?.workspaceFolderValue].filter((value) => value !== undefined);
  return {
    addressOfFolder: ofFolder.includes(config.get<string>('baseUrl') ?? ''),
    ownAddresses: [address?.globalValue ?? ''].filter((one) => one !== ''),
    ownExtras: (['headers', 'extraBody'] as const).some((name) => Object.keys(config.inspect<object>(name)?.globalValue ?? {}).length > 0),
  };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** The entries of `liyuan.models`, unread: the person's own and, in a trusted folder, the folder's. */
export function readListEntries(): { readonly own: readonly unknown[]; readonly folder: readonly unknown[] } {
  const set = vscode.workspace.getConfiguration('liyuan').inspect<unknown>('models');
  const folder = vscode.workspace.isTrusted ? (set?.workspaceFolderValue ?? set?.workspaceValue) : undefined;
  return { own: listOf(set?.globalValue), folder: listOf(folder) };
}

/** The title that is set for a role. */
export function readRole(role: ModelRole): string {
  return (vscode.workspace.getConfiguration('liyuan.model').get<string>(role) ?? '').trim();
}

/** True when an address is set, whether or not the rest fits. */
export function addressIsSet(): boolean {
  return (vscode.workspace.getConfiguration('liyuan.model').get<string>('baseUrl') ?? '').trim() !== '';
}

/** Writes a setting where it counts: into the workspace if the workspace sets it, else for the person. */
export async function writeModelSetting(setting: ModelSetting, value: unknown): Promise<void> {
  const config = vscode.workspace.getConfiguration('liyuan.model');
  const workspaceSets = config.inspect(setting)?.workspaceValue !== undefined;
  await config.update(setting, value, workspaceSets ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global);
}

/** Writes the entries of `liyuan.models` of the person, or of the folder; none leaves the setting out. */
export async function writeListEntries(place: 'own' | 'folder', entries: readonly unknown[]): Promise<void> {
  const target = place === 'own' ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
  await vscode.workspace.getConfiguration('liyuan').update('models', entries.length === 0 ? undefined : entries, target);
}

export const onDidChangeModelSettings = (listener: () => void): vscode.Disposable =>
  vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('liyuan.model') || event.affectsConfiguration('liyuan.models')) listener();
  });
