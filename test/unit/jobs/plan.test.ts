import { describe, expect, it } from 'vitest';
import { estimateJob } from '../../../src/engine/jobs/estimate';
import { literalOf } from '../../../src/engine/jobs/literal';
import { planJob } from '../../../src/engine/jobs/plan';
import { must } from '../../fakes/engine-bench';
import type { Documents, LiveText } from '../../../src/engine/ports/documents';
import { ok } from '../../../src/engine/ports/result';
import { nextChapter, progressOf, withChapter, type Job, type JobChapter } from '../../../src/engine/jobs/job';

describe('what a job will take', () => {
  it('is two calls a chapter, the chapter in both, and what is written once more', () => {
    expect(estimateJob({ chapters: [1_000], standing: 500 })).toEqual({ chapters: 1, calls: 2, tokensIn: 2 * 1_500 + 250, tokensOut: 250 + 120 });
  });

  it('counts by places where they are known', () => {
    expect(estimateJob({ chapters: [1_000, 2_000], standing: 0, places: [3, 0] })).toEqual({ chapters: 2, calls: 4, tokensIn: 6_000 + 180, tokensOut: 180 + 240 });
  });

  it('names a cost only where there is a price', () => {
    expect(estimateJob({ chapters: [1], standing: 0 })).not.toHaveProperty('cost');
    expect(estimateJob({ chapters: [500_000], standing: 0, places: [0], price: { input: 2, output: 8, currency: 'CNY' } }).cost).toEqual({ amount: 2 + (120 * 8) / 1_000_000, currency: 'CNY' });
  });

  it('grows with the chapters and with nothing else', () => {
    const one = estimateJob({ chapters: [3_000], standing: 1_000 });
    const many = estimateJob({ chapters: Array.from({ length: 300 }, () => 3_000), standing: 1_000 });
    expect(many.tokensIn).toBe(300 * one.tokensIn);
  });
});

describe('what a job will take, before it begins', () => {
  it('is told in the tokens of the model that writes', async () => {
    const documents: Pick<Documents, 'read'> = { read: () => Promise.resolve(ok({ text: '一'.repeat(400) } as LiveText)) };
    const plan = (tokenFactor?: () => Promise<number>): ReturnType<typeof planJob> =>
      planJob({ documents, countTokens: (text) => Promise.resolve(text.length), standing: () => Promise.resolve(100), ...(tokenFactor === undefined ? {} : { tokenFactor }) }, '改得更冷', ['正文/001.md'], new AbortController().signal);
    expect(must(await plan()).all).toEqual(estimateJob({ chapters: [400], standing: 104 }));
    expect(must(await plan(() => Promise.resolve(1.5))).all).toEqual(estimateJob({ chapters: [600], standing: 156 }));
  });
});

describe('an instruction that replaces words and nothing else', () => {
  it.each([
    ['把「钟声」改成「敲门声」', '钟声'],
    ['把全书的『您』改成『你』', '您'],
    ['将“阿砚”全部替换为“阿彦”。', '阿砚'],
    ['把所有「的确」都删掉', '的确'],
    ['Change "bell" to "knock" everywhere', 'bell'],
    ['replace every “Anna” with “Hanna”', 'Anna'],
  ])('is known: %s', (instruction, words) => { expect(literalOf(instruction)).toBe(words); });

  it.each(['把「钟声」改成「敲门声」，再把对话改短', '凡是旁白里的「您」，看情况改成「你」', '每章开头加一句天气', '把「A」改成「B」，「C」改成「D」'])(
    'is not taken for one: %s',
    (instruction) => { expect(literalOf(instruction)).toBeUndefined(); },
  );
});

describe('the list', () => {
  const chapter = (path: string, state: JobChapter['state'], more: Partial<JobChapter> = {}): JobChapter => ({ path, title: path, state, ...more });
  const job = (...chapters: readonly JobChapter[]): Job => ({ v: 1, id: 'j', instruction: 'x', sessionId: 's', before: 'c', createdAt: 0, state: 'running', chapters });

  it('goes on with what was interrupted, then in order', () => {
    expect(nextChapter(job(chapter('a', 'done'), chapter('b', 'waiting'), chapter('c', 'running')))?.path).toBe('c');
    expect(nextChapter(job(chapter('a', 'failed'), chapter('b', 'waiting'), chapter('c', 'waiting')))?.path).toBe('b');
    expect(nextChapter(job(chapter('a', 'done')))).toBeUndefined();
  });

  it('counts what stands changed', () => {
    const all = job(chapter('a', 'done', { added: 3, removed: 1 }), chapter('b', 'undone'), chapter('c', 'failed', { added: 2, removed: 2 }), chapter('d', 'skipped'), chapter('e', 'waiting'));
    expect(progressOf(all)).toEqual({ total: 5, settled: 3, changed: 1, failed: 1, waiting: 1, added: 5, removed: 3 });
  });

  it('forgets what a chapter was before, but for its turn', () => {
    const [a, b] = withChapter(job(chapter('a', 'failed', { turnId: 't', code: 'model.network', added: 1 }), chapter('b', 'waiting')), 'a', { state: 'waiting' }).chapters;
    expect(a).toEqual({ path: 'a', title: 'a', state: 'waiting', turnId: 't' });
    expect(b).toEqual(chapter('b', 'waiting'));
  });
});
