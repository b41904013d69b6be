import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as vscode from 'vscode';
import { diskBytes, diskText, firstChapter, internal, newChat, ofKind, oldWords, project, turn, uriOf } from './liyuan-host';
import { closeTabs } from './novel-folder';

const list = '设定/禁用词.txt';
const style = '设定/文风.md';

suite('extension: the author’s rules', function () {
  this.timeout(60_000);
  let original: Buffer;

  setup(async () => {
    await project();
    original = diskBytes(firstChapter);
  });
  teardown(async () => {
    await closeTabs();
    fs.writeFileSync(uriOf(firstChapter).fsPath, original);
    for (const path of [list, style]) fs.rmSync(uriOf(path).fsPath, { force: true });
    await (await project()).engine.rules.use('forbidden', true);
    (await internal()).signals.rulesChanged.fire();
  });

  const marks = (): readonly vscode.Diagnostic[] => vscode.languages.getDiagnostics(uriOf(firstChapter)).filter((mark) => mark.code === 'forbidden-word');
  /** Resolves when the chapter has so many marks; fails after 10 s. */
  const marked = (count: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => { reject(new Error(`${marks().length} marks instead of ${count}`)); }, 10_000);
      const look = (): void => {
        if (marks().length !== count) return;
        clearTimeout(late);
        listening.dispose();
        resolve();
      };
      const listening = vscode.languages.onDidChangeDiagnostics(look);
      look();
    });
  const openChapter = (): Thenable<vscode.TextEditor> => vscode.workspace.openTextDocument(uriOf(firstChapter)).then((document) => vscode.window.showTextDocument(document));

  test('begin with a template where there is none, and are opened where there is one', async () => {
    await vscode.commands.executeCommand('liyuan.rules.openStyle');
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), uriOf(style).toString());
    assert.match(diskText(style), /^# 文风\n\n- 人称与时态：/);
    fs.writeFileSync(uriOf(style).fsPath, '# 冷\n');
    await vscode.commands.executeCommand('liyuan.rules.openStyle');
    assert.equal(diskText(style), '# 冷\n');
    await vscode.commands.executeCommand('liyuan.rules.openAgents');
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), uriOf('AGENTS.md').toString());
  });

  test('underline forbidden words in an open chapter, as the list stands; what may stand instead is a fix', async () => {
    await openChapter();
    assert.deepEqual(marks(), []);
    fs.writeFileSync(uriOf(list).fsPath, `${oldWords} → 灯照不远\n`);
    (await internal()).signals.rulesChanged.fire();
    await marked(1);
    const [mark] = marks();
    assert.equal(mark?.severity, vscode.DiagnosticSeverity.Information);
    const actions = await vscode.commands.executeCommand<readonly vscode.CodeAction[]>('vscode.executeCodeActionProvider', uriOf(firstChapter), mark.range);
    const fixes = actions.filter((action) => action.edit !== undefined && action.isPreferred === true);
    assert.equal(fixes.length, 1);
    assert.ok(await vscode.workspace.applyEdit(fixes[0]?.edit ?? new vscode.WorkspaceEdit()));
    assert.ok(vscode.window.activeTextEditor?.document.getText().includes('灯照不远'));
    await marked(0);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  test('underline nothing when the setting or the switch in the chat says so', async () => {
    fs.writeFileSync(uriOf(list).fsPath, `${oldWords}\n`);
    (await internal()).signals.rulesChanged.fire();
    await openChapter();
    await marked(1);
    const settings = vscode.workspace.getConfiguration('liyuan.forbiddenWords');
    await settings.update('mark', false, vscode.ConfigurationTarget.Global);
    await marked(0);
    await settings.update('mark', undefined, vscode.ConfigurationTarget.Global);
    await marked(1);
    const chat = await newChat();
    const { rows } = await chat.handlers.setToggle({ id: 'rules.forbidden', on: false });
    assert.equal(rows.find(({ id }) => id === 'rules.forbidden')?.on, false);
    await marked(0);
  });
});

suite('extension: earlier turns summarised', function () {
  this.timeout(60_000);

  test('by command, taken back and used again from the chat', async () => {
    const chat = await newChat();
    await turn(chat, '目录');
    await turn(chat, '目录');
    await vscode.commands.executeCommand('liyuan.chat.compact');
    const shown = chat.current();
    assert.ok(shown);
    const [row] = ofKind(shown.items(), 'summary');
    assert.deepEqual(row?.floors, [1, 1]);
    assert.match(row.text, /目录（第 1 轮）/);
    await chat.handlers.useSummary({ id: row.id, use: false });
    assert.equal(ofKind(shown.items(), 'summary')[0]?.state, 'undone');
    await chat.handlers.useSummary({ id: row.id, use: true });
    assert.equal(ofKind(shown.items(), 'summary')[0]?.state, 'active');
  });
});
