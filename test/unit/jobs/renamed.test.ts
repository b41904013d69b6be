import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { must, withEngine, type EngineBench } from '../../fakes/engine-bench';
import { asks, call, createScriptedClient, says, type ScriptedAnswer } from '../../fakes/models';

const one = '正文/001-雨夜.md';
const two = '正文/002-来信.md';
const book = { [one]: '# 雨夜\n\n雨下了三天三夜。\n', [two]: '# 来信\n\n信到了他的手里。\n' };
const edit = (path: string, old: string, fresh: string): ScriptedAnswer => asks(call('edit', { edits: [{ path, old, new: fresh }] }));
const broken: ScriptedAnswer = [{ type: 'error', error: { code: 'model.auth' }, retryable: false }];

async function at({ engine, root }: EngineBench, state: string): Promise<void> {
  await expect.poll(async () => must(await engine.jobs.current())?.state, { timeout: 30_000 }).toBe(state);
  await expect.poll(async () => (await readdir(join(root, '.liyuan/locks'))).filter((name) => name.startsWith('jobs'))).toEqual([]);
}

describe('a job whose chapters change their names', () => {
  it('goes on with the same chapters', () => {
    const client = createScriptedClient([edit(one, '三天', '五天'), says('好。'), broken, edit(one, '他的手', '她的手'), says('好。')]);
    return withEngine(book, client, async (bench) => {
      must(await bench.engine.jobs.start({ instruction: '改', paths: [one, two] }));
      await at(bench, 'paused');
      must(await bench.engine.arrange.apply([{ from: one, to: two }, { from: two, to: one }]));
      const list = must(await bench.engine.jobs.current())?.chapters.map(({ path, title, state }) => [path, title, state]);
      expect(list).toEqual([[two, '雨夜', 'done'], [one, '来信', 'waiting']]);
      must(await bench.engine.jobs.resume());
      await at(bench, 'finished');
      expect([await bench.disk(one), await bench.disk(two)]).toEqual(['# 来信\n\n信到了她的手里。\n', '# 雨夜\n\n雨下了五天三夜。\n']);
    });
  }, 60_000);
});
