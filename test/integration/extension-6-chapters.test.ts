import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { applyPlan, takeBack } from '../../src/extension/features/chapters/apply-plan';
import type { ChapterDesk } from '../../src/extension/features/chapters/desk';
import { chaptersMime, createChapterDrag } from '../../src/extension/features/chapters/drag';
import { newChapter } from '../../src/extension/features/chapters/new-chapter';
import type { ChaptersNode } from '../../src/extension/features/chapters/nodes';
import { addNote } from '../../src/extension/features/chapters/notes';
import { renumber } from '../../src/extension/features/chapters/order';
import { removeChapters } from '../../src/extension/features/chapters/remove';
import { renameChapter } from '../../src/extension/features/chapters/rename';
import { copyTable, setStatus } from '../../src/extension/features/chapters/set-status';
import { createChapterStore } from '../../src/extension/features/chapters/store';
import { createChaptersTree, type ChaptersTree } from '../../src/extension/features/chapters/tree';
import { answering, diskText, internal, project, uriOf } from './liyuan-host';
import { closeTabs, type as typeWords, tabNames, wordsStayUnsaved } from './novel-folder';

const volume = '正文/第二卷 涨潮';
const last = `${volume}/008-半潮.md`;

interface Hands {
  readonly desk: ChapterDesk;
  readonly tree: ChaptersTree;
  dispose(): void;
}

async function hands(): Promise<Hands> {
  await project();
  const host = await internal();
  const store = createChapterStore(host);
  const tree = createChaptersTree(host, store);
  await store.chapters();
  const desk: ChapterDesk = { host, store, selection: () => [], reveal: () => Promise.resolve() };
  return { desk, tree, dispose: () => { tree.dispose(); store.dispose(); } };
}

