import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as vscode from 'vscode';
import type { CheckpointRecord } from '../../src/engine/index';
import type { CheckpointNode, HistoryNode } from '../../src/extension/features/history/nodes';
import { createHistoryTree, type HistoryTree } from '../../src/extension/features/history/tree';
import { answering, diskBytes, diskText, firstChapter, internal, oldWords, project, uriOf } from './liyuan-host';
import { closeTabs } from './novel-folder';

const outline = '大纲/总纲.md';

async function taken(message: string): Promise<CheckpointRecord> {
  const { engine } = await project();
  const record = await engine.checkpoints.take({ author: 'user', message });
  assert.ok(record.ok && record.value !== undefined, `${message}: ${JSON.stringify(record)}`);
  return record.value;
}

/** Writes a file as a restore does: an open document, and one that is about to be closed, has the words at once. */
async function rewrite(path: string, text: string | Buffer): Promise<void> {
  const { documents } = await project();
  const put = await documents.put(path, Buffer.from(text));
  assert.ok(put.ok, JSON.stringify(put));
}

const children = async (tree: HistoryTree, node?: HistoryNode): Promise<readonly HistoryNode[]> => (await tree.getChildren(node)) ?? [];

/** All checkpoints that the tree shows under its days. */
async function rows(tree: HistoryTree): Promise<readonly CheckpointNode[]> {
  const found: CheckpointNode[] = [];
  for (const root of await children(tree)) {
    if (root.kind === 'day') for (const node of await children(tree, root)) if (node.kind === 'checkpoint') found.push(node);
  }
  return found;
}

const run = async (command: string, ...args: readonly unknown[]): Promise<unknown> => vscode.commands.executeCommand(`liyuan.history.${command}`, ...args);
const activeTab = (): vscode.Tab | undefined => vscode.window.tabGroups.activeTabGroup.activeTab;

