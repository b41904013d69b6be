import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openNovelFolder, replacing, tabNames, tabsOpenedWithin, type NovelFolder } from './novel-folder';
import { saveParticipantsAreOn } from './save-participants';

/** What the run with save participants has from the start is put in place here for the other one. */
const wanted: readonly (readonly [section: string, key: string, value: unknown])[] = [
  ['files', 'trimTrailingWhitespace', true],
  ['editor', 'formatOnSave', true],
];

/** Several blank lines become one, as in the formatter of the run with participants. */
function registerFormatter(): vscode.Disposable {
  return vscode.languages.registerDocumentFormattingEditProvider({ language: 'markdown' }, {
    provideDocumentFormattingEdits: (document) =>
      [...document.getText().matchAll(/\n{3,}/g)].map((match) =>
        vscode.TextEdit.replace(new vscode.Range(document.positionAt(match.index), document.positionAt(match.index + match[0].length)), '\n\n'),
      ),
  });
}

suite('documents: save participants', () => {
  let novel: NovelFolder;
  let formatter: vscode.Disposable | undefined;

  suiteSetup(async () => {
    if (saveParticipantsAreOn) return;
    formatter = registerFormatter();
    for (const [section, key, value] of wanted) await vscode.workspace.getConfiguration(section).update(key, value, vscode.ConfigurationTarget.Workspace);
  });
  suiteTeardown(async () => {
    if (saveParticipantsAreOn) return;
    formatter?.dispose();
    for (const [section, key] of wanted) await vscode.workspace.getConfiguration(section).update(key, undefined, vscode.ConfigurationTarget.Workspace);
  });
  setup(async () => {
    novel = await openNovelFolder();
  });
  teardown(() => novel.dispose());

  test('what formatting and trimming changed is told, with the text that stands there', async () => {
    novel.write('正文/001.md', '甲。\n乙。\n');
    const applied = await novel.documents.apply([replacing(await novel.read('正文/001.md'), '甲。', '一。  \n\n\n\n夜。')]);
    assert.deepEqual(applied, { ok: true, value: [{ path: '正文/001.md', text: '一。\n\n夜。\n乙。\n', saved: true, changedOnSave: true }] });
    assert.equal(novel.diskText('正文/001.md'), '一。\n\n夜。\n乙。\n');
  });

  test('what they had nothing to change is told as it was asked for', async () => {
    novel.write('正文/001.md', '甲。\n乙。\n');
    const applied = await novel.documents.apply([replacing(await novel.read('正文/001.md'), '甲', '一')]);
    assert.deepEqual(applied, { ok: true, value: [{ path: '正文/001.md', text: '一。\n乙。\n', saved: true, changedOnSave: false }] });
  });

  test('they run in an open clean file too, and it ends clean', async () => {
    novel.write('正文/001.md', '甲。\n乙。\n');
    const editor = await novel.show('正文/001.md');
    const applied = await novel.documents.apply([replacing(await novel.read('正文/001.md'), '甲。', '一。\n\n\n\n夜。')]);
    const formatted = '一。\n\n夜。\n乙。\n';
    // Auto-save, which runs no formatter, may have been there first: then the report says that nothing was changed.
    const asAsked = saveParticipantsAreOn && editor.document.getText() !== formatted;
    const text = asAsked ? '一。\n\n\n\n夜。\n乙。\n' : formatted;
    assert.deepEqual(applied, { ok: true, value: [{ path: '正文/001.md', text, saved: true, changedOnSave: !asAsked }] });
    assert.equal(editor.document.getText(), text);
    assert.equal(editor.document.isDirty, false);
  });

  test('no tab comes up, however long the formatter takes', async () => {
    const slow = vscode.workspace.onWillSaveTextDocument((event) => {
      event.waitUntil(new Promise<readonly vscode.TextEdit[]>((resolve) => { setTimeout(() => resolve([]), 1200); }));
    });
    try {
      novel.write('正文/001.md', '甲。\n');
      const tabs = tabsOpenedWithin(2500);
      const applied = await novel.documents.apply([replacing(await novel.read('正文/001.md'), '甲', '一')]);
      assert.equal(applied.ok && applied.value[0]?.saved, true);
      assert.deepEqual(await tabs, []);
      assert.deepEqual(tabNames(), []);
    } finally {
      slow.dispose();
    }
  });

  test('put gives the exact bytes, in an open file too', async () => {
    const bytes = Buffer.from('一。  \n\n\n\n夜。\n', 'utf8');
    novel.write('正文/001.md', '甲。\n');
    novel.write('正文/002.md', '乙。\n');
    const editor = await novel.show('正文/001.md');
    assert.deepEqual(await novel.documents.put('正文/001.md', bytes), { ok: true, value: undefined });
    assert.deepEqual(await novel.documents.put('正文/002.md', bytes), { ok: true, value: undefined });
    assert.equal(novel.disk('正文/001.md')?.toString('hex'), bytes.toString('hex'));
    assert.equal(novel.disk('正文/002.md')?.toString('hex'), bytes.toString('hex'));
    assert.deepEqual([editor.document.getText(), editor.document.isDirty], ['一。  \n\n\n\n夜。\n', false]);
  });

  test('new files are exactly what was asked for', async () => {
    const made = await novel.documents.create('正文/001.md', '一。  \n\n\n\n夜。\n');
    assert.deepEqual(made, { ok: true, value: { path: '正文/001.md', text: '一。  \n\n\n\n夜。\n', saved: true, changedOnSave: false } });
    assert.equal(novel.diskText('正文/001.md'), '一。  \n\n\n\n夜。\n');
  });
});
