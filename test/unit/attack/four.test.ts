import { cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEngine } from '../../../src/engine/compose';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { createFakeClock } from '../../fakes/clock';
import { ASSETS, must, withEngine, type EngineBench } from '../../fakes/engine-bench';
import { createFakeIds } from '../../fakes/ids';
import { createMemoryLog } from '../../fakes/log';
import { createMemoryDocuments } from '../../fakes/memory-documents';
import { asks, call, createScriptedClient, modelsWith, says, type ScriptedAnswer } from '../../fakes/models';
import { withTempFolder } from '../../fakes/temp-folder';
import { createFakeUi } from '../../fakes/ui';

const one = '正文/001-雨夜.md';
const two = '正文/002-来信.md';
const book = { [one]: '# 雨夜\n\n雨下了三天三夜。\n', [two]: '# 来信\n\n信到了他的手里。\n' };
const edit = (...edits: [string, string, string][]): ScriptedAnswer => asks(call('edit', { edits: edits.map(([path, old, fresh]) => ({ path, old, new: fresh })) }));
const broken: ScriptedAnswer = [{ type: 'error', error: { code: 'model.auth' }, retryable: false }];

async function filesUnder(root: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => [])) if (entry.isFile()) found.push(join(entry.parentPath, entry.name).slice(root.length + 1));
  return found;
}

async function other(root: string, life: number) {
  const clock = createFakeClock();
  clock.advance(life * 1_000_000);
  const documents = createMemoryDocuments({ root });
  const log = createMemoryLog();
  const made = await createEngine({ ports: { files: createNodeFiles(root), documents, models: modelsWith(createScriptedClient([says('好。')])), clock, ids: createFakeIds(life), log, ui: createFakeUi() }, assets: ASSETS, trusted: () => false, apply: () => 'review' });
  return { made, documents, log };
}

