import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { LiveText } from '../../src/engine/index';
import { createVsCodeDocuments } from '../../src/extension/ports/documents';
import { closeTabs, openNovelFolder, replacing, silentLog, tabNames, tabsOpenedWithin, type, undo, wordsStayUnsaved, workspaceRoot, type NovelFolder } from './novel-folder';

suite('documents: text edits', () => {
  let novel: NovelFolder;
  setup(async () => {
    novel = await openNovelFolder();
  });
  teardown(() => novel.dispose());

  test('a file that is not open is read from disk, without a tab', async () => {
    novel.write('正文/001.md', '# 第一章\n\n雨停了。\n');
    assert.deepEqual(await novel.documents.read('正文/001.md'), {
      ok: true,
      value: {
        path: '正文/001.md',
        text: '# 第一章\n\n雨停了。\n',
        version: (await novel.read('正文/001.md')).version,
        dirty: false,
        encoding: 'utf8',
        eol: '\n',
      },
    });
    assert.deepEqual(tabNames(), []);
  });

  test('an open buffer is read with its unsaved words', async () => {
    novel.write('正文/001.md', '雨停了。\n');
    const before = await novel.read('正文/001.md');
    const editor = await novel.show('正文/001.md');
    assert.equal((await novel.read('正文/001.md')).version, before.version);
    await type(editor, 0, '夜里，');
    const live = await novel.read('正文/001.md');
    assert.equal(live.text, '夜里，雨停了。\n');
    assert.notEqual(live.version, before.version);
    if (wordsStayUnsaved) {
      assert.equal(live.dirty, true);
      assert.deepEqual(novel.documents.dirty(), ['正文/001.md']);
      assert.equal(novel.diskText('正文/001.md'), '雨停了。\n');
    }
  });

  test('bytes are what a save would write: the buffer when it is dirty, else the file', async () => {
    novel.write('正文/001.md', '雨停了。\n');
    assert.equal(Buffer.from((await novel.documents.bytes('正文/001.md')) ?? []).toString(), '雨停了。\n');
    const editor = await novel.show('正文/001.md');
    await type(editor, 0, '夜里，');
    assert.equal(Buffer.from((await novel.documents.bytes('正文/001.md')) ?? []).toString(), '夜里，雨停了。\n');
    assert.equal(await novel.documents.bytes('正文/没有.md'), undefined);
  });

  test('a dirty buffer edited by the agent keeps the author’s words unsaved, and undo takes back one after the other', async () => {
    novel.write('正文/001.md', '她撑开伞。\n雨还在下。\n');
    const editor = await novel.show('正文/001.md');
    await type(editor, 0, '清晨，');
    const applied = await novel.documents.apply([replacing(await novel.read('正文/001.md'), '雨还在下', '雨停了')]);
    assert.deepEqual(applied, {
      ok: true,
      value: [{ path: '正文/001.md', text: '清晨，她撑开伞。\n雨停了。\n', saved: false, changedOnSave: false }],
    });
    if (wordsStayUnsaved) {
      assert.equal(editor.document.isDirty, true);
      assert.equal(novel.diskText('正文/001.md'), '她撑开伞。\n雨还在下。\n');
    }
    await undo();
    assert.equal(editor.document.getText(), '清晨，她撑开伞。\n雨还在下。\n');
    await undo();
    assert.equal(editor.document.getText(), '她撑开伞。\n雨还在下。\n');
  });

  test('a clean open file is edited and saved, and its cursor stays where it was', async () => {
    novel.write('正文/001.md', '甲乙丙。\n丁戊己。\n');
    const editor = await novel.show('正文/001.md');
    editor.selection = new vscode.Selection(0, 2, 0, 2);
    const applied = await novel.documents.apply([replacing(await novel.read('正文/001.md'), '戊', '五')]);
    assert.deepEqual(applied, { ok: true, value: [{ path: '正文/001.md', text: '甲乙丙。\n丁五己。\n', saved: true, changedOnSave: false }] });
    assert.equal(editor.document.isDirty, false);
    assert.equal(novel.diskText('正文/001.md'), '甲乙丙。\n丁五己。\n');
    assert.deepEqual([editor.selection.active.line, editor.selection.active.character], [0, 2]);
  });

  test('an edit to a closed file opens no tab and leaves the focus where it was', async () => {
    novel.write('正文/001.md', '甲。\n');
    novel.write('正文/002.md', '乙。\n');
    const author = await novel.show('正文/001.md');
    const seen: (string | undefined)[] = [];
    const listener = vscode.window.onDidChangeActiveTextEditor((editor) => void seen.push(editor?.document.fileName));
    try {
      const tabs = tabsOpenedWithin(1500);
      const applied = await novel.documents.apply([replacing(await novel.read('正文/002.md'), '乙', '二')]);
      assert.deepEqual(applied, { ok: true, value: [{ path: '正文/002.md', text: '二。\n', saved: true, changedOnSave: false }] });
      assert.equal(novel.diskText('正文/002.md'), '二。\n');
      assert.deepEqual(await tabs, []);
    } finally {
      listener.dispose();
    }
    assert.deepEqual(tabNames(), ['001.md']);
    assert.deepEqual(seen, []);
    assert.equal(vscode.window.activeTextEditor?.document, author.document);
  });

  test('undo in a chapter opened later takes the agent’s edit back', async () => {
    novel.write('正文/001.md', '甲。\n');
    await novel.documents.apply([replacing(await novel.read('正文/001.md'), '甲', '一')]);
    const editor = await novel.show('正文/001.md');
    await undo();
    assert.equal(editor.document.getText(), '甲。\n');
  });

  test('an edit for a text that the author has changed meanwhile is refused, and works on the text now there', async () => {
    novel.write('正文/001.md', '她走了。\n');
    const editor = await novel.show('正文/001.md');
    const old = await novel.read('正文/001.md');
    await type(editor, 0, '天亮时');
    const refused = await novel.documents.apply([replacing(old, '走了', '回来了')]);
    assert.deepEqual(refused, { ok: false, error: { code: 'doc.changed', args: { path: '正文/001.md' } } });
    assert.equal(editor.document.getText(), '天亮时她走了。\n');
    const again = await novel.documents.apply([replacing(await novel.read('正文/001.md'), '走了', '回来了')]);
    assert.equal(again.ok && again.value[0]?.text, '天亮时她回来了。\n');
  });

  test('an author who types while an edit is under way loses nothing', async () => {
    novel.write('正文/001.md', `${'她走了。\n'.repeat(200)}结尾。\n`);
    const editor = await novel.show('正文/001.md');
    const live = await novel.read('正文/001.md');
    const [applied] = await Promise.all([
      novel.documents.apply([replacing(live, '结尾', '终章')]),
      editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '作者的字')),
    ]);
    const text = editor.document.getText();
    assert.ok(text.startsWith('作者的字她走了。'), text.slice(0, 20));
    if (applied.ok) assert.ok(text.endsWith('终章。\n'), text.slice(-10));
    else {
      assert.equal(applied.error.code, 'doc.changed');
      assert.ok(text.endsWith('结尾。\n'), text.slice(-10));
    }
  });

  test('several files are changed together or not at all', async () => {
    novel.write('正文/001.md', '甲。\n');
    novel.write('正文/002.md', '乙。\n');
    const first = await novel.read('正文/001.md');
    const second = await novel.read('正文/002.md');
    novel.write('正文/002.md', '乙，变了。\n');
    const refused = await novel.documents.apply([replacing(first, '甲', '一'), replacing(second, '乙', '二')]);
    assert.deepEqual(refused, { ok: false, error: { code: 'doc.changed', args: { path: '正文/002.md' } } });
    assert.equal(novel.diskText('正文/001.md'), '甲。\n');
    assert.equal((await novel.read('正文/001.md')).text, '甲。\n');

    const done = await novel.documents.apply([replacing(await novel.read('正文/001.md'), '甲', '一'), replacing(await novel.read('正文/002.md'), '乙', '二')]);
    assert.deepEqual(done.ok && done.value.map(({ text, saved }) => [text, saved]), [['一。\n', true], ['二，变了。\n', true]]);
    assert.equal(novel.diskText('正文/001.md'), '一。\n');
    assert.equal(novel.diskText('正文/002.md'), '二，变了。\n');
  });

  test('when one file of a batch cannot be saved, all are taken back and what is on disk stays', async function () {
    // VS Code is asked several times, with time for a save of its own in between.
    this.timeout(60_000);
    novel.write('正文/001.md', '甲。\n');
    novel.write('正文/002.md', '乙。\n');
    // Another program writes the second file while VS Code is about to save it: a conflict.
    const intruder = vscode.workspace.onWillSaveTextDocument(({ document }) => {
      if (document.fileName.endsWith('002.md')) novel.write('正文/002.md', `别的程序写的，${'很长'.repeat(20)}。\n`);
    });
    try {
      const refused = await novel.documents.apply([replacing(await novel.read('正文/001.md'), '甲', '一'), replacing(await novel.read('正文/002.md'), '乙', '二')]);
      assert.deepEqual(refused, { ok: false, error: { code: 'doc.save-failed', args: { path: '正文/002.md' } } });
    } finally {
      intruder.dispose();
    }
    assert.equal(novel.diskText('正文/001.md'), '甲。\n');
    assert.equal((await novel.read('正文/001.md')).text, '甲。\n');
    assert.equal(novel.diskText('正文/002.md'), `别的程序写的，${'很长'.repeat(20)}。\n`);
    const second = vscode.workspace.textDocuments.find((document) => document.fileName === novel.uri('正文/002.md').fsPath);
    assert.equal(second?.getText().includes('二'), false);
  });

  test('several changes of one file are one undo step, and replacement text is literal', async () => {
    novel.write('正文/001.md', '甲乙丙丁。\n');
    const editor = await novel.show('正文/001.md');
    const live = await novel.read('正文/001.md');
    const applied = await novel.documents.apply([
      { path: live.path, version: live.version, changes: [{ start: 0, end: 1, text: '$&' }, { start: 2, end: 3, text: '' }, { start: 4, end: 4, text: '\n新的一行' }] },
    ]);
    assert.equal(applied.ok && applied.value[0]?.text, '$&乙丁\n新的一行。\n');
    await undo();
    assert.equal(editor.document.getText(), '甲乙丙丁。\n');
  });

  test('a change on disk that the open buffer has not taken over yet is neither missed nor overwritten', async () => {
    novel.write('正文/001.md', '甲。\n');
    const editor = await novel.show('正文/001.md');
    novel.write('正文/001.md', '甲，外面改过。\n');
    const live = await novel.read('正文/001.md');
    assert.equal(live.text, '甲，外面改过。\n');
    const applied = await novel.documents.apply([replacing(live, '甲', '一')]);
    assert.equal(applied.ok && applied.value[0]?.text, '一，外面改过。\n', JSON.stringify(applied));
    assert.equal(novel.diskText('正文/001.md'), '一，外面改过。\n');
    assert.equal(editor.document.isDirty, false);
  });

  test('a file that went away and came back as another, while VS Code still held its document, is edited as it is now', async () => {
    novel.write('正文/001.md', '甲。\n');
    await novel.documents.apply([replacing(await novel.read('正文/001.md'), '甲', '一')]);
    fs.rmSync(novel.uri('正文/001.md').fsPath);
    novel.write('正文/001.md', '另一个故事。\r\n完。\r\n');
    const applied = await novel.documents.apply([replacing(await novel.read('正文/001.md'), '故事', '传说')]);
    assert.deepEqual(applied, { ok: true, value: [{ path: '正文/001.md', text: '另一个传说。\r\n完。\r\n', saved: true, changedOnSave: false }] });
    assert.equal(novel.diskText('正文/001.md'), '另一个传说。\r\n完。\r\n');
  });

  test('one operation at a time: two edits sent together do not lose each other', async () => {
    novel.write('正文/001.md', '甲乙。\n');
    const live = await novel.read('正文/001.md');
    const [first, second] = await Promise.all([
      novel.documents.apply([replacing(live, '甲', '一')]),
      novel.documents.apply([replacing(live, '乙', '二')]),
    ]);
    assert.equal(first.ok, true);
    assert.deepEqual(second, { ok: false, error: { code: 'doc.changed', args: { path: '正文/001.md' } } });
    assert.equal(novel.diskText('正文/001.md'), '一乙。\n');
  });

  test('what cannot be read says why', async () => {
    novel.write('正文/大.md', Buffer.alloc(5 * 1024 * 1024 + 1, 0x61));
    novel.write('正文/图.md', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1, 0xff, 0xfe, 0]));
    const code = async (name: string): Promise<string | undefined> => {
      const read = await novel.documents.read(name);
      return read.ok ? undefined : read.error.code;
    };
    assert.equal(await code('正文/没有.md'), 'doc.not-found');
    assert.equal(await code('正文'), 'doc.not-found');
    assert.equal(await code('正文/大.md'), 'doc.too-large');
    assert.equal(await code('正文/图.md'), 'doc.undecodable');
  });

  test('an edit that would grow a file above the limit is refused before anything is applied', async () => {
    novel.write('正文/001.md', 'a\n');
    const live = await novel.read('正文/001.md');
    const refused = await novel.documents.apply([{ path: live.path, version: live.version, changes: [{ start: 0, end: 0, text: 'x'.repeat(5 * 1024 * 1024) }] }]);
    assert.equal(!refused.ok && refused.error.code, 'doc.too-large');
    assert.equal(novel.diskText('正文/001.md'), 'a\n');
  });

  test('a file deleted outside is gone, although a clean tab of it is still open', async () => {
    novel.write('正文/001.md', '甲。\n');
    await novel.show('正文/001.md');
    fs.rmSync(novel.uri('正文/001.md').fsPath);
    const read = await novel.documents.read('正文/001.md');
    assert.equal(!read.ok && read.error.code, 'doc.not-found');
    assert.equal(await novel.documents.bytes('正文/001.md'), undefined);
  });

});

