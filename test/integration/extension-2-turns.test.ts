import assert from 'node:assert/strict';
import fs from 'node:fs';
import iconv from 'iconv-lite';
import * as vscode from 'vscode';
import type { ChatController } from '../../src/extension/features/chat/controller';
import { diskBytes, diskText, firstChapter, internal, literalRequest, newChat, newWords, ofKind, oldWords, project, turn, uriOf } from './liyuan-host';
import { closeTabs, tabNames, tabsOpenedWithin, type as typeWords, wordsStayUnsaved } from './novel-folder';

suite('extension: a turn with the rehearsal model', function () {
  this.timeout(90_000);
  let chat: ChatController;
  let original: Buffer;

  setup(async () => {
    chat = await newChat();
    original = diskBytes(firstChapter);
  });
  teardown(async () => {
    await closeTabs();
    fs.writeFileSync(uriOf(firstChapter).fsPath, original);
  });

  test('really edits the chapter on the disk, and shows what it changed', async () => {
    const items = await turn(chat, literalRequest);
    assert.equal(diskText(firstChapter), original.toString('utf8').replace(oldWords, newWords));
    const [changes] = ofKind(items, 'changes');
    assert.deepEqual(changes?.files.map(({ path, status }) => ({ path, status })), [{ path: firstChapter, status: 'modified' }]);
    assert.ok((changes?.files[0]?.added ?? 0) > 0);
    assert.ok(ofKind(items, 'tool').some((item) => item.name === 'edit' && item.state === 'done'));
    assert.equal(ofKind(items, 'assistant').at(-1)?.state, 'done');
    const { snapshot } = await chat.handlers.ready({});
    assert.equal(snapshot.status.model.rehearsal, true);
    assert.equal(snapshot.status.phase, 'idle');
  });

  test('is the same conversation when it is opened again', async () => {
    const items = await turn(chat, literalRequest);
    const session = chat.current()?.session;
    assert.ok(session);
    assert.equal(session.title(), Array.from(literalRequest).slice(0, 30).join(''));
    await chat.handlers.newSession({});
    assert.equal((await chat.handlers.ready({})).snapshot.session, undefined);
    await chat.handlers.openSession({ id: session.header.id });
    const spoken = items.filter((item) => item.kind !== 'notice');
    assert.deepEqual(chat.current()?.items(), spoken);
    const { sessions } = await chat.handlers.sessions({});
    assert.deepEqual(sessions.filter((one) => one.current).map((one) => one.id), [session.header.id]);
  });

  test('is said to be a rehearsal by a notice once in a window, not in every conversation', async () => {
    await turn(chat, literalRequest);
    await chat.handlers.newSession({});
    assert.deepEqual(ofKind(await turn(chat, '目录'), 'notice'), []);
  });

  test('has a draft of its own, and so has the new conversation', async () => {
    await turn(chat, '目录');
    const session = chat.current()?.session.header.id;
    assert.ok(session);
    const draft = async (): Promise<string | undefined> => (await chat.handlers.ready({})).snapshot.draft;
    await chat.handlers.saveDraft({ session, text: '写到一半' });
    assert.equal(await draft(), '写到一半');
    await chat.handlers.newSession({});
    assert.equal(await draft(), undefined);
    await chat.handlers.saveDraft({ text: '新的' });
    assert.equal(await draft(), '新的');
    await turn(chat, '目录');
    assert.equal(await draft(), undefined);
    await chat.handlers.openSession({ id: session });
    assert.equal(await draft(), '写到一半');
    await chat.handlers.saveDraft({ session, text: '' });
    await chat.handlers.newSession({});
    assert.deepEqual([await draft(), (await chat.handlers.ready({})).snapshot.sampleSentence], [undefined, true]);
  });

  test('opens no tab and takes no focus', async () => {
    const other = await vscode.window.showTextDocument(uriOf('大纲/总纲.md'));
    other.selection = new vscode.Selection(0, 1, 0, 1);
    const before = tabNames();
    const opened = tabsOpenedWithin(1500);
    await turn(chat, literalRequest);
    assert.deepEqual(await opened, []);
    assert.deepEqual(tabNames(), before);
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), uriOf('大纲/总纲.md').toString());
    assert.deepEqual(vscode.window.activeTextEditor.selection, new vscode.Selection(0, 1, 0, 1));
  });

  test('keeps words that the author has not saved', async () => {
    const editor = await vscode.window.showTextDocument(uriOf(firstChapter));
    await typeWords(editor, editor.document.getText().length, '\n作者还在写。\n');
    await turn(chat, literalRequest);
    const live = editor.document.getText();
    assert.ok(live.includes(newWords) && live.includes('作者还在写。'));
    if (wordsStayUnsaved) {
      assert.equal(editor.document.isDirty, true);
      assert.equal(diskText(firstChapter), original.toString('utf8'));
    }
  });

  test('taken back by undo leaves the file as it was, and gives the words back', async () => {
    const items = await turn(chat, literalRequest);
    const [user] = ofKind(items, 'user');
    await chat.handlers.undoTurn({ turnId: user?.turnId ?? '' });
    assert.deepEqual(diskBytes(firstChapter), original);
    assert.deepEqual(chat.current()?.items(), []);
  });

  test('taken back by undo keeps what the author wrote since', async () => {
    const items = await turn(chat, literalRequest);
    const editor = await vscode.window.showTextDocument(uriOf(firstChapter));
    await typeWords(editor, editor.document.getText().length, '\n后来添的。\n');
    await editor.document.save();
    await chat.handlers.undoTurn({ turnId: ofKind(items, 'user')[0]?.turnId ?? '' });
    const text = editor.document.getText();
    assert.ok(text.includes(oldWords) && !text.includes(newWords) && text.includes('后来添的。'));
  });

  test('has a diff with the text of before at the left and the real file at the right', async () => {
    const items = await turn(chat, literalRequest);
    await chat.handlers.openDiff({ turnId: ofKind(items, 'user')[0]?.turnId ?? '', path: firstChapter });
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.equal(input.original.scheme, 'liyuan-object');
    assert.equal(input.modified.toString(), uriOf(firstChapter).toString());
    assert.equal(input.original.path, input.modified.path, 'one name, no rename');
    assert.match(vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '', /\((?:本轮之前|before this turn) ↔ (?:现在|now)\)$/);
    assert.equal((await vscode.workspace.openTextDocument(input.original)).getText(), original.toString('utf8'));
  });

  test('edits a GBK chapter and leaves its other bytes alone', async () => {
    const path = '正文/第二卷 涨潮/009-旧信.md';
    const text = '# 第九章 旧信\r\n\r\n信纸发了黄，字迹却还在。\r\n她把信折好，放回匣子里。\r\n潮声一阵紧似一阵，像有人在门外。\r\n';
    fs.writeFileSync(uriOf(path).fsPath, iconv.encode(text, 'gb18030'));
    try {
      await turn(chat, '在第九章里把「放回匣子里」改成「又收了起来」');
      assert.deepEqual(diskBytes(path), iconv.encode(text.replace('放回匣子里', '又收了起来'), 'gb18030'));
    } finally {
      fs.rmSync(uriOf(path).fsPath);
    }
  });

  test('can be stopped, and says so', async () => {
    assert.deepEqual(await chat.handlers.send({ text: literalRequest }), { accepted: true });
    assert.deepEqual(await chat.handlers.send({ text: '第二句' }), { accepted: true });
    const session = chat.current();
    const [waiting] = session?.queue() ?? [];
    assert.equal(waiting?.text, '第二句');
    await chat.handlers.stop({});
    await session?.idle();
    // After a stop nothing is sent by itself.
    assert.deepEqual(session?.queue().map(({ text }) => text), ['第二句']);
    await session?.queueAct({ how: 'remove', id: waiting.id });
    assert.equal(session?.phase(), 'idle');
    assert.equal(ofKind(session?.items() ?? [], 'assistant').at(-1)?.state, 'stopped');
  });

  test('asks in the chat and goes on with the answer', async () => {
    const host = await internal();
    const asked = new Promise<void>((resolve) => {
      const stop = host.asks.onDidChange(() => {
        if (host.asks.pending().length === 0) return;
        stop();
        resolve();
      });
    });
    await chat.handlers.send({ text: '接下来怎么办？给个选项' });
    await asked;
    const [request] = host.asks.pending();
    assert.ok(request !== undefined && request.options.length >= 2);
    await chat.handlers.answer({ callId: request.askId, answer: { kind: 'option', index: 1 } });
    await chat.current()?.idle();
    const [ask] = ofKind(chat.current()?.items() ?? [], 'ask');
    assert.deepEqual([ask?.state, ask?.answer], ['answered', request.options[1]]);
  });

  test('shows an error when the model is set but has no key, and runs again when it has', async () => {
    const host = await internal();
    const config = vscode.workspace.getConfiguration('liyuan.model');
    const ended = new Promise<void>((resolve) => {
      const listener = host.models.onDidChange(() => {
        listener.dispose();
        resolve();
      });
    });
    await config.update('baseUrl', 'https://model.invalid/v1', vscode.ConfigurationTarget.Global);
    await config.update('name', 'm', vscode.ConfigurationTarget.Global);
    await ended;
    try {
      const items = await turn(chat, literalRequest);
      const notice = ofKind(items, 'notice').find((item) => item.level === 'error');
      assert.deepEqual(notice?.actions.map((one) => one.action), ['configureModel', 'retry']);
      assert.deepEqual(diskBytes(firstChapter), original);
    } finally {
      await config.update('baseUrl', undefined, vscode.ConfigurationTarget.Global);
      await config.update('name', undefined, vscode.ConfigurationTarget.Global);
    }
    await chat.handlers.action({ action: 'retry' });
    await chat.current()?.idle();
    assert.equal(diskText(firstChapter), original.toString('utf8').replace(oldWords, newWords));
  });

  test('a file outside the project is not opened from the chat', async () => {
    await project();
    await assert.rejects(async () => chat.handlers.openFile({ path: '../outside.md' }));
    await chat.handlers.openFile({ path: firstChapter });
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), uriOf(firstChapter).toString());
  });
});
