import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { must, withEngine } from '../fakes/engine-bench';
import { createScriptedClient, says } from '../fakes/models';

it('tells what lies in the store and which lines of its logs cannot be read, by number', () =>
  withEngine({ '正文/001.md': '# 雨夜\n\n雨下了三天。\n' }, createScriptedClient([says('好。')]), async ({ engine, session, turn, root }) => {
    await turn('看一看');
    const path = `.liyuan/sessions/${session.header.id}.jsonl`;
    const before = await engine.diagnose(new AbortController().signal);
    expect(before.logs.map(({ badLines }) => badLines)).toEqual([[], [], []]);
    expect(before.logs.map((log) => log.path)).toEqual([path, '.liyuan/checkpoints/log.jsonl', `.liyuan/traces/${session.header.id}.jsonl`]);
    expect(before.store).toEqual(must(await engine.checkpoints.storeSize()));
    expect(before.store.kinds.find(({ kind }) => kind === 'objects')?.files).toBeGreaterThan(0);
    await appendFile(join(root, path), 'no record\n{"half": tr');
    await appendFile(join(root, '.liyuan/checkpoints/log.jsonl'), '{"type":"checkpoint"}\n');
    const lines = before.logs.map((log) => log.lines);
    const { logs } = must({ ok: true, value: await engine.diagnose(new AbortController().signal) });
    expect(logs[0]?.badLines).toEqual([(lines[0] ?? 0) + 1, (lines[0] ?? 0) + 2]);
    expect(logs[1]?.badLines).toEqual([(lines[1] ?? 0) + 1]);
    expect(logs[2]?.badLines).toEqual([]);
  }));

it('ends early when it is not wanted any more', () =>
  withEngine({}, createScriptedClient([says('好。')]), async ({ engine, turn }) => {
    await turn('看一看');
    expect((await engine.diagnose(AbortSignal.abort())).logs).toEqual([]);
  }));