suite('documents: watching', () => {
  // The workspace folder itself: VS Code's watcher is slow to take in folders that have just been made.
  const root = workspaceRoot();
  const folder = vscode.Uri.joinPath(root, '正文').fsPath;
  const file = (name: string): string => path.join(folder, `watched-${name}.md`);
  const documents = createVsCodeDocuments({ root, log: silentLog });
  suiteTeardown(async () => {
    documents.dispose();
    await closeTabs();
    for (const name of fs.readdirSync(folder)) if (name.startsWith('watched-')) fs.rmSync(path.join(folder, name));
  });
  const told = (wanted: string): Promise<void> =>
    new Promise((resolve) => {
      const stop = documents.watch((event) => {
        if (`${event.kind} ${event.path} ${event.source}` !== wanted) return;
        stop();
        resolve();
      });
    });

  test('typing and changes made outside are told, and what the port did itself once', async () => {
    const seen = Promise.all([told('created 正文/watched-1.md disk'), told('created 正文/watched-2.md disk')]);
    fs.writeFileSync(file('1'), '甲。\n');
    fs.writeFileSync(file('2'), '乙。\n');
    await seen;
    const events: string[] = [];
    const stop = documents.watch((event) => void events.push(`${event.kind} ${event.path} ${event.source}`));
    const read = async (name: string): Promise<LiveText> => {
      const live = await documents.read(`正文/watched-${name}.md`);
      assert.ok(live.ok);
      return live.value;
    };
    await documents.apply([replacing(await read('1'), '甲', '一')]);
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file('2')));
    await type(editor, 0, '作者');
    await documents.create('正文/watched-4.md', '丁。\n');
    await documents.rename('正文/watched-4.md', '正文/watched-5.md');
    await documents.put('正文/watched-5.md', Buffer.from('戊。\n'));
    const last = told('created 正文/watched-3.md disk');
    fs.writeFileSync(file('3'), '丙。\n');
    await last;
    const of = (name: string): readonly string[] => events.filter((event) => event.includes(`watched-${name}.md`));
    assert.deepEqual(of('1'), ['changed 正文/watched-1.md buffer']);
    assert.ok(of('2').includes('changed 正文/watched-2.md buffer'), events.join('; '));
    assert.deepEqual(of('3'), ['created 正文/watched-3.md disk']);
    assert.deepEqual(of('4'), ['created 正文/watched-4.md disk', 'deleted 正文/watched-4.md disk']);
    assert.deepEqual(of('5'), ['created 正文/watched-5.md disk', 'changed 正文/watched-5.md disk']);
    stop();
    const count = events.length;
    await documents.delete('正文/watched-5.md');
    assert.equal(events.length, count);
  });

  test('files of a folder made outside are told', async () => {
    const made = told('created 正文/watched-卷/001.md disk');
    fs.mkdirSync(path.join(folder, 'watched-卷'));
    fs.writeFileSync(path.join(folder, 'watched-卷/001.md'), '甲。\n');
    await made;
    fs.rmSync(path.join(folder, 'watched-卷'), { recursive: true });
  });
});
