import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { answering, extension, internal, uriOf } from './liyuan-host';
import { workspaceRoot } from './novel-folder';

/** Every file of the workspace with its bytes, the project's own records left out. */
function texts(): ReadonlyMap<string, string> {
  const root = workspaceRoot().fsPath;
  const files = fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('.liyuan') && fs.statSync(path.join(root, name)).isFile());
  return new Map(files.sort().map((name) => [name, fs.readFileSync(path.join(root, name)).toString('base64')]));
}

suite('extension: activation', () => {
  test('a folder with 正文/ wakes it, without anyone calling', () => {
    assert.equal(extension().isActive, true);
    assert.equal(extension().exports.version, 1);
  });

  test('it writes nothing into a folder that is no project yet', async () => {
    const host = await internal();
    await host.project.settled;
    assert.equal(host.project.root, undefined);
    assert.equal(fs.existsSync(uriOf('.liyuan').fsPath), false);
    assert.deepEqual(await host.project.opened(), { ok: false, error: { code: 'project.none' } });
  });

  test('every command of the manifest is registered', async () => {
    const manifest = extension().packageJSON as { readonly contributes: { readonly commands: readonly { readonly command: string }[] } };
    const known = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(manifest.contributes.commands.map((one) => one.command).filter((command) => !known.has(command)), []);
  });

  test('the chat view comes up and asks for what to show, with no project too', async () => {
    await vscode.commands.executeCommand('liyuan.chat.focus');
    const controller = await (await internal()).controller();
    await controller.shown;
    const { snapshot, strings } = await controller.handlers.ready({});
    assert.equal(snapshot.project, 'none');
    assert.deepEqual(snapshot.items, []);
    assert.ok(Object.keys(strings).length > 50);
  });

  test('setting up a project by its command adds .liyuan and changes no text', async () => {
    const before = texts();
    await answering({ input: '盐渡来信', pick: 0, label: /中文/ }, async () => vscode.commands.executeCommand('liyuan.project.create'));
    assert.deepEqual(texts(), before);
    const config = JSON.parse(fs.readFileSync(uriOf('.liyuan/project.json').fsPath, 'utf8')) as { readonly title: string };
    assert.equal(config.title, '盐渡来信');
    const host = await internal();
    assert.equal(host.project.root?.toString(), workspaceRoot().toString());
    assert.equal(extension().exports.project()?.root.toString(), workspaceRoot().toString());
    const { snapshot } = await (await host.controller()).handlers.ready({});
    assert.equal(snapshot.project, 'open');
  });

  test('the history view comes up', async () => {
    await vscode.commands.executeCommand('liyuan.history.focus');
  });
});
