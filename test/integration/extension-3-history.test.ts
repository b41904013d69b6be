import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as vscode from 'vscode';
import type { CheckpointRecord } from '../../src/engine/index';
import type { HistoryNode } from '../../src/extension/features/history/nodes';
import { createHistoryTree } from '../../src/extension/features/history/tree';
import { answering, diskBytes, diskText, firstChapter, internal, literalRequest, newChat, newWords, oldWords, project, turn, uriOf } from "./liyuan-host";
import { closeTabs, type as typeWords, until } from './novel-folder';

async function newestOf(author: CheckpointRecord['author']): Promise<CheckpointRecord> {
  const { engine } = await project();
  const list = await engine.checkpoints.list();
  assert.ok(list.ok);
  const found = list.value.find((record) => record.author === author);
  assert.ok(found, `a checkpoint by ${author}`);
  return found;
}

const children = async (tree: ReturnType<typeof createHistoryTree>, node?: HistoryNode): Promise<readonly HistoryNode[]> => (await tree.getChildren(node)) ?? [];

suite('extension: history', function () {
  this.timeout(90_000);
  let original: Buffer;
  setup(async () => {
    await newChat();
    original = diskBytes(firstChapter);
  });
  teardown(async () => {
    await closeTabs();
    fs.writeFileSync(uriOf(firstChapter).fsPath, original);
  });

  test('lists a turn under today, with the file it changed', async () => {
    const chat = await (await internal()).controller();
    await turn(chat, literalRequest);
    const tree = createHistoryTree(await internal());
    try {
      const [today] = await children(tree);
      assert.equal(today?.kind, 'day');
      const [newest] = await children(tree, today);
      assert.ok(newest?.kind === 'checkpoint');
      const item = await tree.getTreeItem(newest);
      assert.equal(item.label, literalRequest);
      assert.equal(item.contextValue, 'checkpoint.turn');
      const [file] = await children(tree, newest);
      assert.ok(file?.kind === 'file');
      assert.equal(file.change.path, firstChapter);
      await vscode.commands.executeCommand('liyuan.history.openDiff', file);
      assert.ok(vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff);
    } finally {
      tree.dispose();
    }
  });

  test('restores all files after a confirmation that says what will change, and loses no unsaved word', async () => {
    const { engine } = await project();
    const taken = await engine.checkpoints.take({ author: 'user', message: '起点' });
    assert.ok(taken.ok);
    const start = await newestOf('user');
    const chat = await (await internal()).controller();
    await turn(chat, literalRequest);
    const editor = await vscode.window.showTextDocument(uriOf(firstChapter));
    await typeWords(editor, 0, '没存的话。');
    const { asked } = await answering({ warning: 'Restore' }, async () => vscode.commands.executeCommand('liyuan.history.restoreFiles', { kind: 'checkpoint', record: start }));
    assert.equal(asked.length, 1);
    assert.match(asked[0] ?? '', /Files that change: 1 /);
    assert.ok(asked[0]?.includes(firstChapter));
    assert.deepEqual(diskBytes(firstChapter), original);
    assert.equal(editor.document.getText(), original.toString('utf8'));
    assert.equal(editor.document.isDirty, false);
    const list = await engine.checkpoints.list();
    assert.ok(list.ok);
    const result = list.value.find((record) => record.restoredFrom === start.id);
    const before = await engine.checkpoints.fileAt(result?.parents[0] ?? '', firstChapter);
    assert.ok(before.ok && before.value !== undefined);
    const saved = Buffer.from(before.value).toString('utf8');
    assert.ok(saved.startsWith('没存的话。') && saved.includes(newWords));
  });

  test('restores nothing when the confirmation is dismissed', async () => {
    const chat = await (await internal()).controller();
    const { engine } = await project();
    await engine.checkpoints.take({ author: 'user', message: '起点' });
    const start = await newestOf('user');
    await turn(chat, literalRequest);
    await answering({}, async () => vscode.commands.executeCommand('liyuan.history.restoreFiles', { kind: 'checkpoint', record: start }));
    assert.ok(diskText(firstChapter).includes(newWords));
  });

  test('goes back to before a turn, files and conversation, with the words in the input box', async () => {
    const chat = await (await internal()).controller();
    await turn(chat, literalRequest);
    const record = await newestOf('agent');
    await answering({ warning: 'Restore' }, async () => vscode.commands.executeCommand('liyuan.history.restoreTurn', { kind: 'checkpoint', record }));
    assert.deepEqual(diskBytes(firstChapter), original);
    await until('the conversation follows', () => chat.current()?.items().length === 0);
  });

  test('takes the conversation back alone', async () => {
    const chat = await (await internal()).controller();
    await turn(chat, literalRequest);
    const record = await newestOf('agent');
    const items = new Promise<void>((resolve) => {
      void internal().then((host) => host.signals.conversationMoved.event(() => { resolve(); }));
    });
    await answering({ warning: 'Restore' }, async () => vscode.commands.executeCommand('liyuan.history.restoreConversation', { kind: 'checkpoint', record }));
    await items;
    assert.ok(diskText(firstChapter).includes(newWords));
    assert.equal(chat.current()?.session.leaf(), null);
  });

  test('restores one file and leaves the others', async () => {
    const { engine } = await project();
    await engine.checkpoints.take({ author: 'user', message: '起点' });
    const start = await newestOf('user');
    const outline = diskText('大纲/总纲.md');
    fs.writeFileSync(uriOf('大纲/总纲.md').fsPath, `${outline}\n添的一行\n`);
    fs.writeFileSync(uriOf(firstChapter).fsPath, original.toString('utf8').replace(oldWords, '改过'));
    try {
      const change = { path: firstChapter, before: null, after: 'x', added: 0, removed: 0 };
      await answering({ warning: 'Restore' }, async () => vscode.commands.executeCommand('liyuan.history.restoreFile', { kind: 'file', record: start, change }));
      assert.deepEqual(diskBytes(firstChapter), original);
      assert.equal(diskText('大纲/总纲.md'), `${outline}\n添的一行\n`);
    } finally {
      fs.writeFileSync(uriOf('大纲/总纲.md').fsPath, outline);
    }
  });

  test('makes a checkpoint with a message, and none when nothing changed', async () => {
    const { engine } = await project();
    fs.writeFileSync(uriOf(firstChapter).fsPath, original.toString('utf8').replace(oldWords, '手改'));
    await answering({ input: '重写之前' }, async () => vscode.commands.executeCommand('liyuan.history.createCheckpoint'));
    assert.equal((await newestOf('user')).message, '重写之前');
    const count = await engine.checkpoints.list();
    await answering({ input: '又一个' }, async () => vscode.commands.executeCommand('liyuan.history.createCheckpoint'));
    const again = await engine.checkpoints.list();
    assert.ok(count.ok && again.ok);
    assert.equal(again.value.length, count.value.length);
  });

  test('compares several files with now in one editor', async () => {
    const { engine } = await project();
    await engine.checkpoints.take({ author: 'user', message: '起点' });
    const start = await newestOf('user');
    const outline = diskText('大纲/总纲.md');
    fs.writeFileSync(uriOf('大纲/总纲.md').fsPath, `${outline}\n添的一行\n`);
    fs.writeFileSync(uriOf(firstChapter).fsPath, original.toString('utf8').replace(oldWords, '改过'));
    try {
      await vscode.commands.executeCommand('liyuan.history.compareWithNow', { kind: 'checkpoint', record: start });
      assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label.includes('now'), true);
    } finally {
      await closeTabs();
      fs.writeFileSync(uriOf('大纲/总纲.md').fsPath, outline);
    }
  });
});

suite('extension: keys', () => {
  test('are kept in the key store of this machine, one per service, and can be removed', async () => {
    const { models } = await internal();
    await models.keys.set('https://a.example/v1', 'sk-1');
    assert.equal(await models.keys.get('https://a.example/other'), 'sk-1');
    assert.equal(await models.keys.get('https://b.example/v1'), process.env['LIYUAN_API_KEY']);
    await models.keys.delete('https://a.example/v1');
    assert.equal(await models.keys.get('https://a.example/v1'), process.env['LIYUAN_API_KEY']);
  });
});
