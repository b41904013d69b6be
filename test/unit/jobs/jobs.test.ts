import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JobView } from '../../../src/engine/jobs/jobs';
import { createRehearsalClient } from '../../../src/engine/model/rehearsal';
import type { ModelEvent, ModelRequest } from '../../../src/engine/ports/models';
import { createFakeClock } from '../../fakes/clock';
import { collect, must, withEngine, type EngineBench } from '../../fakes/engine-bench';
import { asks, call, createScriptedClient, says, type ScriptedAnswer } from '../../fakes/models';

const pathOf = (n: number): string => `正文/${String(n).padStart(3, '0')}-章.md`;
const book = (count: number): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [pathOf(at + 1), `# 第${at + 1}章\n\n钟声响了，这是第 ${at + 1} 次。\n`]));
const paths = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => pathOf(at + 1));
const instruction = '把「钟声」改成「敲门声」';
const edit = (n: number): ScriptedAnswer => asks(call('edit', { edits: [{ path: pathOf(n), old: '钟声响了', new: '敲门声响了' }] }));
const broken: readonly ModelEvent[] = [{ type: 'error', error: { code: 'model.network' }, retryable: false }];

/** Answers only to being stopped. */
const hangs: ScriptedAnswer = async function* (_, signal) {
  await new Promise<void>((resolve) => { signal.addEventListener('abort', () => { resolve(); }, { once: true }); });
  yield { type: 'error', error: { code: 'turn.aborted' }, retryable: false };
};

/** Resolves with the first state of the job that is meant. */
function until({ engine }: EngineBench, wanted: (job: JobView) => boolean): Promise<JobView> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => { reject(new Error('the job did not come to it')); }, 50_000);
    const look = (job: JobView | undefined): void => {
      if (job === undefined || !wanted(job)) return;
      clearTimeout(timer);
      stop();
      resolve(job);
    };
    const stop = engine.jobs.onChange(look);
    void engine.jobs.current().then((now) => { if (now.ok) look(now.value); });
  });
}
const over = (bench: EngineBench): Promise<JobView> => until(bench, ({ state }) => state !== 'running');
/** Over, and its lock given back. */
async function idle(bench: EngineBench): Promise<JobView> {
  await over(bench);
  await expect.poll(async () => (await readdir(join(bench.root, '.liyuan/locks'))).filter((name) => name.startsWith('jobs'))).toEqual([]);
  return must(await bench.engine.jobs.current()) as JobView;
}
const states = (job: JobView): readonly string[] => job.chapters.map(({ state }) => state);
const start = async (bench: EngineBench, count: number): Promise<JobView> => must(await bench.engine.jobs.start({ instruction, paths: paths(count) }));

