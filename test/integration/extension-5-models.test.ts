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
    for (const target of [vscode.ConfigurationTarget.Workspace, vscode.ConfigurationTarget.Global]) {
      await vscode.workspace.getConfiguration('liyuan').update('models', undefined, target);
      await set(target, { writing: undefined, side: undefined });
    }
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

  test('each role asks the profile with its title, the folder’s once it is allowed, and a wrong one is refused by name and field', async () => {
    const { models } = host;
    const asked = async (use: 'writing' | 'side'): Promise<string> => {
      const client = await models.client(use);
      return client.ok ? client.value.name : `${client.error.code} ${JSON.stringify(client.error.args ?? {})}`;
    };
    const list = (target: vscode.ConfigurationTarget, entries: readonly unknown[]): Thenable<void> => vscode.workspace.getConfiguration('liyuan').update('models', entries, target);
    await list(vscode.ConfigurationTarget.Global, [{ title: 'Large', baseUrl: 'http://127.0.0.1:9', name: 'large' }, { title: 'Wrong', baseUrl: 'http://127.0.0.1:9', name: 'w', topP: 'x' }]);
    await list(vscode.ConfigurationTarget.Workspace, [{ title: 'Ours', baseUrl: FOLDERS, name: 'ours' }]);
    assert.deepEqual((await models.profiles()).list.map(({ title, ofFolder }) => [title, ofFolder]), [['', false], ['Large', false], ['Wrong', false], ['Ours', true]]);

    assert.equal((await models.describe()).rehearsal, true);
    await set(vscode.ConfigurationTarget.Global, { writing: 'Large' });
    assert.deepEqual([await asked('writing'), await asked('side')], ['large', 'large']);
    await set(vscode.ConfigurationTarget.Global, { side: 'Wrong' });
    assert.deepEqual([await asked('writing'), await asked('side')], ['large', 'model.bad-settings {"profile":"Wrong","field":"topP"}']);
    await set(vscode.ConfigurationTarget.Global, { side: 'Gone' });
    assert.equal(await asked('side'), 'model.no-profile {"title":"Gone"}');

    await models.keys.set(FOLDERS, 'sk-own');
    await set(vscode.ConfigurationTarget.Global, { side: 'Ours' });
    assert.equal(await asked('side'), 'model.not-allowed {"address":"https://model.invalid"}');
    await models.consent.give(FOLDERS);
    assert.equal(await asked('side'), 'ours');
  });

  test('profiles go to a file without keys, and come back beside what is there', async () => {
    const { models } = host;
    const file = vscode.Uri.joinPath(host.context.globalStorageUri, 'models.json');
    await vscode.workspace.fs.createDirectory(host.context.globalStorageUri);
    await vscode.workspace.getConfiguration('liyuan').update('models', [{ title: 'A', baseUrl: FOLDERS, name: 'm', headers: { 'X-Api-Key': 'sk-secret', 'X-Title': 'L' } }], vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('liyuan.model.export', file);
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    assert.deepEqual(JSON.parse(text), { liyuanModels: 1, profiles: [{ title: 'A', provider: 'openai', name: 'm', baseUrl: FOLDERS, headers: { 'X-Title': 'L' } }] });
    assert.equal((await models.profiles()).list.length, 2);
    await vscode.workspace.fs.delete(file);
  });
});
