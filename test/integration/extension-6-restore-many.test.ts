import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { project, uriOf } from './liyuan-host';

const chapters = 500;
const changed = 50;
const folder = '正文/长卷';
/** Where `npm run bench` wants the times, in ms, and how many of them; otherwise the files are restored there and back once. */
const measureFile = process.env['LIYUAN_MEASURE_FILE'] ?? '';
const times = measureFile === '' ? 2 : 9;

const fileOf = (n: number): string => uriOf(`${folder}/${String(n).padStart(3, '0')}.md`).fsPath;
/** A chapter of about 4,000 字. */
const textOf = (n: number, version: number): string => `# 第${n}章\n\n第 ${version} 稿。\n\n${`雨下了一夜，第${n}盏灯没有灭。他没有走。\n\n`.repeat(200)}`;

suite('extension: restoring many files', function () {
  this.timeout(180_000);
  teardown(() => fs.rmSync(path.dirname(fileOf(0)), { recursive: true, force: true }));

  test('restores fifty of five hundred chapters, byte for byte, and none besides', async () => {
    const { engine } = await project();
    fs.mkdirSync(path.dirname(fileOf(0)), { recursive: true });
    for (let n = 0; n < chapters; n += 1) fs.writeFileSync(fileOf(n), textOf(n, 0));
    const first = await engine.checkpoints.take({ author: 'user', message: '初稿' });
    assert.ok(first.ok && first.value !== undefined, JSON.stringify(first));
    for (let n = 0; n < changed; n += 1) fs.writeFileSync(fileOf(n * 10), textOf(n * 10, 1));
    const second = await engine.checkpoints.take({ author: 'user', message: '二稿' });
    assert.ok(second.ok && second.value !== undefined, JSON.stringify(second));
    const states = [first.value.id, second.value.id];
    const measured: number[] = [];
    for (let time = 0; time < times; time += 1) {
      const version = time % 2;
      const began = performance.now();
      const restored = await engine.checkpoints.restore(states[version] ?? '');
      measured.push(performance.now() - began);
      assert.ok(restored.ok, JSON.stringify(restored));
      assert.equal(restored.value.files.length, changed);
      for (let n = 0; n < chapters; n += 1) assert.equal(fs.readFileSync(fileOf(n), 'utf8'), textOf(n, n % 10 === 0 ? version : 0));
    }
    if (measureFile !== '') fs.writeFileSync(measureFile, JSON.stringify(measured));
  });
});
