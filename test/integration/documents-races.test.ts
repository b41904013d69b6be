import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { sha256Hex } from '../../src/engine/text/hash';
import { openNovelFolder, wordsStayUnsaved, type NovelFolder } from './novel-folder';

const chapter = '正文/1.md';
const old = '旧。\n';

interface FilesEvent {
  readonly files: readonly vscode.Uri[];
}

suite('documents: another hand in the last moment', function () {
  this.timeout(30_000);
  let novel: NovelFolder;
  setup(async () => {
    novel = await openNovelFolder();
    novel.write(chapter, old);
  });
  teardown(() => novel.dispose());

  const on = (): string => novel.uri(chapter).fsPath;
  const codeOf = (result: { readonly ok: boolean; readonly error?: { readonly code: string } }): string | undefined => result.error?.code;
  const put = (): ReturnType<NovelFolder['documents']['put']> => novel.documents.put(chapter, Buffer.from('新。\n'), sha256Hex(old));
  const remove = (): ReturnType<NovelFolder['documents']['delete']> => novel.documents.delete(chapter, sha256Hex(old));

  /** Runs `work`, and `meanwhile` when VS Code tells of a file operation during it. */
  async function during<E extends FilesEvent, T>(event: vscode.Event<E>, meanwhile: (event: E) => void, work: () => Promise<T>): Promise<T> {
    const listener = event(meanwhile);
    try {
      return await work();
    } finally {
      listener.dispose();
    }
  }

  test('put: what another program writes before the rename is kept', async () => {
    const result = await during(vscode.workspace.onDidCreateFiles, ({ files }) => {
      if (files.some((uri) => uri.path.includes('.liyuan-'))) fs.writeFileSync(on(), '旧。\n刚写的。\n');
    }, put);
    assert.deepEqual([codeOf(result), novel.diskText(chapter)], ['doc.changed', '旧。\n刚写的。\n']);
    assert.deepEqual(fs.readdirSync(path.dirname(on())), ['1.md']);
  });

  test('put: what the author types and saves before the rename is kept', async () => {
    const result = await during(vscode.workspace.onWillCreateFiles, (event) => {
      if (!event.files.some((uri) => uri.path.includes('.liyuan-'))) return;
      event.waitUntil((async () => {
        const editor = await novel.show(chapter);
        await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '刚打的。'));
        await editor.document.save();
      })());
    }, put);
    assert.deepEqual([codeOf(result), novel.diskText(chapter)], ['doc.changed', '刚打的。旧。\n']);
  });

  test('put over an open file: what another program writes during the save is kept, and the buffer shows it', async () => {
    const editor = await novel.show(chapter);
    let written = false;
    const listener = vscode.workspace.onWillSaveTextDocument(({ document }) => {
      if (written || document !== editor.document) return;
      written = true;
      fs.writeFileSync(on(), '外面写的，更长。\n');
    });
    const result = await put();
    listener.dispose();
    assert.ok(written);
    assert.deepEqual([codeOf(result), novel.diskText(chapter)], ['doc.changed', '外面写的，更长。\n']);
  });

  test('delete: what another program writes into an open file comes back', async () => {
    await novel.show(chapter);
    const result = await during(vscode.workspace.onWillDeleteFiles, (event) => {
      event.waitUntil((async () => { fs.writeFileSync(on(), '旧。\n刚写的。\n'); })());
    }, remove);
    assert.deepEqual([codeOf(result), novel.diskText(chapter)], ['doc.changed', '旧。\n刚写的。\n']);
    assert.deepEqual(fs.readdirSync(path.dirname(on())), ['1.md']);
  });

  test('delete: a file that is not open goes in one step, and one that changed does not', async () => {
    const asked: string[] = [];
    assert.equal((await during(vscode.workspace.onWillDeleteFiles, () => void asked.push('asked'), remove)).ok, true);
    assert.deepEqual([asked, fs.existsSync(on())], [[], false]);
    novel.write(chapter, '别的。\n');
    assert.deepEqual([codeOf(await remove()), novel.diskText(chapter)], ['doc.changed', '别的。\n']);
  });

  test('delete: what the author types meanwhile comes back', async () => {
    const editor = await novel.show(chapter);
    const result = await during(vscode.workspace.onWillDeleteFiles, (event) => {
      event.waitUntil((async () => { await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '刚打的。')); })());
    }, remove);
    assert.deepEqual([codeOf(result), novel.diskText(chapter)], ['doc.changed', '刚打的。旧。\n']);
  });

  test('what another program wrote under unsaved words can be had, and nothing when there is nothing', async () => {
    const editor = await novel.show(chapter);
    assert.equal(await novel.documents.beneath(chapter), undefined);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '没存的。'));
    if (wordsStayUnsaved) assert.equal(await novel.documents.beneath(chapter), undefined);
    fs.writeFileSync(on(), '别的程序写的，更长。\n');
    if (wordsStayUnsaved) assert.equal(Buffer.from((await novel.documents.beneath(chapter)) ?? []).toString(), '别的程序写的，更长。\n');
  });

  test('a link that is called a chapter and leads to a script is no chapter', async () => {
    const script = path.join(novel.root.fsPath, 'build.sh');
    fs.writeFileSync(script, '#!/bin/sh\n');
    fs.symlinkSync('../build.sh', novel.uri('正文/s.md').fsPath);
    assert.equal(codeOf(await novel.documents.read('正文/s.md')), 'path.outside');
    assert.equal(codeOf(await novel.documents.put('正文/s.md', Buffer.from('x'))), 'path.outside');
    assert.deepEqual((await novel.documents.list('正文')).map((file) => file.path), [chapter]);
  });

  test('a file that begins with two byte-order marks keeps them', async () => {
    novel.write('正文/b.md', '\ufeff\ufeff甲乙丙\n');
    const live = await novel.documents.read('正文/b.md');
    assert.ok(live.ok);
    assert.equal(live.value.text, '甲乙丙\n');
    const applied = await novel.documents.apply([{ path: '正文/b.md', version: live.value.version, changes: [{ start: 1, end: 2, text: '改' }] }]);
    assert.ok(applied.ok, JSON.stringify(applied));
    assert.equal(novel.disk('正文/b.md')?.toString('hex'), Buffer.from('\ufeff\ufeff甲改丙\n').toString('hex'));
  });

  test('links in a circle and names that no file can have are refusals, not errors', async () => {
    fs.symlinkSync('b.md', novel.uri('正文/a.md').fsPath);
    fs.symlinkSync('a.md', novel.uri('正文/b.md').fsPath);
    assert.equal(codeOf(await novel.documents.read('正文/a.md')), 'path.outside');
    assert.deepEqual((await novel.documents.list('正文')).map((file) => file.path), [chapter]);
    assert.match(String(codeOf(await novel.documents.read(`正文/${'长'.repeat(400)}.md`))), /^(?:path\.too-long|doc\.not-found)$/);
    assert.match(String(codeOf(await novel.documents.put(`正文/${'长'.repeat(400)}.md`, Buffer.from('x')))), /^(?:path\.too-long|doc\.save-failed|path\.outside)$/);
  });
});
