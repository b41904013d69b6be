import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { JobView } from '../../src/engine/index';
import { undoChapter } from '../../src/extension/features/jobs/actions';
import { createJobModel, type JobModel } from '../../src/extension/features/jobs/model';
import { startJob } from '../../src/extension/features/jobs/start';
import { createJobTree, type JobRow } from '../../src/extension/features/jobs/tree';
import { answering, diskText, internal, project } from './liyuan-host';
import { closeTabs } from './novel-folder';

const instruction = '把全书的「父亲」改成「爹爹」';

async function until(model: JobModel, wanted: (job: JobView) => boolean): Promise<JobView> {
  const end = Date.now() + 60_000;
  while (Date.now() < end) {
    if (model.job !== undefined && wanted(model.job)) return model.job;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the job did not come to it: ${JSON.stringify(model.job)}`);
}

suite('extension: changing the whole book', function () {
  this.timeout(120_000);
  let start: string;
  let model: JobModel;
  setup(async () => {
    const { engine } = await project();
    await engine.checkpoints.take({ author: 'user', message: '批量修改测试' });
    const head = await engine.checkpoints.head();
    assert.ok(head.ok && head.value);
    start = head.value.id;
    model = createJobModel(await internal());
  });
  teardown(async () => {
    const { engine } = await project();
    await engine.jobs.stop();
    const closed = await engine.jobs.close();
    assert.ok(closed.ok, JSON.stringify(closed));
    model.dispose();
    await closeTabs();
    const restored = await engine.restore('files', start);
    assert.ok(restored.ok, JSON.stringify(restored));
  });

  test('asks, shows what it takes, changes only the chapters with the words, and takes one back', async () => {
    const host = await internal();
    const { engine } = await project();
    const chapters = await engine.manuscript.chapters();
    assert.ok(chapters.ok);
    const texts = (): ReadonlyMap<string, string> => new Map(chapters.value.map(({ path }) => [path, diskText(path)]));
    const before = texts();
    const having = [...before].filter(([, text]) => text.includes('父亲')).map(([path]) => path);
    assert.ok(having.length > 1 && having.length < before.size, `${having.length}`);
    const begin = host.t('Start with these {count} chapters', { count: having.length });
    const { asked } = await answering({ warning: begin, input: instruction, pick: 0 }, () => startJob(host, model));
    assert.equal(asked.length, 1);
    assert.match(asked[0] ?? '', /token/);
    const job = await until(model, ({ state }) => state !== 'running');
    assert.deepEqual([job.state, job.chapters.map(({ state }) => state)], ['finished', having.map(() => 'done')]);
    for (const [path, text] of texts()) assert.equal(text, before.get(path)?.replaceAll('父亲', '爹爹'), path);
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 0, 'no tab was opened');

    const tree = createJobTree(host, model);
    const rows = (await tree.getChildren()) as readonly JobRow[];
    const items = rows.map((row) => tree.getTreeItem(row) as vscode.TreeItem);
    assert.deepEqual(items.map(({ contextValue }) => contextValue), having.map(() => 'done'));
    assert.match(String(items[0]?.description), /^\+\d+ \/ −\d+/);
    assert.match(items[0]?.accessibilityInformation?.label ?? '', /\+\d+/);

    await undoChapter(host, rows[0]);
    assert.equal(diskText(having[0] ?? ''), before.get(having[0] ?? ''));
    assert.equal((await until(model, () => true)).chapters[0]?.state, 'undone');
    tree.dispose();
  });

  test('starts nothing when it is not agreed to', async () => {
    const host = await internal();
    await answering({ input: instruction, pick: 0 }, () => startJob(host, model));
    assert.equal(model.job, undefined);
  });

  test('is shown as a view while there is one, with commands that fit', async () => {
    const all = await vscode.commands.getCommands(true);
    for (const name of ['start', 'pause', 'resume', 'stop', 'takeBack', 'close']) assert.ok(all.includes(`liyuan.jobs.${name}`), name);
  });
});
