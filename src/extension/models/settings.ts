import * as vscode from 'vscode';
import type { SettingsSource } from './chosen-profile';

/** Setting under `liyuan.model` → name of the same thing in a model profile. */
const profileNames = {
  baseUrl: 'baseUrl',
  name: 'name',
  contextWindow: 'window',
  maxOutput: 'maxOutput',
  temperature: 'temperature',
  topP: 'topP',
  reasoningEffort: 'reasoningEffort',
  headers: 'headers',
  extraBody: 'extraBody',
} as const;

type ModelSetting = keyof typeof profileNames | 'idleTimeout';

/**
 * The values under `liyuan.model` as they count now: in a folder that is not trusted VS Code leaves out what the folder
 * itself sets (`restrictedConfigurations`). Named as in a profile, times in ms.
 */
export function readModelSettings(): Readonly<Record<string, unknown>> {
  const config = vscode.workspace.getConfiguration('liyuan.model');
  const named = Object.entries(profileNames).map(([setting, name]) => [name, config.get<unknown>(setting)] as const);
  const seconds = config.get<number | null>('idleTimeout');
  return { ...Object.fromEntries(named), ...(typeof seconds === 'number' ? { idleTimeoutMs: seconds * 1000 } : {}) };
}

/** Where the address and what may hold keys come from. */
export function readSettingsSource(): SettingsSource {
  const config = vscode.workspace.getConfiguration('liyuan.model');
  const address = config.inspect<string>('baseUrl');
  const ofFolder = [address?.workspaceValue, address?.workspaceFolderValue].filter((value) => value !== undefined);
  return {
    addressOfFolder: ofFolder.includes(config.get<string>('baseUrl') ?? ''),
    ownAddress: address?.globalValue ?? '',
    ownExtras: (['headers', 'extraBody'] as const).some((name) => Object.keys(config.inspect<object>(name)?.globalValue ?? {}).length > 0),
  };
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

export const onDidChangeModelSettings = (listener: () => void): vscode.Disposable =>
  vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('liyuan.model')) listener();
  });