describe('damage', () => {
  it('T7 every file of local and cache', () => {
    const mode = { now: 'auto' as 'auto' | 'review' };
    const client = createScriptedClient([edit([one, '三天', '五天']), says('a'), edit([two, '他的手', '她的手']), says('b'), broken]);
    return withEngine(book, client, async (bench) => {
      await bench.turn('一');
      mode.now = 'review';
      await bench.turn('二');
      must(await bench.engine.turns.queue.add(bench.session, { text: '等着的话' }));
      must(await bench.engine.jobs.start({ instruction: '改', paths: [one, two] }));
      await expect.poll(async () => must(await bench.engine.jobs.current())?.state, { timeout: 20_000 }).toBe('paused');
      await bench.engine.progress.days?.({} as never);
      must(await bench.engine.manuscript.chapters());
      const paths = [...(await filesUnder(bench.root, '.liyuan/local')), ...(await filesUnder(bench.root, '.liyuan/cache'))];
      console.log(paths.join('\n'));
      const trouble: string[] = [];
      const ways: Record<string, (b: Buffer) => Buffer> = {
        empty: () => Buffer.alloc(0), half: (b) => b.subarray(0, b.length >> 1), zeros: (b) => Buffer.alloc(b.length), odd: () => Buffer.from('{"v":1}'), newer: (b) => Buffer.from(b.toString().replace('"v":1', '"v":9')), nul: () => Buffer.from('null'), list: () => Buffer.from('[]\n'),
      };
      for (const path of paths) for (const [way, f] of Object.entries(ways)) {
        await withTempFolder(async (copy) => {
          await cp(bench.root, copy, { recursive: true, preserveTimestamps: true });
          await rm(join(copy, '.liyuan/locks'), { recursive: true, force: true });
          const before = await readFile(join(copy, path));
          await writeFile(join(copy, path), f(before));
          try {
            const { made } = await other(copy, 5);
            if (!made.ok) { trouble.push(`${path} ${way}: open ${made.error.code}`); return; }
            const engine = made.value;
            const check = (what: string, r: { ok: boolean; error?: { code: string } }): void => { if (!r.ok) trouble.push(`${path} ${way}: ${what} ${r.error?.code ?? ''}`); };
            check('review', await engine.review.load());
            check('job', await engine.jobs.current());
            check('chapters', await engine.manuscript.chapters());
            check('list', await engine.checkpoints.list());
            const s = await engine.sessions.open(bench.session.header.id);
            check('session', s);
            if (s.ok) {
              check('queue', await engine.turns.queue.list(s.value));
              check('queue add', await engine.turns.queue.add(s.value, { text: '新' }));
              const user = s.value.lastOnBranch('user')?.id ?? '';
              check('take', await engine.checkpoints.take({ author: 'user' }));
              for await (const e of engine.turns.run(s.value, { text: '再' }, new AbortController().signal)) if (e.type === 'ended' && e.error) trouble.push(`${path} ${way}: turn ${e.error.code}`);
              void user;
            }
            for (const p of [one, two]) if ((await readFile(join(copy, p), 'utf8')) !== (await bench.disk(p))) trouble.push(`${path} ${way}: TEXT ${p}`);
            // Nothing thrown away: what was readable stays somewhere
            await engine.dispose();
          } catch (error) {
            trouble.push(`${path} ${way}: THROWS ${error instanceof Error ? (error.stack ?? '').split('\n').slice(0, 4).join(' ') : String(error)}`);
          }
        });
      }
      console.log(trouble.join('\n'));
      expect(trouble).toEqual([]);
    }, { apply: () => mode.now });
  }, 300_000);

  it('T6 two windows, one after the other, on one session', () =>
    withEngine(book, createScriptedClient([edit([one, '三天', '五天']), says('a'), edit([two, '他的手', '她的手']), says('b')]), async (bench) => {
      await bench.turn('一');
      const id = bench.session.header.id;
      await bench.session.close();
      const b = await other(bench.root, 5);
      const engine = must(b.made);
      must(await engine.review.load());
      const s = must(await engine.sessions.open(id));
      expect(s.readOnly).toBe(false);
      const [p] = engine.review.pending();
      must(await engine.review.setText(p?.id ?? '', '# 雨夜\n\n雨下了五天，作者自己的话。\n'));
      await s.close();
      // back in the first window, without any watcher
      const again = must(await bench.engine.sessions.open(id));
      for await (const _ of bench.engine.turns.run(again, { text: '二' }, new AbortController().signal)) void _;
      console.log(bench.engine.review.pending().map(({ path, text }) => [path, text]));
      expect(bench.engine.review.pending().find(({ path }) => path === one)?.text).toContain('作者自己的话');
      await engine.dispose();
    }, { apply: () => 'review' }));

  it('T8 a batch accepted, killed before it is applied', () =>
    withEngine(book, createScriptedClient([edit([one, '三天', '五天'], [two, '他的手', '她的手']), says('a')]), async (bench) => {
      await bench.turn('一');
      const ids = bench.engine.review.pending().map(({ id }) => id);
      let died: Promise<void> | undefined;
      const stop = bench.documents.before('apply', async () => {
        died ??= bench.killed(createScriptedClient([says('好。')]), async (next) => {
          await writeFile(join(next.root, one), '# 雨夜\n\n作者重写了这一章，雨停了。\n');
          next.clock.advance(100_000_000);
          must(await next.engine.checkpoints.take({ author: 'user' }));
          const list = must(await next.engine.checkpoints.list());
          console.log('T8', list.map(({ author, message, changed }) => [author, message, JSON.stringify(changed)]));
          expect(list.filter(({ author }) => author === 'agent')).toEqual([]);
          must(await next.engine.review.load());
          expect(next.engine.review.pending().length).toBe(2);
        });
        await died;
      });
      must(await bench.engine.review.accept(ids));
      stop();
      await died;
    }, { apply: () => 'review' }));
});
void stat;
