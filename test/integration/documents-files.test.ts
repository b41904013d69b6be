import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { sha256Hex } from '../../src/engine/text/hash';
import { openNovelFolder, replacing, tabNames, tabsOpenedWithin, type, undo, until, wordsStayUnsaved, type NovelFolder } from './novel-folder';

suite('documents: files', () => {
  let novel: NovelFolder;
  let outside: string;
  setup(async () => {
    novel = await openNovelFolder();
    outside = fs.mkdtempSync(path.join(os.tmpdir(), 'liyuan-outside-'));
  });
  teardown(async () => {
    await novel.dispose();
    fs.rmSync(outside, { recursive: true, force: true });
  });

  const code = (result: { readonly ok: boolean; readonly error?: { readonly code: string } }): string | undefined => result.error?.code;

  test('a new file is UTF-8 with LF and no BOM, its folders are made, no tab opens', async () => {
    const tabs = tabsOpenedWithin(1200);
    const made = await novel.documents.create('正文/第二卷/010.md', '\ufeff# 第十章\r\n\r\n风起。\r\n');
    assert.deepEqual(made, { ok: true, value: { path: '正文/第二卷/010.md', text: '# 第十章\n\n风起。\n', saved: true, changedOnSave: false } });
    assert.equal(novel.disk('正文/第二卷/010.md')?.toString('hex'), Buffer.from('# 第十章\n\n风起。\n').toString('hex'));
    assert.deepEqual(fs.readdirSync(novel.uri('正文/第二卷').fsPath), ['010.md']);
    assert.deepEqual(await tabs, []);
    assert.deepEqual(tabNames(), []);
  });

  test('undo in a new chapter does not delete its file', async () => {
    await novel.documents.create('正文/001.md', '新章。\n');
    const editor = await novel.show('正文/001.md');
    await undo();
    await undo();
    assert.equal(novel.diskText('正文/001.md'), '新章。\n');
    assert.equal(editor.document.getText(), '新章。\n');
  });

  test('a new file never goes over one that is there, nor beside one of nearly the same name', async () => {
    novel.write('正文/Chapter.md', '甲。\n');
    novel.write('正文/cafe\u0301.md', '乙。\n');
    assert.equal(code(await novel.documents.create('正文/Chapter.md', '新')), 'doc.exists');
    assert.deepEqual(await novel.documents.create('正文/chapter.md', '新'), {
      ok: false,
      error: { code: 'path.clash', args: { path: '正文/chapter.md', other: '正文/Chapter.md' } },
    });
    assert.equal(code(await novel.documents.create('正文/caf\u00e9.md', '新')), 'doc.exists');
    assert.equal(code(await novel.documents.create('正文/Chapter.md/下.md', '新')), 'path.clash');
    assert.equal(novel.diskText('正文/Chapter.md'), '甲。\n');
    assert.deepEqual(fs.readdirSync(novel.uri('正文').fsPath).sort(), ['Chapter.md', 'cafe\u0301.md']);
  });

  test('names that not every system takes are refused', async () => {
    for (const name of ['正文/问?.md', '正文/a:b.md', '正文/末尾.', '正文/con.md', '正文/换\n行.md']) {
      assert.equal(code(await novel.documents.create(name, '新')), 'path.forbidden-name', name);
    }
    assert.equal(code(await novel.documents.create(`正文/${'长'.repeat(67)}.md`, '新')), 'path.too-long');
  });

  test('a name on disk in another normal form is found by its NFC name and kept as it is', async () => {
    novel.write('正文/cafe\u0301.md', '咖啡。\n');
    const listed = await novel.documents.list('正文');
    assert.deepEqual(listed.map((file) => file.path), ['正文/caf\u00e9.md']);
    const applied = await novel.documents.apply([replacing(await novel.read('正文/caf\u00e9.md'), '咖啡', '清茶')]);
    assert.equal(applied.ok, true, JSON.stringify(applied));
    assert.deepEqual(fs.readdirSync(novel.uri('正文').fsPath), ['cafe\u0301.md']);
    assert.equal(novel.diskText('正文/cafe\u0301.md'), '清茶。\n');
  });

  test('two names that differ in normal form alone are an error that names both', async () => {
    novel.write('正文/cafe\u0301.md', '一。\n');
    novel.write('正文/caf\u00e9.md', '二。\n');
    const read = await novel.documents.read('正文/caf\u00e9.md');
    assert.deepEqual(read, { ok: false, error: { code: 'path.clash', args: { path: '正文/caf\u00e9.md', other: '正文/cafe\u0301.md' } } });
    await assert.rejects(novel.documents.bytes('正文/caf\u00e9.md'), /path\.clash/);
  });

  test('rename moves a file with its unsaved words, and its tab follows', async () => {
    novel.write('正文/001.md', '甲。\n');
    const editor = await novel.show('正文/001.md');
    await type(editor, 0, '作者');
    assert.deepEqual(await novel.documents.rename('正文/001.md', '正文/卷一/002.md'), { ok: true, value: undefined });
    assert.equal(novel.disk('正文/001.md'), undefined);
    await until('the tab follows', () => tabNames().includes('002.md') && !tabNames().includes('001.md'));
    const live = await novel.read('正文/卷一/002.md');
    assert.equal(live.text, '作者甲。\n');
    if (wordsStayUnsaved) assert.equal(live.dirty, true);
    assert.equal(code(await novel.documents.read('正文/001.md')), 'doc.not-found');
  });

  test('rename refuses what is not there, what is taken and what is out of bounds', async () => {
    novel.write('正文/001.md', '甲。\n');
    novel.write('正文/002.md', '乙。\n');
    assert.equal(code(await novel.documents.rename('正文/没有.md', '正文/003.md')), 'doc.not-found');
    assert.equal(code(await novel.documents.rename('正文/001.md', '正文/002.md')), 'doc.exists');
    assert.equal(code(await novel.documents.rename('正文/001.md', '../逃.md')), 'path.outside');
    assert.equal(code(await novel.documents.rename('正文/001.md', '正文/*.md')), 'path.forbidden-name');
    assert.deepEqual(await novel.documents.rename('正文/001.md', '正文/001.md'), { ok: true, value: undefined });
    assert.equal(novel.diskText('正文/001.md'), '甲。\n');
    assert.equal(novel.diskText('正文/002.md'), '乙。\n');
  });

  test('a rename in case alone keeps unsaved words and leaves no other name behind', async () => {
    novel.write('正文/Prologue.md', '序。\n');
    const editor = await novel.show('正文/Prologue.md');
    await type(editor, 0, '作者');
    assert.deepEqual(await novel.documents.rename('正文/Prologue.md', '正文/prologue.md'), { ok: true, value: undefined });
    assert.deepEqual(fs.readdirSync(novel.uri('正文').fsPath), ['prologue.md']);
    await until('the tab follows', () => tabNames().includes('prologue.md'));
    assert.equal((await novel.read('正文/prologue.md')).text, '作者序。\n');
  });

  test('delete takes the file away, unsaved words too', async () => {
    novel.write('正文/001.md', '甲。\n');
    novel.write('正文/002.md', '乙。\n');
    const editor = await novel.show('正文/002.md');
    await type(editor, 0, '作者');
    assert.deepEqual(await novel.documents.delete('正文/001.md'), { ok: true, value: undefined });
    assert.deepEqual(await novel.documents.delete('正文/002.md'), { ok: true, value: undefined });
    assert.deepEqual(fs.readdirSync(novel.uri('正文').fsPath), []);
    assert.deepEqual(novel.documents.dirty(), []);
    assert.equal(code(await novel.documents.read('正文/002.md')), 'doc.not-found');
    assert.equal(code(await novel.documents.delete('正文/001.md')), 'doc.not-found');
    assert.equal(code(await novel.documents.delete('正文')), 'doc.not-found');
  });

  test('paths that leave the project are refused by every method', async () => {
    fs.writeFileSync(path.join(outside, 'secret.md'), '外面。\n');
    fs.symlinkSync(outside, novel.uri('正文/外').fsPath);
    fs.symlinkSync(path.join(outside, 'secret.md'), novel.uri('正文/链.md').fsPath);
    fs.symlinkSync(path.join(outside, 'nowhere.md'), novel.uri('正文/断.md').fsPath);
    const bytes = Buffer.from('x');
    for (const name of ['../x.md', '/etc/passwd', 'C:\\x.md', '正文/../../x.md', '正文/外/secret.md', '正文/外/new.md', '正文/链.md', '正文/断.md', '.liyuan/project.json', '正文/.git/x.md']) {
      assert.equal(code(await novel.documents.read(name)), 'path.outside', name);
      assert.equal(code(await novel.documents.create(name, '新')), 'path.outside', name);
      assert.equal(code(await novel.documents.put(name, bytes)), 'path.outside', name);
      assert.equal(code(await novel.documents.delete(name)), 'path.outside', name);
      assert.equal(code(await novel.documents.rename(name, '正文/x.md')), 'path.outside', name);
      assert.equal(code(await novel.documents.apply([{ path: name, version: '', changes: [] }])), 'path.outside', name);
      await assert.rejects(novel.documents.bytes(name), /path\.outside/, name);
    }
    await assert.rejects(novel.documents.list('..'), /path\.outside/);
    assert.deepEqual(await novel.documents.list('正文'), []);
    assert.deepEqual(fs.readdirSync(outside), ['secret.md']);
    assert.equal(fs.readFileSync(path.join(outside, 'secret.md'), 'utf8'), '外面。\n');
  });

  test('a link inside the project works and stays a link', async () => {
    novel.write('设定/人物.md', '甲。\n');
    fs.symlinkSync(novel.uri('设定/人物.md').fsPath, novel.uri('正文/人物.md').fsPath);
    const applied = await novel.documents.apply([replacing(await novel.read('正文/人物.md'), '甲', '乙')]);
    assert.equal(applied.ok, true, JSON.stringify(applied));
    assert.equal(novel.diskText('设定/人物.md'), '乙。\n');
    assert.equal(fs.lstatSync(novel.uri('正文/人物.md').fsPath).isSymbolicLink(), true);
  });

  test('the list is recursive, with sizes and times, without dot entries', async () => {
    novel.write('正文/001.md', '甲。\n');
    novel.write('正文/卷一/002.md', '乙乙。\n');
    novel.write('正文/.隐/003.md', '丙。\n');
    novel.write('正文/.004.md', '丁。\n');
    const listed = [...(await novel.documents.list('正文'))].sort((a, b) => (a.path < b.path ? -1 : 1));
    assert.deepEqual(listed.map(({ path: name, size }) => [name, size]), [['正文/001.md', 7], ['正文/卷一/002.md', 10]]);
    assert.equal(listed[0]?.mtime, fs.statSync(novel.uri('正文/001.md').fsPath).mtimeMs);
    assert.deepEqual(await novel.documents.list('没有'), []);
    assert.deepEqual((await novel.documents.list('')).map((file) => file.path).sort(), ['正文/001.md', '正文/卷一/002.md']);
  });

  suite('put', () => {
    test('over a dirty buffer: buffer and disk are the bytes, nothing is unsaved, undo gives the former words', async () => {
      novel.write('正文/001.md', '一。\n二。\n三。\n');
      const editor = await novel.show('正文/001.md');
      await type(editor, 0, '作者');
      assert.deepEqual(await novel.documents.put('正文/001.md', Buffer.from('一。\n贰。\n三。\n')), { ok: true, value: undefined });
      assert.equal(editor.document.getText(), '一。\n贰。\n三。\n');
      assert.equal(editor.document.isDirty, false);
      assert.equal(novel.diskText('正文/001.md'), '一。\n贰。\n三。\n');
      await undo();
      assert.equal(editor.document.getText(), '作者一。\n二。\n三。\n');
      assert.notEqual(novel.disk('正文/001.md'), undefined);
    });

    test('over a clean open file: undo gives the former text and keeps the file', async () => {
      novel.write('正文/001.md', '一。\n二。\n');
      const editor = await novel.show('正文/001.md');
      assert.deepEqual(await novel.documents.put('正文/001.md', Buffer.from('一。\n贰。\n')), { ok: true, value: undefined });
      assert.deepEqual([editor.document.getText(), editor.document.isDirty], ['一。\n贰。\n', false]);
      await undo();
      assert.equal(editor.document.getText(), '一。\n二。\n');
      await undo();
      assert.notEqual(novel.disk('正文/001.md'), undefined);
    });

    test('over a closed file: exact bytes, no tab, and a later undo does not delete it', async () => {
      novel.write('正文/001.md', '一。\n');
      fs.chmodSync(novel.uri('正文/001.md').fsPath, 0o640);
      const bytes = Buffer.from('\ufeff贰。  \r\n\n\n\n\n末。', 'utf8');
      const tabs = tabsOpenedWithin(1200);
      assert.deepEqual(await novel.documents.put('正文/001.md', bytes), { ok: true, value: undefined });
      assert.equal(novel.disk('正文/001.md')?.toString('hex'), bytes.toString('hex'));
      assert.equal(fs.statSync(novel.uri('正文/001.md').fsPath).mode & 0o777, 0o640);
      assert.deepEqual(await tabs, []);
      await novel.show('正文/001.md');
      await undo();
      await undo();
      assert.equal(novel.disk('正文/001.md')?.toString('hex'), bytes.toString('hex'));
    });

    test('exact bytes also where saving would change them, with the tab following', async () => {
      novel.write('正文/001.md', '一。\n');
      const editor = await novel.show('正文/001.md');
      const bytes = Buffer.from('贰。  \r\n混。\n\n\n\n\n末。\n', 'utf8');
      assert.deepEqual(await novel.documents.put('正文/001.md', bytes), { ok: true, value: undefined });
      assert.equal(novel.disk('正文/001.md')?.toString('hex'), bytes.toString('hex'));
      assert.deepEqual([editor.document.getText(), editor.document.isDirty], ['贰。  \n混。\n\n\n\n\n末。\n', false]);
    });

    test('line ends and BOM come back over an open file', async () => {
      novel.write('正文/001.md', '一。\n二。\n');
      const editor = await novel.show('正文/001.md');
      const crlf = Buffer.from('一。\r\n二。\r\n', 'utf8');
      assert.equal((await novel.documents.put('正文/001.md', crlf)).ok, true);
      assert.equal(novel.disk('正文/001.md')?.toString('hex'), crlf.toString('hex'));
      assert.equal(editor.document.eol, vscode.EndOfLine.CRLF);
      const bom = Buffer.from('\ufeff一。\r\n二。\r\n', 'utf8');
      assert.equal((await novel.documents.put('正文/001.md', bom)).ok, true);
      assert.equal(novel.disk('正文/001.md')?.toString('hex'), bom.toString('hex'));
      assert.equal(editor.document.encoding, 'utf8bom');
      assert.equal(editor.document.isDirty, false);
    });

    test('a missing file comes back, folders too', async () => {
      assert.deepEqual(await novel.documents.put('正文/卷三/030.md', Buffer.from('归来。\n')), { ok: true, value: undefined });
      assert.equal(novel.diskText('正文/卷三/030.md'), '归来。\n');
      assert.deepEqual(fs.readdirSync(novel.uri('正文/卷三').fsPath), ['030.md']);
    });

    test('over a dirty buffer whose file was changed outside', async () => {
      novel.write('正文/001.md', '一。\n');
      const editor = await novel.show('正文/001.md');
      await type(editor, 0, '作者');
      novel.write('正文/001.md', '外面改的，更长。\n');
      assert.deepEqual(await novel.documents.put('正文/001.md', Buffer.from('从前。\n')), { ok: true, value: undefined });
      assert.equal(novel.diskText('正文/001.md'), '从前。\n');
      assert.deepEqual([editor.document.getText(), editor.document.isDirty], ['从前。\n', false]);
    });

    test('what is not expected there is left alone, and so by a delete', async () => {
      novel.write('正文/001.md', '一。\n');
      novel.write('正文/002.md', '二。\n');
      const editor = await novel.show('正文/001.md');
      await type(editor, 0, '作者');
      const over = sha256Hex('一。\n');
      assert.equal(code(await novel.documents.put('正文/001.md', Buffer.from('从前。\n'), over)), 'doc.changed');
      assert.equal(code(await novel.documents.delete('正文/001.md', over)), 'doc.changed');
      assert.equal(code(await novel.documents.put('正文/002.md', Buffer.from('从前。\n'), over)), 'doc.changed');
      assert.equal(code(await novel.documents.put('正文/002.md', Buffer.from('从前。\n'), null)), 'doc.changed');
      assert.equal(editor.document.getText(), '作者一。\n');
      assert.equal(novel.diskText('正文/002.md'), '二。\n');
      assert.equal((await novel.documents.put('正文/001.md', Buffer.from('从前。\n'), sha256Hex('作者一。\n'))).ok, true);
      assert.equal((await novel.documents.put('正文/003.md', Buffer.from('三。\n'), null)).ok, true);
      assert.deepEqual([novel.diskText('正文/001.md'), novel.diskText('正文/003.md')], ['从前。\n', '三。\n']);
    });

    test('a keystroke at any moment of it is never lost', async () => {
      for (let round = 0; round < 16; round += 1) {
        const name = `正文/k${round}.md`;
        const old = `旧的第 ${round} 稿。\n`;
        novel.write(name, old);
        const editor = await novel.show(name);
        if (round % 2 === 0) await type(editor, 0, '未存');
        const standing = editor.document.getText();
        const typing = (async () => {
          await new Promise((resolve) => void setTimeout(resolve, round * 1.5));
          for (let tries = 0; tries < 50; tries += 1) if (await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '键'))) return;
          assert.fail('the key was never taken');
        })();
        const [put] = await Promise.all([novel.documents.put(name, Buffer.from('从前。\n'), sha256Hex(standing)), typing]);
        const text = editor.document.getText();
        assert.ok(text === (put.ok ? '键从前。\n' : `键${standing}`), `round ${round}: ${JSON.stringify({ text, put })}`);
      }
    });

    test('bytes that are no text come back all the same', async () => {
      novel.write('正文/001.md', '一。\n');
      const editor = await novel.show('正文/001.md');
      await type(editor, 0, '作者');
      const bytes = Buffer.from([0xff, 0x00, 0x81, 0x20, 0x00]);
      assert.deepEqual(await novel.documents.put('正文/001.md', bytes), { ok: true, value: undefined });
      assert.equal(novel.disk('正文/001.md')?.toString('hex'), bytes.toString('hex'));
      assert.equal(editor.document.isDirty, false);
    });

    test('many files side by side', async () => {
      const names = Array.from({ length: 20 }, (_, i) => `正文/${String(i).padStart(3, '0')}.md`);
      for (const name of names) novel.write(name, '旧。\n'.repeat(100));
      const results = await Promise.all(names.map((name) => novel.documents.put(name, Buffer.from(`${name}\n`))));
      assert.ok(results.every((result) => result.ok));
      for (const name of names) assert.equal(novel.diskText(name), `${name}\n`);
    });
  });
});