suite('extension: the history, complete', function () {
  this.timeout(90_000);
  let original: Buffer;
  let first: CheckpointRecord;
  let second: CheckpointRecord;
  let tree: HistoryTree;
  setup(async () => {
    original = diskBytes(firstChapter);
    const { engine } = await project();
    await engine.checkpoints.take({ author: 'user', message: '之前' });
    await rewrite(firstChapter, original.toString('utf8').replace(oldWords, '第一版'));
    first = await taken('第一版');
    await rewrite(outline, `${diskText(outline)}\n第二版添的\n`);
    second = await taken('第二版');
    tree = createHistoryTree(await internal());
  });
  teardown(async () => {
    tree.dispose();
    await closeTabs();
    await rewrite(firstChapter, original);
    await rewrite(outline, diskText(outline).replace('\n第二版添的\n', ''));
  });

  test('shows only what happened to one file, and everything again', async () => {
    const filters: unknown[] = [];
    const listening = tree.onDidFilter((by) => filters.push(by));
    const all = await rows(tree);
    tree.filter({ path: firstChapter });
    const only = await rows(tree);
    assert.ok(only.length < all.length);
    assert.ok(only.some(({ record }) => record.id === first.id) && !only.some(({ record }) => record.id === second.id));
    const node = only.find(({ record }) => record.id === first.id);
    const files = await children(tree, node);
    assert.deepEqual(files.map((file) => file.kind === 'file' && file.change.path), [firstChapter]);
    tree.filter(undefined);
    assert.equal((await rows(tree)).length, all.length);
    assert.deepEqual(filters, [{ path: firstChapter }, undefined]);
    listening.dispose();
  });

  test('shows the history of the file that is asked for, and says when checkpoints do not cover it', async () => {
    await run('showFileHistory', uriOf(firstChapter));
    await run('clearFilter');
    const window = vscode.window as unknown as Record<string, unknown>;
    const before = window['showInformationMessage'];
    const told: string[] = [];
    window['showInformationMessage'] = (message: string) => { told.push(message); return Promise.resolve(undefined); };
    try {
      await run('showFileHistory', uriOf('.liyuan/project.json'));
    } finally {
      window['showInformationMessage'] = before;
    }
    assert.deepEqual(told, ['Checkpoints do not cover this file.']);
  });

  test('compares any two, the older on the left, whichever was chosen first', async () => {
    await run('compareTwo', undefined, [{ kind: 'checkpoint', record: second }, { kind: 'checkpoint', record: first }]);
    const input = activeTab()?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.equal(decodeURIComponent(input.modified.path).endsWith(outline), true);
    assert.match(activeTab()?.label ?? '', /第一版 .*↔ 第二版/);
    await closeTabs();
    await run('selectForCompare', { kind: 'checkpoint', record: second });
    await run('compareWithSelected', { kind: 'checkpoint', record: first });
    assert.match(activeTab()?.label ?? '', /第一版 .*↔ 第二版/);
  });

  test('opens a file of a state for reading only', async () => {
    const { engine } = await project();
    const changes = await engine.checkpoints.changesOf(first.id);
    assert.ok(changes.ok);
    await run('openFile', { kind: 'file', record: first, change: changes.value[0] });
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.scheme, 'liyuan-object');
    assert.equal(editor.document.languageId, 'markdown');
    assert.ok(editor.document.getText().includes('第一版'));
    const text = editor.document.getText();
    await vscode.commands.executeCommand('type', { text: '改' });
    assert.equal(editor.document.getText(), text);
  });

  test('opens a state by choosing one of its files, chapters first', async () => {
    await answering({ pick: 0 }, async () => run('openState', { kind: 'checkpoint', record: first }));
    assert.equal(vscode.window.activeTextEditor?.document.uri.path, uriOf(firstChapter).path);
    assert.ok(vscode.window.activeTextEditor?.document.getText().includes('第一版'));
  });

  test('restores one file of a state that it did not change', async () => {
    await rewrite(firstChapter, original);
    await answering({ pick: 0, warning: 'Restore' }, async () => run('restoreOneFile', { kind: 'checkpoint', record: second }));
    assert.ok(diskText(firstChapter).includes('第一版'));
  });

  test('pins and names, and lists these on top', async () => {
    await run('pin', { kind: 'checkpoint', record: first });
    await answering({ input: ' 定稿 ' }, async () => run('giveName', { kind: 'checkpoint', record: second }));
    const [top] = await children(tree);
    assert.ok(top?.kind === 'kept');
    const nodes = await children(tree, top);
    const items = await Promise.all(nodes.map(async (node) => tree.getTreeItem(node)));
    const named = items.find(({ label }) => label === '定稿');
    assert.ok(named !== undefined && String(named.description).includes('第二版'));
    const pinned = items.find(({ label }) => label === '第一版');
    assert.equal(pinned?.contextValue, 'checkpoint.pinned');
    await run('unpin', { kind: 'checkpoint', record: first });
    await answering({ input: '' }, async () => run('giveName', { kind: 'checkpoint', record: second, mark: { pinned: false, name: '定稿' } }));
    const { engine } = await project();
    const marks = await engine.checkpoints.marks();
    assert.ok(marks.ok && !marks.value.has(first.id) && !marks.value.has(second.id));
  });

  test('shows a checkpoint whose records do not add up as one that cannot be restored', async () => {
    const log = uriOf('.liyuan/checkpoints/log.jsonl').fsPath;
    const sound = fs.readFileSync(log);
    const bad: CheckpointRecord = { ...second, id: 'bad', parents: [second.id], tree: '0'.repeat(64), message: '坏了的', ts: second.ts + 1 };
    fs.appendFileSync(log, `${JSON.stringify(bad)}\n`);
    try {
      const counted = new Promise<HistoryNode>((resolve) => {
        tree.onDidChangeTreeData?.((node) => { if (node !== undefined && node !== null && 'kind' in node && node.kind === 'checkpoint' && node.record.id === 'bad') resolve(node); });
      });
      await rows(tree);
      const item = await tree.getTreeItem(await counted);
      assert.equal(item.contextValue, 'checkpoint.broken');
      assert.match(String(item.description), /cannot be restored/);
      assert.equal(item.collapsibleState, vscode.TreeItemCollapsibleState.None);
    } finally {
      fs.writeFileSync(log, sound);
    }
  });

  test('takes nothing away when there is nothing to clean up', async () => {
    const { engine } = await project();
    const before = await engine.checkpoints.list();
    await answering({}, async () => run('cleanUp'));
    const after = await engine.checkpoints.list();
    assert.ok(before.ok && after.ok);
    assert.equal(after.value.length, before.value.length);
  });

  test('verifies and names what is damaged', async () => {
    const { engine } = await project();
    const manifest = await engine.checkpoints.manifest(first.id);
    const sha = manifest.ok ? (manifest.value.get(firstChapter) ?? '') : '';
    const file = uriOf(`.liyuan/objects/${sha.slice(0, 2)}/${sha}`).fsPath;
    const sound = fs.readFileSync(file);
    fs.writeFileSync(file, 'damaged');
    try {
      const { asked } = await answering({ warning: 'Show which', pick: 0 }, async () => run('verify'));
      assert.match(asked[0] ?? '', /^Checked \d+ checkpoints and \d+ stored texts: 1 are damaged or missing\./);
    } finally {
      fs.writeFileSync(file, sound);
    }
  });
});
