import { cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { must, withEngine, type EngineBench } from '../../fakes/engine-bench';
import { asks, call, createScriptedClient, says, type ScriptedAnswer } from '../../fakes/models';

const one = '正文/001-雨夜.md';
const two = '正文/002-来信.md';
const book = { [one]: '# 雨夜\n\n雨下了三天三夜。\n', [two]: '# 来信\n\n信到了他的手里。\n' };
const names = [{ from: one, to: two }, { from: two, to: one }];
const edit = (path: string, old: string, fresh: string): ScriptedAnswer => asks(call('edit', { edits: [{ path, old, new: fresh }] }));
const broken: ScriptedAnswer = [{ type: 'error', error: { code: 'model.auth' }, retryable: false }];
async function settled(bench: EngineBench, state: string): Promise<void> {
  await expect.poll(async () => must(await bench.engine.jobs.current())?.state, { timeout: 20_000 }).toBe(state);
  await expect.poll(async () => (await readdir(join(bench.root, '.liyuan/locks'))).filter((n) => n.startsWith('jobs'))).toEqual([]);
}

describe('names change', () => {
  it('T4 a job that waits', () => {
    const client = createScriptedClient([broken, edit(two, '三天', '五天'), says('a'), edit(one, '他的手', '她的手'), says('b')]);
    return withEngine(book, client, async (bench) => {
      must(await bench.engine.jobs.start({ instruction: '改', paths: [one, two] }));
      await settled(bench, 'paused');
      must(await bench.engine.arrange.apply(names));
      console.log(JSON.stringify(must(await bench.engine.jobs.current())?.chapters));
      must(await bench.engine.jobs.resume());
      await settled(bench, 'finished');
      console.log(JSON.stringify(must(await bench.engine.jobs.current())?.chapters));
      expect(await bench.disk(two)).toContain('五天');
      expect(await bench.disk(one)).toContain('她的手');
    });
  });
});
