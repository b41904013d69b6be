import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { answering, internal, project, uriOf } from './liyuan-host';
import { workspaceRoot } from './novel-folder';

interface Opened {
  readonly folder: string;
  readonly options: unknown;
}

/** Runs `f` with `vscode.openFolder` and the dialog for a folder answered; what would have been opened. */
async function withoutLeaving(chosen: vscode.Uri | undefined, f: () => Promise<unknown>): Promise<readonly Opened[]> {
  const opened: Opened[] = [];
  const commands = vscode.commands as unknown as Record<string, unknown>;
  const window = vscode.window as unknown as Record<string, unknown>;
  const before = { execute: commands['executeCommand'] as typeof vscode.commands.executeCommand, dialog: window['showOpenDialog'] };
  commands['executeCommand'] = (id: string, ...args: unknown[]) => {
    if (id !== 'vscode.openFolder') return before.execute(id, ...args);
    opened.push({ folder: (args[0] as vscode.Uri).fsPath, options: args[1] });
    return Promise.resolve();
  };
  window['showOpenDialog'] = () => Promise.resolve(chosen === undefined ? undefined : [chosen]);
  try {
    await f();
    return opened;
  } finally {
    commands['executeCommand'] = before.execute;
    window['showOpenDialog'] = before.dialog;
  }
}

const run = (id: string, ...args: readonly unknown[]): Promise<unknown> => Promise.resolve(vscode.commands.executeCommand(id, ...args));

suite('extension: the first hour', () => {
  let parent: string;
  setup(async () => {
    await project();
    parent = fs.mkdtempSync(path.join(os.tmpdir(), 'liyuan-first-'));
  });
  teardown(() => { fs.rmSync(parent, { recursive: true, force: true }); });

  test('the sample novel is put beside what is there, and opened in the window that was chosen', async () => {
    fs.mkdirSync(path.join(parent, '盐渡来信'));
    fs.writeFileSync(path.join(parent, '盐渡来信', '我的.md'), '我写的');
    const opened = await withoutLeaving(vscode.Uri.file(parent), () => answering({ pick: 0 }, () => run('liyuan.project.openSample')));
    const copy = path.join(parent, '盐渡来信 2');
    assert.deepEqual(opened, [{ folder: copy, options: { forceNewWindow: true } }]);
    assert.deepEqual(fs.readdirSync(path.join(parent, '盐渡来信')), ['我的.md']);
    assert.ok(fs.existsSync(path.join(copy, '.liyuan/project.json')));
    assert.equal(fs.readdirSync(path.join(copy, '正文'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md')).length, 8);
  });

  test('nothing is copied when no folder is chosen, or no window', async () => {
    assert.deepEqual(await withoutLeaving(undefined, () => run('liyuan.project.openSample')), []);
    assert.deepEqual(await withoutLeaving(vscode.Uri.file(parent), () => answering({ pick: 99 }, () => run('liyuan.project.openSample'))), []);
    assert.deepEqual(fs.readdirSync(parent), []);
  });

  test('a folder inside of the window becomes a novel of its own: GBK chapters are moved byte for byte, the rest stays', async () => {
    const folder = fs.mkdtempSync(path.join(workspaceRoot().fsPath, 'odd-'));
    try {
      const rain = Buffer.from([0xd3, 0xea, 0xa1, 0xa3]);
      for (const name of ['第一章.txt', '第二章.txt', 'node_modules/p/readme.md', '大纲.md']) {
        fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
        fs.writeFileSync(path.join(folder, name), rain);
      }
      const opened = await withoutLeaving(undefined, () => answering({ input: '雨', pick: 0 }, () => run('liyuan.project.createAt', vscode.Uri.file(folder))));
      assert.deepEqual(opened, [{ folder, options: { forceNewWindow: true } }]);
      assert.deepEqual(fs.readdirSync(path.join(folder, '正文')).sort(), ['第一章.txt', '第二章.txt']);
      assert.ok(fs.readFileSync(path.join(folder, '正文/第一章.txt')).equals(rain));
      assert.ok(fs.existsSync(path.join(folder, '大纲.md')));
      assert.equal((JSON.parse(fs.readFileSync(path.join(folder, '.liyuan/project.json'), 'utf8')) as { readonly title: string }).title, '雨');
      assert.equal((await internal()).project.root?.toString(), workspaceRoot().toString(), 'this window stays with its own project');
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });

  test('a project is not set up twice', async () => {
    const before = fs.readFileSync(uriOf('.liyuan/project.json').fsPath, 'utf8');
    await answering({ input: '另一个名字', pick: 0 }, () => run('liyuan.project.createAt', workspaceRoot()));
    assert.equal(fs.readFileSync(uriOf('.liyuan/project.json').fsPath, 'utf8'), before);
  });
});
