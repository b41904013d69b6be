import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withEngine, must, type EngineBench } from '../fakes/engine-bench';
import { asks, call, createScriptedClient, says } from '../fakes/models';

const CHAPTER = '正文/001-a.md';
const edits = (old: string, fresh: string): ReturnType<typeof asks> => asks(call('edit', { path: CHAPTER, edits: [{ old, new: fresh }] }));
const model = (old: string, fresh: string): ReturnType<typeof createScriptedClient> => createScriptedClient([edits(old, fresh), says('好')]);
const at = (bench: EngineBench, path: string): string => join(bench.root, '.liyuan', path);

/** A project with one turn behind it; `spoil` works on its folder before the next window opens it. */
const opened = (spoil: (bench: EngineBench) => Promise<void>, next: (bench: EngineBench) => Promise<void>, apply?: () => 'auto' | 'review'): Promise<void> =>
  withEngine(
    { [CHAPTER]: '今天下雨。\n', '正文/002-b.md': '字。\n' },
    model('雨', '雪'),
    async (bench) => {
      await bench.turn('改');
      must(await bench.engine.progress.refresh());
      must(await bench.engine.manuscript.chapters());
      await bench.engine.search.find('改', { signal: new AbortController().signal });
      await spoil(bench);
      await bench.killed(model(apply === undefined ? '雪' : '雨', '雹'), next);
    },
    apply === undefined ? {} : { apply },
  );

describe('a cache that cannot be read', () => {
  it.each([
    ['is a folder', async (path: string) => rm(path).then(() => mkdir(path)).then(() => undefined)],
    ['is cut', async (path: string) => writeFile(path, (await readFile(path)).subarray(0, 40))],
    ['is of the future', (path: string) => writeFile(path, '{"v":99}\n{"v":99}\n')],
  ])('%s: it is as good as missing', (_, spoil) =>
    opened(
      async (bench) => {
        const names = await readdir(at(bench, 'cache'), { recursive: true, withFileTypes: true });
        const files = names.filter((one) => one.isFile());
        expect(files.length).toBeGreaterThan(4);
        for (const one of files) await spoil(join(one.parentPath, one.name));
      },
      async (bench) => {
        expect((await bench.turn('再改')).at(-1)).toMatchObject({ type: 'ended', status: 'done' });
        expect(await bench.disk(CHAPTER)).toBe('今天下雹。\n');
        expect(must(await bench.engine.checkpoints.list()).length).toBeGreaterThan(1);
        expect(must(await bench.engine.manuscript.chapters())).toHaveLength(2);
        expect(must(await bench.engine.progress.pending())).toBe(0);
        expect(await bench.engine.search.find('再改', { signal: new AbortController().signal })).toHaveLength(1);
      },
    ),
  );
});

describe('what a newer version wrote', () => {
  it('in the checkpoint log, in whatever form, is not written behind', () =>
    opened(
      (bench) => appendFile(at(bench, 'checkpoints/log.jsonl'), '{"v":2,"type":"checkpoint","id":"zz","by":{"who":"agent"},"parents":[]}\n'),
      async (bench) => {
        expect(await bench.engine.checkpoints.take({ author: 'user' })).toMatchObject({ ok: false, error: { code: 'store.newer-version' } });
        expect((await bench.turn('再改')).at(-1)).toMatchObject({ status: 'error', error: { code: 'store.newer-version' } });
        expect(await bench.disk(CHAPTER)).toBe('今天下雪。\n');
        expect(must(await bench.engine.checkpoints.list()).length).toBeGreaterThan(0);
      },
    ));

  it('as project.json opens the project for reading alone', () =>
    opened(
      async (bench) => {
        const file = JSON.parse(await readFile(at(bench, 'project.json'), 'utf8')) as object;
        await writeFile(at(bench, 'project.json'), JSON.stringify({ ...file, v: 2 }));
      },
      async (bench) => {
        expect(bench.session).toMatchObject({ readOnly: true, readOnlyReason: 'newer-version' });
        const before = await readFile(at(bench, 'checkpoints/log.jsonl'), 'utf8');
        expect((await bench.turn('再改')).at(-1)).toMatchObject({ status: 'error', error: { code: 'session.read-only' } });
        expect(await bench.engine.checkpoints.take({ author: 'user' })).toMatchObject({ ok: false });
        expect(await bench.engine.project.update({ title: '新' })).toMatchObject({ error: { code: 'store.newer-version' } });
        expect(await readFile(at(bench, 'checkpoints/log.jsonl'), 'utf8')).toBe(before);
        expect(await bench.disk(CHAPTER)).toBe('今天下雪。\n');
      },
    ));

  it('as project.json in a form unknown here is said to be newer, not broken', () =>
    opened(
      (bench) => writeFile(at(bench, 'project.json'), '{"v":2,"folders":["正文"]}'),
      () => Promise.reject(new Error('opened')),
    ).then(
      () => expect.unreachable(),
      (error: unknown) => { expect(String(error)).toContain('store.newer-version'); },
    ));

  it('as a queue of words stays as it is, and nothing is queued over it', () => {
    const newer = '{"v":2,"words":[{"id":"q","say":"等等"}]}';
    const path = (bench: EngineBench): string => at(bench, `local/queue/${bench.session.header.id}.json`);
    return opened(
      async (bench) => {
        await mkdir(at(bench, 'local/queue'), { recursive: true });
        await writeFile(path(bench), newer);
      },
      async (bench) => {
        expect(await bench.engine.turns.queue.add(bench.session, { text: '然后' })).toMatchObject({ error: { code: 'store.newer-version' } });
        expect((await bench.turn('再改')).at(-1)).toMatchObject({ status: 'done' });
        expect(await readFile(path(bench), 'utf8')).toBe(newer);
      },
    );
  });

  it('as proposals stays as it is, and nothing is proposed over it', () => {
    const newer = '{"v":2,"session":"x","things":[]}';
    const path = (bench: EngineBench): string => at(bench, `local/review/${bench.session.header.id}.json`);
    return opened(
      (bench) => writeFile(path(bench), newer),
      async (bench) => {
        must(await bench.engine.review.load());
        await bench.turn('再改');
        expect(await readFile(path(bench), 'utf8')).toBe(newer);
        expect(await bench.disk(CHAPTER)).toBe('今天下雨。\n');
        expect(await readdir(at(bench, 'local/review'))).toHaveLength(1);
      },
      () => 'review',
    );
  });
});

describe('a proposal whose text is missing from the store', () => {
  it('stays in its file, and is there again when the text is', () =>
    opened(
      async (bench) => {
        const file = at(bench, `local/review/${bench.session.header.id}.json`);
        const { proposals } = JSON.parse(await readFile(file, 'utf8')) as { proposals: { text: string }[] };
        const sha = proposals[0]?.text ?? '';
        await rm(at(bench, `objects/${sha.slice(0, 2)}/${sha}`));
      },
      async (bench) => {
        must(await bench.engine.review.load());
        expect(bench.engine.review.pending()).toEqual([]);
        expect(bench.engine.review.lost()).toEqual([CHAPTER]);
        await bench.turn('再改');
        expect(bench.engine.review.pending().map(({ text }) => text)).toEqual(['今天下雹。\n']);
        await bench.engine.objects.putAll([Buffer.from('今天下雪。\n')]);
        await bench.killed(createScriptedClient([]), async (later) => {
          must(await later.engine.review.load());
          expect(later.engine.review.pending().map(({ text }) => text).sort()).toEqual(['今天下雪。\n', '今天下雹。\n'].sort());
        });
      },
      () => 'review',
    ));
});
