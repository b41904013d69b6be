import { describe, expect, it } from 'vitest';
import type { JobView } from '../../../src/engine/jobs/jobs';
import type { Files } from '../../../src/engine/ports/files';
import { must, withEngine, type EngineBench } from '../../fakes/engine-bench';
import { createFaultyFiles, type SeenOperation } from '../../fakes/faulty-files';
import { asks, call, createScriptedClient, says, type ScriptedAnswer } from '../../fakes/models';

const PATH = '正文/001.md';
const edit: ScriptedAnswer = asks(call('edit', { edits: [{ path: PATH, old: '雨', new: '雨雨' }] }));

/** A disk that is full for what `full` picks out. */
const filling = (full: (operation: SeenOperation) => boolean) => (files: Files): Files => {
  const faulty = createFaultyFiles(files);
  faulty.faults((operation) => ((operation.name === 'append' || operation.name === 'writeAtomic') && full(operation) ? { kind: 'fail', code: 'store.disk-full' } : undefined));
  return faulty;
};
const current = async ({ engine }: EngineBench): Promise<JobView | undefined> => must(await engine.jobs.current());
const over = (bench: EngineBench): Promise<void> => expect.poll(async () => (await current(bench))?.state, { timeout: 10_000 }).not.toBe('running');
const start = { instruction: '写两遍雨', paths: [PATH] };

describe('a job on a full disk', () => {
  it('that cannot be noted has not begun, and does not seem to run', () => {
    let full = true;
    return withEngine({ [PATH]: '雨。' }, createScriptedClient([edit, says('好')]), async (bench) => {
      expect(await bench.engine.jobs.start(start)).toMatchObject({ ok: false, error: { code: 'store.disk-full' } });
      expect(await current(bench)).toBeUndefined();
      full = false;
      must(await bench.engine.jobs.start(start));
      await over(bench);
      expect(await bench.disk(PATH)).toBe('雨雨。');
    }, { files: filling(({ path }) => full && path.includes('local/jobs/')) });
  });

  it('does not do a chapter again whose edits stand without a checkpoint: it has failed, and a retry takes them back first', () => {
    let full = false;
    return withEngine({ [PATH]: '雨。' }, createScriptedClient([edit, edit, says('好')]), async (bench) => {
      const stop = bench.documents.before('apply', () => { full = true; stop(); });
      must(await bench.engine.jobs.start(start));
      await over(bench);
      expect(await bench.disk(PATH)).toBe('雨雨。');
      const job = await current(bench);
      expect(job?.chapters).toMatchObject([{ state: 'failed', code: 'store.disk-full' }]);
      full = false;
      must(await bench.engine.jobs.resume());
      await over(bench);
      expect(await bench.disk(PATH)).toBe('雨雨。');
      must(await bench.engine.jobs.retry(PATH));
      await over(bench);
      expect(await bench.disk(PATH)).toBe('雨雨。');
      expect(must(await bench.engine.checkpoints.list()).map(({ author }) => author)).toContain('agent');
      must(await bench.engine.jobs.undo(PATH));
      expect(await bench.disk(PATH)).toBe('雨。');
    }, { files: filling(({ path }) => full && (path.includes('checkpoints/') || path.includes('sessions/'))) });
  });
});