describe('a job', () => {
  it('does one chapter after another, in order, each with a checkpoint of its own', () =>
    withEngine(book(3), createScriptedClient([edit(1), says('改了。'), says('不用改。'), edit(3), says('改了。')]), async (bench) => {
      await start(bench, 3);
      const job = await idle(bench);
      expect(job.state).toBe('finished');
      expect(states(job)).toEqual(['done', 'skipped', 'done']);
      expect(job.chapters[0]).toMatchObject({ added: 2, removed: 1 });
      expect(await bench.disk(pathOf(1))).toContain('敲门声响了');
      expect(await bench.disk(pathOf(2))).toContain('钟声响了');
      const records = must(await bench.engine.checkpoints.list()).filter(({ author }) => author === 'agent');
      expect(records.map(({ message }) => message)).toEqual([`《第3章》：${instruction}`, `《第1章》：${instruction}`]);
    }));

  it('sends every chapter the same amount, the chapter itself and no other one', async () => {
    const client = createScriptedClient(paths(50).flatMap((_, at) => [edit(at + 1), says('改了。')]));
    await withEngine(book(50), client, async (bench) => {
      await start(bench, 50);
      expect((await idle(bench)).state).toBe('finished');
      const sizes = client.requests.filter((_, at) => at % 2 === 0).map(sizeOf);
      expect(sizes).toHaveLength(50);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(12);
      const last = client.requests[98] as ModelRequest;
      expect(last.messages).toHaveLength(2);
      expect(last.messages[1]?.content).toContain(pathOf(50));
      expect(last.messages[1]?.content).not.toContain(pathOf(49));
      expect(last.tools?.map(({ name }) => name)).toEqual(['list', 'read', 'grep', 'outline', 'edit', 'write']);
    });
  }, 60_000);

  it('lets a turn change its own chapter alone', async () => {
    const client = createScriptedClient([edit(2), says('别章不能改。')]);
    await withEngine(book(2), client, async (bench) => {
      must(await bench.engine.jobs.start({ instruction, paths: [pathOf(1)] }));
      expect(states(await idle(bench))).toEqual(['skipped']);
      expect(await bench.disk(pathOf(2))).toContain('钟声响了');
      expect(client.requests[1]?.messages.at(-1)?.content).toContain('one_chapter');
    });
  });

  it('pauses after the chapter under way, and goes on', () =>
    withEngine(book(3), createScriptedClient([(() => [...(edit(1) as readonly ModelEvent[])]) as ScriptedAnswer, says('好。'), edit(2), says('好。'), edit(3), says('好。')]), async (bench) => {
      await start(bench, 3);
      bench.engine.jobs.pause();
      const paused = await idle(bench);
      expect([paused.state, states(paused)]).toEqual(['paused', ['done', 'waiting', 'waiting']]);
      must(await bench.engine.jobs.resume());
      const done = await idle(bench);
      expect([done.state, states(done)]).toEqual(['finished', ['done', 'done', 'done']]);
    }));

  it('stops now: the chapter under way waits again when nothing was changed', () => {
    const client = createScriptedClient([hangs, edit(1), says('好。'), says('不用改。')]);
    return withEngine(book(2), client, async (bench) => {
      await start(bench, 2);
      await expect.poll(() => client.requests.length).toBe(1);
      await bench.engine.jobs.stop();
      const stopped = await idle(bench);
      expect([stopped.state, states(stopped), stopped.reason]).toEqual(['paused', ['waiting', 'waiting'], undefined]);
      must(await bench.engine.jobs.resume());
      expect(states(await idle(bench))).toEqual(['done', 'skipped']);
    });
  });

  it('is paused when three chapters in a row fail, says why, and tries the failed ones again', () => {
    const client = createScriptedClient([says('不用改。'), broken, broken, broken]);
    return withEngine(book(5), client, async (bench) => {
      await start(bench, 5);
      const paused = await idle(bench);
      expect([paused.state, paused.reason]).toEqual(['paused', 'model.network']);
      expect(states(paused)).toEqual(['skipped', 'failed', 'failed', 'failed', 'waiting']);
      client.then(edit(2), says('好。'), edit(3), says('好。'), edit(4), says('好。'), says('不用改。'));
      must(await bench.engine.jobs.retry());
      const done = await idle(bench);
      expect([done.state, done.reason, states(done)]).toEqual(['finished', undefined, ['skipped', 'done', 'done', 'done', 'skipped']]);
    });
  });

  it('is paused at once by what no chapter can do anything about, and the chapter waits', () =>
    withEngine(book(2), createScriptedClient([[{ type: 'error', error: { code: 'model.quota' }, retryable: false }]]), async (bench) => {
      await start(bench, 2);
      const paused = await idle(bench);
      expect([paused.state, paused.reason, states(paused)]).toEqual(['paused', 'model.quota', ['waiting', 'waiting']]);
    }));

  it('takes one chapter back and leaves the others, and what the author has written since', () =>
    withEngine(book(2), createScriptedClient([edit(1), says('好。'), edit(2), says('好。')]), async (bench) => {
      await start(bench, 2);
      await idle(bench);
      const live = must(await bench.documents.read(pathOf(1)));
      must(await bench.documents.apply([{ path: pathOf(1), version: live.version, changes: [{ start: live.text.length, end: live.text.length, text: '作者的话。\n' }] }]));
      must(await bench.engine.jobs.undo(pathOf(1)));
      expect(must(await bench.documents.read(pathOf(1))).text).toBe('# 第1章\n\n钟声响了，这是第 1 次。\n作者的话。\n');
      expect(await bench.disk(pathOf(2))).toContain('敲门声响了');
      expect(states(await idle(bench))).toEqual(['undone', 'done']);
    }));

  it('takes all back, and does a chapter again when it is asked to', () => {
    const client = createScriptedClient([edit(1), says('好。'), edit(2), says('好。')]);
    return withEngine(book(2), client, async (bench) => {
      await start(bench, 2);
      await idle(bench);
      must(await bench.engine.jobs.takeBack());
      expect(await bench.disk(pathOf(1))).toContain('钟声响了');
      expect(await bench.disk(pathOf(2))).toContain('钟声响了');
      const job = await idle(bench);
      expect([job.state, states(job)]).toEqual(['takenBack', ['undone', 'undone']]);
      client.then(edit(2), says('好。'));
      must(await bench.engine.jobs.retry(pathOf(2)));
      expect(states(await idle(bench))).toEqual(['undone', 'done']);
      expect(await bench.disk(pathOf(2))).toContain('敲门声响了');
      must(await bench.engine.jobs.close());
      expect(must(await bench.engine.jobs.current())).toBeUndefined();
    });
  });

  it('leaves a chapter out, and is one at a time', () =>
    withEngine(book(3), createScriptedClient([edit(1), says('好。'), edit(3), says('好。')]), async (bench) => {
      await start(bench, 3);
      must(await bench.engine.jobs.skip(pathOf(2)));
      expect(await bench.engine.jobs.start({ instruction, paths: paths(1) })).toMatchObject({ ok: false, error: { code: 'job.open' } });
      expect(states(await idle(bench))).toEqual(['done', 'skipped', 'done']);
    }));

  it('waits and says so while a turn runs in its conversation', () => {
    const client = createScriptedClient([hangs, hangs, edit(1), says('好。')]);
    return withEngine(book(1), client, async (bench) => {
      const { sessionId } = await start(bench, 1);
      await expect.poll(() => client.requests.length).toBe(1);
      await bench.engine.jobs.stop();
      await idle(bench);
      const session = must(await bench.engine.sessions.open(sessionId));
      const stop = new AbortController();
      const turn = collect(bench.engine.turns.run(session, { text: '等等' }, stop.signal));
      await expect.poll(() => client.requests.length).toBe(2);
      must(await bench.engine.jobs.resume());
      expect(states(await until(bench, ({ blocked }) => blocked))).toEqual(['waiting']);
      stop.abort();
      await turn;
      bench.clock.advance(1_000);
      const done = await idle(bench);
      expect([done.state, done.blocked, states(done)]).toEqual(['finished', false, ['done']]);
    });
  });

  it('is paused when its window did not survive, and goes on with the turn that was under way, once', () => {
    const client = createScriptedClient([edit(1), says('好。'), edit(2), hangs]);
    return withEngine(book(3), client, async (bench) => {
      await start(bench, 3);
      await expect.poll(() => client.requests.length).toBe(4);
      const second = createScriptedClient([says('改了。'), edit(3), says('好。')]);
      await bench.killed(second, async (next) => {
        const found = must(await next.engine.jobs.current()) as JobView;
        expect([found.state, states(found)]).toEqual(['paused', ['done', 'running', 'waiting']]);
        must(await next.engine.jobs.resume());
        const done = await idle(next);
        expect([done.state, states(done)]).toEqual(['finished', ['done', 'done', 'done']]);
        expect(await next.disk(pathOf(2))).toBe('# 第2章\n\n敲门声响了，这是第 2 次。\n');
        expect(second.left()).toBe(0);
        expect(second.requests[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
      });
      await bench.engine.jobs.stop();
    });
  });

  it('gives way when its window closes in the middle of a turn: another one may go on at once', () => {
    const client = createScriptedClient([hangs]);
    return withEngine(book(1), client, async (bench) => {
      const { id } = await start(bench, 1);
      await expect.poll(() => client.requests.length).toBe(1);
      await bench.engine.dispose();
      expect((await readdir(join(bench.root, '.liyuan/locks'))).filter((name) => name.startsWith('jobs'))).toEqual([]);
      const kept = JSON.parse(await readFile(join(bench.root, '.liyuan/local/jobs', `${id}.json`), 'utf8')) as JobView;
      expect([kept.state, states(kept)]).toEqual(['running', ['running']]);
    });
  });

  it('does a turn that had ended before the list could say so not twice', () => {
    const client = createScriptedClient([edit(1), says('好。'), says('不用改。')]);
    return withEngine(book(2), client, async (bench) => {
      const job = await start(bench, 2);
      await idle(bench);
      const file = join('.liyuan/local/jobs', `${job.id}.json`);
      const kept = JSON.parse(await readFile(join(bench.root, file), 'utf8')) as { state: string; chapters: object[] };
      await bench.killed(createScriptedClient([says('不用改。')]), async (next) => {
        const { createNodeFiles } = await import('../../../src/engine/store/node-files');
        const again = { ...kept, state: 'running', chapters: [kept.chapters[0], { path: pathOf(2), title: '第2章', state: 'running' }] };
        await createNodeFiles(next.root).writeAtomic(file, Buffer.from(JSON.stringify(again)));
        must(await next.engine.jobs.resume());
        expect(states(await idle(next))).toEqual(['done', 'skipped']);
      });
    });
  });

  it('proposes in review mode, and takes back what it proposes', () =>
    withEngine(book(2), createScriptedClient([edit(1), says('好。'), edit(2), says('好。')]), async (bench) => {
      await start(bench, 2);
      const job = await idle(bench);
      expect(job.chapters.map(({ state, proposed }) => [state, proposed])).toEqual([['done', true], ['done', true]]);
      expect(await bench.disk(pathOf(1))).toContain('钟声响了');
      expect(await bench.engine.review.rows(job.sessionId, job.chapters[0]?.turnId ?? '')).toHaveLength(1);
      must(await bench.engine.jobs.undo(pathOf(1)));
      expect(await bench.engine.review.rows(job.sessionId, job.chapters[0]?.turnId ?? '')).toHaveLength(0);
      expect(await bench.engine.review.rows(job.sessionId, job.chapters[1]?.turnId ?? '')).toHaveLength(1);
    }, { apply: () => 'review' }));

  it('is carried out by the rehearsal model, whatever “the whole book” in the words means to it', () => {
    const clock = createFakeClock();
    const rehearsal = createRehearsalClient({ language: 'zh', clock: { ...clock, after: (_, f) => (queueMicrotask(f), () => undefined) } });
    return withEngine(book(4), rehearsal, async (bench) => {
      must(await bench.engine.jobs.start({ instruction: '把全书的「钟声」改成「敲门声」', paths: paths(3) }));
      const job = await idle(bench);
      expect([job.state, states(job)]).toEqual(['finished', ['done', 'done', 'done']]);
      expect(await bench.disk(pathOf(3))).toContain('敲门声响了');
      expect(await bench.disk(pathOf(4))).toContain('钟声响了');
    });
  });

  it('knows before it begins which chapters have the words', () =>
    withEngine({ ...book(2), [pathOf(3)]: '# 第三章\n\n雨。\n' }, createScriptedClient(), async (bench) => {
      const plan = must(await bench.engine.jobs.plan({ instruction, paths: paths(3) }, new AbortController().signal));
      expect(plan.literal).toMatchObject({ words: '钟声', paths: paths(2), places: 2 });
      expect(plan.all).toMatchObject({ chapters: 3, calls: 6 });
      expect(plan.literal?.estimate.tokensIn).toBeLessThan(plan.all.tokensIn);
      expect(plan.all.tokensIn).toBeGreaterThan(6 * 300);
    }));
});

const sizeOf = ({ messages }: ModelRequest): number => messages.reduce((sum, { content }) => sum + content.length, 0);
