import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { internal, type Internal } from './liyuan-host';

const FOLDERS = 'https://model.invalid/v1';

suite('models', () => {
  const config = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('liyuan.model');
  const set = async (target: vscode.ConfigurationTarget, values: Readonly<Record<string, unknown>>): Promise<void> => {
    for (const [name, value] of Object.entries(values)) await config().update(name, value, target);
  };
  let host: Internal;

  setup(async () => {
    host = await internal();
  });

  teardown(async () => {
    await set(vscode.ConfigurationTarget.Workspace, { baseUrl: undefined, name: undefined });
    await set(vscode.ConfigurationTarget.Global, { baseUrl: undefined, headers: undefined });
    await host.models.keys.delete(FOLDERS);
    await host.context.globalState.update('model.addressAllowed:https://model.invalid', undefined);
  });

  test('an address the workspace sets gets a stored key or own headers only once that is allowed', async () => {
    const { models } = host;
    const code = async (): Promise<string> => {
      const client = await models.client('writing');
      return client.ok ? client.value.name : client.error.code;
    };
    await set(vscode.ConfigurationTarget.Workspace, { baseUrl: FOLDERS, name: 'm' });
    assert.equal(await code(), 'model.no-key');
    await set(vscode.ConfigurationTarget.Global, { headers: { 'X-Api-Key': 'own' } });
    assert.equal(await code(), 'model.not-allowed');
    await set(vscode.ConfigurationTarget.Global, { headers: undefined });
    await models.keys.set(FOLDERS, 'sk-own');
    assert.equal(await code(), 'model.not-allowed');
    assert.deepEqual(await models.describe(), { name: 'm', rehearsal: false, configured: false, window: 0, maxOutput: 0 });
    await models.consent.give(FOLDERS);
    assert.equal(await code(), 'm');
  });

  test('an address the person has set for themselves is not asked about, in a workspace that sets it too', async () => {
    await host.models.keys.set(FOLDERS, 'sk-own');
    await set(vscode.ConfigurationTarget.Global, { baseUrl: 'model.invalid' });
    await set(vscode.ConfigurationTarget.Workspace, { baseUrl: FOLDERS, name: 'm' });
    assert.equal((await host.models.client('writing')).ok, true);
  });
});