const children = async (tree: ChaptersTree, node?: ChaptersNode): Promise<readonly ChaptersNode[]> => (await tree.getChildren(node)) ?? [];
const chapter = (file: string): ChaptersNode => ({ kind: 'chapter', path: file });
const files = (): readonly string[] =>
  fs.readdirSync(uriOf('正文').fsPath, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md')).map((name) => name.split(path.sep).join('/')).sort();

/** Chooses the first row of the next preview, or leaves it. */
async function previewing<T>(answer: 'apply' | 'cancel', f: () => Promise<T>): Promise<{ readonly value: T; readonly shown: readonly string[] }> {
  const window = vscode.window as unknown as Record<string, unknown>;
  const before = window['createQuickPick'] as typeof vscode.window.createQuickPick;
  const shown: string[] = [];
  window['createQuickPick'] = () => {
    const pick = before.call(vscode.window);
    const listeners: { accept?: () => void; hide?: () => void } = {};
    return Object.assign(Object.create(null) as object, {
      items: [], activeItems: [],
      onDidAccept: (listener: () => void) => void (listeners.accept = listener),
      onDidHide: (listener: () => void) => void (listeners.hide = listener),
      show(this: { items: readonly vscode.QuickPickItem[] }) {
        shown.push(...this.items.filter((item) => item.kind !== vscode.QuickPickItemKind.Separator).map(({ label }) => label));
        setImmediate(() => (answer === 'apply' ? listeners.accept?.() : listeners.hide?.()));
      },
      hide: () => listeners.hide?.(),
      dispose: () => pick.dispose(),
    });
  };
  try {
    return { value: await f(), shown };
  } finally {
    window['createQuickPick'] = before;
  }
}

suite('extension: chapters', function () {
  this.timeout(90_000);
  let at: Hands;
  let start: string;
  setup(async () => {
    const { engine } = await project();
    await engine.checkpoints.take({ author: 'user', message: '章节测试' });
    const head = await engine.checkpoints.head();
    assert.ok(head.ok && head.value);
    start = head.value.id;
    at = await hands();
  });
  teardown(async () => {
    at.dispose();
    await closeTabs();
    const restored = await (await project()).engine.restore('files', start);
    assert.ok(restored.ok, JSON.stringify(restored));
  });

  test('shows volumes and chapters in order, with 字, status and open notes, and what is typed at once', async () => {
    const rows = await children(at.tree);
    assert.deepEqual(rows.map((row) => ('path' in row ? row.path : row.kind)), ['第一卷 退潮', '第二卷 涨潮', 'outline']);
    const [, second] = rows;
    assert.ok(second);
    const chapters = await children(at.tree, second);
    assert.deepEqual(chapters.map((row) => ('path' in row ? row.path.split('/').at(-1) : '')), ['005-望潮塔.md', '006-第四个锤.md', '007-顾大人.md', '008-半潮.md']);
    const row = chapters[3];
    assert.ok(row);
    const item = at.tree.getTreeItem(row) as vscode.TreeItem;
    assert.equal(item.label, '第八章 半潮');
    assert.match(String(item.description), /^[\d,]+ words · 草稿$/);
    assert.equal((item.iconPath as vscode.ThemeIcon).id, 'circle-outline');
    assert.match(item.accessibilityInformation?.label ?? '', /第八章 半潮, [\d,]+ words, 草稿/);
    assert.equal(item.collapsibleState, vscode.TreeItemCollapsibleState.None);

    const before = at.desk.store.known(last)?.words ?? 0;
    const changed = new Promise<void>((resolve) => { const stop = at.desk.store.onDidChange(() => { stop.dispose(); resolve(); }); });
    const editor = await vscode.window.showTextDocument(uriOf(last));
    await typeWords(editor, editor.document.getText().length, '三个字<!-- 注：再想想 -->');
    await changed;
    const now = at.desk.store.known(last);
    assert.equal(now?.words, before + 3);
    assert.equal(now?.notes, 1);
    assert.match(String((at.tree.getTreeItem(row) as vscode.TreeItem).description), / · 1 notes$/);
    const [note] = await children(at.tree, row);
    assert.ok(note?.kind === 'note');
    assert.equal((at.tree.getTreeItem(note) as vscode.TreeItem).label, '再想想');
    await vscode.commands.executeCommand('liyuan.chapters.openNote', note);
    assert.equal(vscode.window.activeTextEditor?.document.getText(vscode.window.activeTextEditor.selection), '<!-- 注：再想想 -->');
  });

  test('makes a chapter by the pattern in use, and opens it', async () => {
    await answering({ input: '空信袋' }, () => newChapter(at.desk, {}));
    assert.equal(diskText(`${volume}/009-空信袋.md`), '# 第九章 空信袋\n\n');
    assert.deepEqual(tabNames(), ['009-空信袋.md']);
    await answering({ input: '插进来' }, () => newChapter(at.desk, { after: `${volume}/006-第四个锤.md` }));
    assert.equal(diskText(`${volume}/006-2-插进来.md`), '# 第七章 插进来\n\n');
  });

  test('renames file and heading together; the open editor follows with its unsaved words', async () => {
    const editor = await vscode.window.showTextDocument(uriOf(last));
    await typeWords(editor, editor.document.getText().length, '没存的话。');
    await answering({ input: '满潮', pick: 0 }, () => renameChapter(at.desk, chapter(last)));
    assert.ok(!files().includes('第二卷 涨潮/008-半潮.md'));
    const document = vscode.workspace.textDocuments.find(({ fileName }) => fileName.endsWith('008-满潮.md'));
    assert.ok(document);
    assert.match(document.getText(), /# 第八章 满潮\n/);
    assert.ok(document.getText().endsWith('没存的话。'));
    if (wordsStayUnsaved) assert.ok(document.isDirty);
    assert.deepEqual(tabNames(), ['008-满潮.md']);
  });

  test('drops a chapter on another one only after the preview, takes numbers and headings along, and takes it back', async () => {
    const drag = createChapterDrag(at.desk);
    const before = files();
    const data = new vscode.DataTransfer();
    const token = new vscode.CancellationTokenSource().token;
    await drag.handleDrag?.([chapter(last)], data, token);
    assert.ok(data.get(chaptersMime));
    const drop = async (): Promise<void> => { await drag.handleDrop?.(chapter(`${volume}/006-第四个锤.md`), data, token); };
    const cancelled = await previewing('cancel', drop);
    assert.equal(cancelled.shown.length, 4);
    assert.deepEqual(files(), before);

    const seventh = `${volume}/007-顾大人.md`;
    const editor = await vscode.window.showTextDocument(uriOf(seventh));
    await typeWords(editor, editor.document.getText().length, '没存的话。');
    await at.desk.store.settled();
    const { shown } = await previewing('apply', drop);
    assert.deepEqual(shown.slice(1), ['008-半潮.md  →  006-半潮.md', '006-第四个锤.md  →  007-第四个锤.md', '007-顾大人.md  →  008-顾大人.md']);
    assert.deepEqual(files().slice(4), ['005-望潮塔', '006-半潮', '007-第四个锤', '008-顾大人'].map((name) => `第二卷 涨潮/${name}.md`));
    assert.match(diskText(`${volume}/006-半潮.md`), /^# 第六章 半潮$/m);
    const document = vscode.workspace.textDocuments.find(({ fileName }) => fileName.endsWith('008-顾大人.md'));
    assert.match(document?.getText() ?? '', /^# 第八章 顾大人$[^]*没存的话。$/m);
    if (wordsStayUnsaved) assert.equal(document?.isDirty, true);

    const { engine } = await project();
    const list = await engine.checkpoints.list();
    assert.ok(list.ok);
    const [after, pre] = list.value;
    assert.ok(after && pre);
    assert.equal(pre.author, 'user');
    await takeBack(at.desk.host, await project(), pre.id, after.id);
    assert.deepEqual(files(), before);
    assert.match(diskText(last), /^# 第八章 半潮$/m);
  });

  test('moves a chapter into another volume', async () => {
    const drag = createChapterDrag(at.desk);
    const data = new vscode.DataTransfer();
    const token = new vscode.CancellationTokenSource().token;
    await drag.handleDrag?.([chapter(`${volume}/005-望潮塔.md`)], data, token);
    await previewing('apply', async () => { await drag.handleDrop?.({ kind: 'volume', path: '第一卷 退潮' }, data, token); });
    assert.ok(files().includes('第一卷 退潮/005-望潮塔.md'));
    assert.equal(files().length, 8);
  });

  test('numbers anew after a preview: gaps closed, all or nothing', async () => {
    fs.rmSync(uriOf(`${volume}/006-第四个锤.md`).fsPath);
    const before = files();
    await previewing('cancel', () => renumber(at.desk));
    assert.deepEqual(files(), before);
    await previewing('apply', () => renumber(at.desk));
    assert.deepEqual(files().slice(4), ['005-望潮塔', '006-顾大人', '007-半潮'].map((name) => `第二卷 涨潮/${name}.md`));
    assert.match(diskText(`${volume}/007-半潮.md`), /^# 第七章 半潮$/m);
    const open = await project();
    const taken = await applyPlan(at.desk.host, open, [{ from: `${volume}/007-半潮.md`, to: `${volume}/006-顾大人.md` }, { from: `${volume}/005-望潮塔.md`, to: `${volume}/009.md` }].slice(1));
    assert.equal(taken, true);
  });

  test('deletes after a question, and the history has it', async () => {
    const kept = await answering({}, () => removeChapters(at.desk, chapter(last), undefined));
    assert.match(kept.asked[0] ?? '', /第八章 半潮/);
    assert.equal(files().length, 8);
    await answering({ warning: 'Delete' }, () => removeChapters(at.desk, chapter(last), undefined));
    assert.equal(files().length, 7);
    const { engine } = await project();
    const list = await engine.checkpoints.list();
    assert.ok(list.ok);
    const back = await engine.checkpoints.restore(list.value[1]?.id ?? '', { path: last });
    assert.ok(back.ok);
    assert.equal(files().length, 8);
  });

  test('sets a status in the front matter and leaves the rest of it', async () => {
    const before = diskText(last);
    await answering({ pick: 2 }, () => setStatus(at.desk, chapter(last), undefined));
    assert.equal(diskText(last), before.replace('status: 草稿', 'status: 定稿'));
    await at.desk.store.settled();
    assert.equal(at.desk.store.known(last)?.status ?? '定稿', '定稿');
  });

  test('adds a note at the cursor, which undo takes away', async () => {
    const editor = await vscode.window.showTextDocument(uriOf(last));
    const text = editor.document.getText();
    const end = editor.document.positionAt(text.indexOf('# 第八章 半潮') + 8);
    editor.selection = new vscode.Selection(end, end);
    await answering({ input: '题目再想' }, () => addNote(at.desk));
    assert.ok(editor.document.getText().includes('半潮<!-- 注：题目再想 -->'));
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), text);
  });

  test('copies a table for a spreadsheet', async () => {
    await copyTable(at.desk);
    const lines = (await vscode.env.clipboard.readText()).split('\n');
    assert.equal(lines.length, 10);
    assert.match(lines[8] ?? '', /^第二卷 涨潮\t第八章 半潮\t\d+\t\t草稿$/);
  });

  test('opens the outline, and makes one where there is none', async () => {
    await vscode.commands.executeCommand('liyuan.outline.open');
    assert.deepEqual(tabNames(), ['总纲.md']);
    await closeTabs();
    fs.rmSync(uriOf('大纲/总纲.md').fsPath);
    await vscode.commands.executeCommand('liyuan.outline.open');
    assert.match(diskText('大纲/大纲.md'), /^# 《盐渡来信》大纲\n/);
  });

  test('writes the next chapter in the conversation, once the author has chosen', async () => {
    const host = await internal();
    const chat = await host.project.opened().then(() => host.controller());
    await chat.handlers.ready({});
    await chat.handlers.newSession({});
    const asked = new Promise<string>((resolve) => {
      const stop = host.asks.onDidChange(() => {
        const [request] = host.asks.pending();
        if (request === undefined) return;
        stop();
        resolve(request.askId);
      });
    });
    await vscode.commands.executeCommand('liyuan.chapters.next');
    host.asks.answer(await asked, { kind: 'answer', text: '空信袋里是潮声', by: 'text' });
    await chat.current()?.idle();
    assert.match(diskText(`${volume}/009-排练.md`), /^# 第九章 排练\n[^]*空信袋里是潮声/);
    assert.equal(chat.current()?.items()[0]?.kind, 'user');
  });
});
