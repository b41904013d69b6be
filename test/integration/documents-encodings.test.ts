import assert from 'node:assert/strict';
import iconv from 'iconv-lite';
import { openNovelFolder, replacing, type, until, wordsStayUnsaved, type NovelFolder } from './novel-folder';

/** Long enough, and ordinary enough, for its encoding to be found from its bytes. */
const simplified = '# 第一章 雨夜\r\n\r\n她推开门，雨声一下子涌了进来。\r\n“你来了。”他说。\r\n她没有回答，只是把伞靠在墙边。\r\n';
const traditional = '# 第一章 雨夜\n\n她推開門，雨聲一下子湧了進來。\n「你來了。」他說。\n她沒有回答，只是把傘靠在牆邊。\n';

suite('documents: encodings and line ends', () => {
  let novel: NovelFolder;
  setup(async () => {
    novel = await openNovelFolder();
  });
  teardown(() => novel.dispose());

  const cases = [
    { name: 'GBK with CRLF', encoding: 'gb18030', text: simplified, bytes: (text: string) => iconv.encode(text, 'gbk'), eol: '\r\n' },
    { name: 'Big5', encoding: 'big5hkscs', text: traditional, bytes: (text: string) => iconv.encode(text, 'big5'), eol: '\n' },
    { name: 'UTF-8 with CRLF', encoding: 'utf8', text: simplified, bytes: (text: string) => Buffer.from(text, 'utf8'), eol: '\r\n' },
    { name: 'UTF-8 with BOM', encoding: 'utf8bom', text: traditional, bytes: (text: string) => Buffer.from(`\ufeff${text}`, 'utf8'), eol: '\n' },
    { name: 'UTF-16 LE with BOM', encoding: 'utf16le', text: simplified, bytes: (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'), eol: '\r\n' },
    { name: 'UTF-16 BE with BOM', encoding: 'utf16be', text: simplified, bytes: (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), eol: '\r\n' },
  ] as const;

  for (const { name, encoding, text, bytes, eol } of cases) {
    const old = text === simplified ? '他说' : '他說';
    const edited = text.replace(old, `他笑了笑${eol}又`);

    test(`a closed ${name} chapter is byte-equal outside the edit`, async () => {
      novel.write('正文/001.md', bytes(text));
      const live = await novel.read('正文/001.md');
      assert.deepEqual([live.text, live.encoding, live.eol], [text, encoding, eol]);
      const applied = await novel.documents.apply([replacing(live, old, '他笑了笑\n又')]);
      assert.deepEqual(applied, { ok: true, value: [{ path: '正文/001.md', text: edited, saved: true, changedOnSave: false }] });
      assert.equal(novel.disk('正文/001.md')?.toString('hex'), bytes(edited).toString('hex'));
    });

    test(`a ${name} chapter that the editor shows in UTF-8 is opened anew with its own encoding`, async () => {
      novel.write('正文/001.md', bytes(text));
      const editor = await novel.show('正文/001.md', 'utf8');
      const live = await novel.read('正文/001.md');
      assert.equal(live.text, text);
      const applied = await novel.documents.apply([replacing(live, old, '他笑了笑\n又')]);
      assert.equal(applied.ok, true, JSON.stringify(applied));
      assert.equal(novel.disk('正文/001.md')?.toString('hex'), bytes(edited).toString('hex'));
      assert.equal(editor.document.getText(), edited);
      assert.equal(editor.document.encoding, encoding);
    });
  }

  test('bytes of a dirty GBK buffer are GBK', async () => {
    novel.write('正文/001.md', iconv.encode(simplified, 'gbk'));
    const editor = await novel.show('正文/001.md', 'gb18030');
    await type(editor, 0, '夜');
    assert.equal(Buffer.from((await novel.documents.bytes('正文/001.md')) ?? []).toString('hex'), iconv.encode(`夜${simplified}`, 'gbk').toString('hex'));
  });

  test('a dirty GBK buffer is edited in GBK', async () => {
    novel.write('正文/001.md', iconv.encode(simplified, 'gbk'));
    const editor = await novel.show('正文/001.md', 'gb18030');
    await type(editor, 0, '夜');
    const applied = await novel.documents.apply([replacing(await novel.read('正文/001.md'), '他说', '她说')]);
    if (wordsStayUnsaved) assert.equal(applied.ok && applied.value[0]?.saved, false);
    await editor.document.save();
    assert.equal(novel.disk('正文/001.md')?.toString('hex'), iconv.encode(`夜${simplified.replace('他说', '她说')}`, 'gbk').toString('hex'));
  });

  test('an editor’s own choice among encodings that fit is kept', async () => {
    novel.write('正文/001.md', iconv.encode(simplified, 'gbk'));
    const editor = await novel.show('正文/001.md', 'gbk');
    const live = await novel.read('正文/001.md');
    assert.equal(live.encoding, 'gbk');
    const applied = await novel.documents.apply([replacing(live, '他说', '她说')]);
    assert.equal(applied.ok, true);
    assert.equal(editor.document.encoding, 'gbk');
    assert.equal(novel.disk('正文/001.md')?.toString('hex'), iconv.encode(simplified.replace('他说', '她说'), 'gbk').toString('hex'));
  });

  for (const encoding of ['gbk', 'shiftjis']) {
    test(`what a save would write, and what bytes would show, in a chapter shown in ${encoding}`, async () => {
      const text = '雨の夜。\n三日つづいた。\n朝、雨は海へ行った。\n';
      novel.write('正文/001.md', iconv.encode(text, encoding));
      await novel.show('正文/001.md', encoding);
      const live = await novel.read('正文/001.md');
      assert.deepEqual([live.text, live.encoding], [text, encoding]);
      const edited = text.replace('三日', '五日');
      const bytes = await novel.documents.encode('正文/001.md', edited);
      assert.ok(bytes.ok, JSON.stringify(bytes));
      assert.equal(Buffer.from(bytes.value).toString('hex'), iconv.encode(edited, encoding).toString('hex'));
      assert.deepEqual(await novel.documents.decode('正文/001.md', bytes.value), { ok: true, value: edited });
      const applied = await novel.documents.apply([replacing(live, '三日', '五日')]);
      assert.equal(applied.ok, true, JSON.stringify(applied));
      assert.equal(novel.disk('正文/001.md')?.toString('hex'), Buffer.from(bytes.value).toString('hex'));
    });
  }

  test('what a save could not write is refused with its first such character; of no file nothing is known', async () => {
    novel.write('正文/001.md', iconv.encode(traditional, 'big5'));
    assert.deepEqual(await novel.documents.encode('正文/001.md', '雨😀雪🌊'), {
      ok: false,
      error: { code: 'doc.unencodable', args: { path: '正文/001.md', encoding: 'big5hkscs', char: '😀' } },
    });
    const half = await novel.documents.encode('正文/001.md', '雨\ud83d');
    assert.equal(!half.ok && half.error.args?.['char'], 'U+D83D');
    assert.deepEqual(await novel.documents.encode('正文/没有.md', '雨'), { ok: false, error: { code: 'doc.not-found', args: { path: '正文/没有.md' } } });
    assert.deepEqual(await novel.documents.decode('正文/没有.md', iconv.encode(simplified, 'gbk')), { ok: true, value: simplified });
  });

  test('a dirty buffer in the wrong encoding is refused before anything is applied', async function () {
    // With auto-save on the wrong text is on disk before the agent looks.
    if (!wordsStayUnsaved) this.skip();
    novel.write('正文/001.md', iconv.encode(simplified, 'gbk'));
    const editor = await novel.show('正文/001.md', 'utf8');
    const garbled = editor.document.getText();
    await type(editor, 0, '夜');
    const read = await novel.documents.read('正文/001.md');
    assert.deepEqual(read, { ok: false, error: { code: 'doc.encoding-mismatch', args: { path: '正文/001.md', encoding: 'utf8', found: 'gb18030' } } });
    const applied = await novel.documents.apply([{ path: '正文/001.md', version: 'any', changes: [{ start: 0, end: 1, text: '日' }] }]);
    assert.equal(!applied.ok && applied.error.code, 'doc.encoding-mismatch');
    assert.equal(editor.document.getText(), `夜${garbled}`);
    assert.equal(novel.disk('正文/001.md')?.toString('hex'), iconv.encode(simplified, 'gbk').toString('hex'));
  });

  test('characters that the encoding cannot hold are refused before anything is applied', async () => {
    novel.write('正文/001.md', iconv.encode(traditional, 'big5'));
    novel.write('正文/002.md', '甲。\n');
    const other = await novel.read('正文/002.md');
    const refused = await novel.documents.apply([replacing(other, '甲', '一'), replacing(await novel.read('正文/001.md'), '他說', '他說😀')]);
    assert.deepEqual(refused, { ok: false, error: { code: 'doc.unencodable', args: { path: '正文/001.md', encoding: 'big5hkscs' } } });
    assert.equal(novel.disk('正文/001.md')?.toString('hex'), iconv.encode(traditional, 'big5').toString('hex'));
    assert.equal(novel.diskText('正文/002.md'), '甲。\n');
  });

  test('half a surrogate pair is refused in every encoding', async () => {
    novel.write('正文/001.md', '甲😀乙。\n');
    const refused = await novel.documents.apply([replacing(await novel.read('正文/001.md'), '乙', '\ud83d')]);
    assert.equal(!refused.ok && refused.error.code, 'doc.unencodable');
    assert.equal(novel.diskText('正文/001.md'), '甲😀乙。\n');
  });

  test('an edit of whole emoji keeps their neighbours', async () => {
    novel.write('正文/001.md', '甲😀😁乙。\n');
    const applied = await novel.documents.apply([replacing(await novel.read('正文/001.md'), '😀', '😂')]);
    assert.equal(applied.ok && applied.value[0]?.text, '甲😂😁乙。\n');
  });

  test('a text with replacement characters can be read, and is not edited', async () => {
    novel.write('正文/001.md', '她说\ufffd好。\n');
    const live = await novel.read('正文/001.md');
    assert.equal(live.text, '她说\ufffd好。\n');
    const refused = await novel.documents.apply([replacing(live, '她', '他')]);
    assert.equal(!refused.ok && refused.error.code, 'doc.undecodable');
    assert.equal(novel.diskText('正文/001.md'), '她说\ufffd好。\n');
  });

  test('mixed line ends, of which VS Code writes one kind only, are told as changed on save', async () => {
    novel.write('正文/001.md', '一。\r\n二。\n三。\r\n');
    const live = await novel.read('正文/001.md');
    assert.deepEqual([live.text, live.eol], ['一。\r\n二。\r\n三。\r\n', '\r\n']);
    const applied = await novel.documents.apply([replacing(live, '二', '贰')]);
    assert.deepEqual(applied, { ok: true, value: [{ path: '正文/001.md', text: '一。\r\n贰。\r\n三。\r\n', saved: true, changedOnSave: true }] });
  });

  test('put brings a file into another encoding and an open tab with it', async () => {
    novel.write('正文/001.md', simplified);
    const editor = await novel.show('正文/001.md');
    const gbk = iconv.encode(simplified.replace('他说', '她说'), 'gbk');
    assert.deepEqual(await novel.documents.put('正文/001.md', gbk), { ok: true, value: undefined });
    assert.equal(novel.disk('正文/001.md')?.toString('hex'), gbk.toString('hex'));
    await until('the tab shows it', () => editor.document.getText() === simplified.replace('他说', '她说'));
    assert.deepEqual([editor.document.isDirty, editor.document.encoding], [false, 'gb18030']);
  });
});
