import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { createCounter, type Counter } from '../../src/extension/features/numbers/counter';
import { createStatusBar } from '../../src/extension/features/numbers/status-bar';
import { diskBytes, firstChapter, internal, project, uriOf } from './liyuan-host';
import { closeTabs, type, until } from './novel-folder';

const secondChapter = '正文/第一卷 退潮/002-潮信局.md';
const notes = '大纲/总纲.md';

interface Shown {
  text: string;
  tooltip: unknown;
  visible: boolean;
}

/** The status bar item that is made while `f` runs, looked at instead of drawn. */
function watchingItem<T>(f: () => T): { readonly value: T; readonly item: Shown } {
  const window = vscode.window as unknown as Record<string, unknown>;
  const before = window['createStatusBarItem'];
  const item = { text: '', tooltip: '' as unknown, visible: false, show: () => { item.visible = true; }, hide: () => { item.visible = false; }, dispose: () => undefined };
  window['createStatusBarItem'] = () => item;
  try {
    return { value: f(), item };
  } finally {
    window['createStatusBarItem'] = before;
  }
}

const show = async (file: string): Promise<vscode.TextEditor> => vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uriOf(file)));

suite('extension: numbers', function () {
  this.timeout(60_000);
  let originals: readonly (readonly [string, Buffer])[];
  let counter: Counter;
  let bar: vscode.Disposable;
  let item: Shown;
  const today = (): number => Number(/\+([\d,]+)/.exec(item.text)?.[1]?.replaceAll(',', '') ?? NaN);

  setup(async () => {
    originals = [firstChapter, secondChapter].map((file) => [file, diskBytes(file)] as const);
    const { engine } = await project();
    await engine.checkpoints.take({ author: 'user', message: '之前' });
    const host = await internal();
    counter = createCounter(host);
    ({ value: bar, item } = watchingItem(() => createStatusBar(host, counter)));
  });

  teardown(async () => {
    bar.dispose();
    counter.dispose();
    await closeTabs();
    const { documents } = await project();
    for (const [file, bytes] of originals) await documents.put(file, bytes);
  });

  test('the status bar shows the chapter’s words and what is selected, and nothing beside other files', async () => {
    await until('nothing is shown without a chapter', () => !item.visible);
    const editor = await show(firstChapter);
    await until('the chapter is shown', () => item.visible && /Chapter [\d,]+ words · today \+/.test(item.text));
    const text = editor.document.getText();
    const at = text.indexOf('灯');
    editor.selection = new vscode.Selection(editor.document.positionAt(at), editor.document.positionAt(at + 3));
    await until('the selection is counted', () => item.text.startsWith('Selected '));
    assert.ok(String(item.tooltip).includes('Book '), String(item.tooltip));
    await show(notes);
    await until('it goes where no chapter is', () => !item.visible);
    await vscode.workspace.getConfiguration('liyuan.numbers').update('statusBar', false, vscode.ConfigurationTarget.Workspace);
    try {
      await show(firstChapter);
      await new Promise((resolve) => { setTimeout(resolve, 400); });
      assert.equal(item.visible, false);
    } finally {
      await vscode.workspace.getConfiguration('liyuan.numbers').update('statusBar', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  test('what is typed counts, unsaved and after a checkpoint; a paragraph moved to another chapter counts nothing', async () => {
    const editor = await show(firstChapter);
    await until('today is counted', () => !Number.isNaN(today()));
    const before = today();
    const paragraph = '潮水退到第三级石阶的时候，巷子里忽然安静下来。';
    await type(editor, editor.document.getText().length, `\n${paragraph}\n`);
    await until('23 more', () => today() === before + 23);

    const all = editor.document.getText();
    const from = all.indexOf(paragraph);
    assert.ok(await editor.edit((edit) => { edit.delete(new vscode.Range(editor.document.positionAt(from), editor.document.positionAt(from + paragraph.length))); }));
    const other = await show(secondChapter);
    await type(other, other.document.getText().length, `\n${paragraph}\n`);
    await until('the move counts nothing', () => item.visible && today() === before + 23);
    await new Promise((resolve) => { setTimeout(resolve, 1_000); });
    assert.equal(today(), before + 23);

    const { engine } = await project();
    const taken = await engine.checkpoints.take({ author: 'user' });
    assert.ok(taken.ok && taken.value !== undefined);
    (await internal()).signals.checkpointsChanged.fire();
    await new Promise((resolve) => { setTimeout(resolve, 1_000); });
    assert.equal(today(), before + 23, 'and the same from the checkpoint');
    await vscode.workspace.getConfiguration('liyuan.numbers').update('dailyTarget', before + 20, vscode.ConfigurationTarget.Workspace);
    try {
      await until('the target is reached', () => item.text.includes('$(check)'));
    } finally {
      await vscode.workspace.getConfiguration('liyuan.numbers').update('dailyTarget', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  test('the export writes the days as CSV', async () => {
    const editor = await show(firstChapter);
    await type(editor, editor.document.getText().length, '\n又写了一句。\n');
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'liyuan-numbers-'));
    try {
      const file = vscode.Uri.file(path.join(folder, 'days.csv'));
      await vscode.commands.executeCommand('liyuan.numbers.export', file);
      const lines = fs.readFileSync(file.fsPath, 'utf8').trim().split('\r\n');
      assert.equal(lines[0], 'Day,You,Agent,Both', 'trimmed of its byte-order mark');
      assert.match(lines.at(-1) ?? '', /^\d{4}-\d\d-\d\d,[1-9]\d*,\d+,[1-9]\d*$/);
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });
});
