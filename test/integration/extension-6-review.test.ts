import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as vscode from 'vscode';
import type { ChatController } from '../../src/extension/features/chat/controller';
import type { OpenProject } from '../../src/extension/project/active-project';
import { diskText, firstChapter, literalRequest, newChat, newWords, ofKind, oldWords, project, turn, uriOf } from './liyuan-host';
import { closeTabs, tabNames } from './novel-folder';

const until = async (what: string, done: () => boolean | Promise<boolean>): Promise<void> => {
  for (const end = Date.now() + 10_000; !(await done()); await new Promise((resolve) => setTimeout(resolve, 50))) assert.ok(Date.now() < end, what);
};

const lensesOn = async (uri: vscode.Uri): Promise<readonly vscode.CodeLens[]> => vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri, 50);
const commandsOn = async (uri: vscode.Uri): Promise<readonly string[]> => (await lensesOn(uri)).flatMap((lens) => lens.command?.command ?? []);

suite('extension: review mode with the rehearsal model', function () {
  this.timeout(90_000);
  let chat: ChatController;
  let at: OpenProject;
  let original: string;

  setup(async () => {
    at = await project();
    await vscode.workspace.getConfiguration('liyuan').update('agent.apply', 'review', vscode.ConfigurationTarget.Global);
    chat = await newChat();
    original = diskText(firstChapter);
  });
  teardown(async () => {
    await vscode.workspace.getConfiguration('liyuan').update('agent.apply', undefined, vscode.ConfigurationTarget.Global);
    await at.engine.review.reject(at.engine.review.pending().map(({ id }) => id));
    await closeTabs();
    fs.writeFileSync(uriOf(firstChapter).fsPath, original);
  });

  const proposed = (text: string): string => text.replace(oldWords, newWords);

  test('a turn changes no file and opens nothing; its card and the lenses in the chapter decide', async () => {
    const items = await turn(chat, literalRequest);
    assert.equal(diskText(firstChapter), original);
    assert.deepEqual(ofKind(items, 'changes'), []);
    const [card] = ofKind(items, 'proposal');
    assert.deepEqual(card?.files.map(({ path, kind, state, waiting }) => ({ path, kind, state, waiting })), [{ path: firstChapter, kind: 'modify', state: 'pending', waiting: 1 }]);
    assert.deepEqual(tabNames(), []);
    await vscode.window.showTextDocument(uriOf(firstChapter));
    await until('lenses', async () => (await commandsOn(uriOf(firstChapter))).includes('liyuan.review.accept'));
    const accept = (await lensesOn(uriOf(firstChapter))).find((lens) => lens.command?.command === 'liyuan.review.accept');
    const line = original.slice(0, original.indexOf(oldWords)).split('\n').length - 1;
    assert.equal(accept?.range.start.line, line);
    await vscode.commands.executeCommand('liyuan.review.accept', ...(accept?.command?.arguments ?? []));
    assert.equal(diskText(firstChapter), proposed(original));
    await until('the card says so', () => ofKind(chat.current()?.items() ?? [], 'proposal')[0]?.files[0]?.state === 'accepted');
    await until('no lenses are left', async () => !(await commandsOn(uriOf(firstChapter))).some((id) => id.startsWith('liyuan.review.a')));
  });

  test('accepted into a chapter with unsaved words: they stay unsaved, and undo takes the edit back', async () => {
    await turn(chat, literalRequest);
    const editor = await vscode.window.showTextDocument(uriOf(firstChapter));
    await editor.edit((edit) => { edit.insert(new vscode.Position(0, 0), '甲'); });
    const [waiting] = at.engine.review.pending();
    await chat.handlers.review({ verb: 'accept', ids: [waiting?.id ?? ''] });
    assert.equal(editor.document.getText(), `甲${proposed(original)}`);
    assert.equal(editor.document.isDirty, true);
    assert.equal(diskText(firstChapter), original);
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), `甲${original}`);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  test('the right side of the diff is a document of the proposal: what is typed there is what is accepted, and nothing is left unsaved', async () => {
    await turn(chat, literalRequest);
    const [waiting] = at.engine.review.pending();
    await chat.handlers.review({ verb: 'open', ids: [waiting?.id ?? ''] });
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.deepEqual([input.original.scheme, input.modified.scheme], ['file', 'liyuan-proposal']);
    const document = await vscode.workspace.openTextDocument(input.modified);
    assert.equal(document.getText(), proposed(original));
    const edit = new vscode.WorkspaceEdit();
    const place = document.positionAt(document.getText().indexOf(newWords));
    edit.insert(input.modified, place, '雾里');
    assert.ok(await vscode.workspace.applyEdit(edit));
    await until('it is saved by itself', () => !document.isDirty);
    assert.equal(at.engine.review.find(waiting?.id ?? '')?.text, document.getText());
    assert.ok((await commandsOn(input.modified)).includes('liyuan.review.accept'));
    assert.equal(diskText(firstChapter), original);
    const more = new vscode.WorkspaceEdit();
    more.insert(input.modified, place, '夜');
    await vscode.workspace.applyEdit(more);
    await vscode.commands.executeCommand('liyuan.review.acceptAll', [waiting?.id]);
    assert.equal(diskText(firstChapter), original.replace(oldWords, `夜雾里${newWords}`));
    await until('nothing is unsaved', () => vscode.workspace.textDocuments.every((one) => one.uri.scheme !== 'liyuan-proposal' || !one.isDirty));
  });
});

suite('extension: after a turn that changes files at once', function () {
  this.timeout(90_000);
  test('each place has the way back over it, until the author changes the place', async () => {
    await project();
    const original = diskText(firstChapter);
    const chat = await newChat();
    try {
      await turn(chat, literalRequest);
      const editor = await vscode.window.showTextDocument(uriOf(firstChapter));
      await until('lenses', async () => (await commandsOn(uriOf(firstChapter))).includes('liyuan.review.undoChange'));
      const undo = (await lensesOn(uriOf(firstChapter))).find((lens) => lens.command?.command === 'liyuan.review.undoChange');
      await vscode.commands.executeCommand('liyuan.review.undoChange', ...(undo?.command?.arguments ?? []));
      assert.equal(editor.document.getText(), original);
      await until('the lens is gone', async () => !(await commandsOn(uriOf(firstChapter))).includes('liyuan.review.undoChange'));
    } finally {
      await closeTabs();
      fs.writeFileSync(uriOf(firstChapter).fsPath, original);
    }
  });
});
