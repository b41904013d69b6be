import { describe, expect, it } from 'vitest';
import type { Chapter } from '../../../../src/engine/index';
import { childrenOf, sumOf, volumesAbove, volumesOf } from '../../../../src/extension/features/chapters/nodes';
import { progressOf, statusKind } from '../../../../src/extension/features/chapters/status';

const chapter = (path: string, words = 10): Chapter => ({ path: `正文/${path}`, volume: path.split('/').slice(0, -1).join('/'), title: path, words, mtime: 0, dirty: false });
const novel = [chapter('000.md'), chapter('卷一/001.md'), chapter('卷一/上/002.md', 5), chapter('卷一/003.md'), chapter('卷二/004.md', 7)];

describe('the rows of the chapters view', () => {
  it('are volumes and chapters in the order in which they first come', () => {
    expect(childrenOf(novel, '')).toEqual([{ kind: 'chapter', path: '正文/000.md' }, { kind: 'volume', path: '卷一' }, { kind: 'volume', path: '卷二' }]);
    expect(childrenOf(novel, '卷一')).toEqual([{ kind: 'chapter', path: '正文/卷一/001.md' }, { kind: 'volume', path: '卷一/上' }, { kind: 'chapter', path: '正文/卷一/003.md' }]);
    expect(childrenOf(novel, '卷一/上')).toEqual([{ kind: 'chapter', path: '正文/卷一/上/002.md' }]);
  });

  it('sum up what is below a volume', () => {
    expect(sumOf(novel, '卷一')).toEqual({ chapters: 3, words: 25 });
    expect(sumOf(novel, '')).toEqual({ chapters: 5, words: 42 });
    expect(volumesOf(novel)).toEqual(['卷一', '卷一/上', '卷二']);
    expect(volumesAbove('卷一/上')).toEqual(['卷一', '卷一/上']);
  });

  it('stay quick at 3,000 chapters in 30 volumes', () => {
    const long = Array.from({ length: 3_000 }, (_, at) => chapter(`第${Math.floor(at / 100) + 1}卷/${String(at + 1).padStart(4, '0')}.md`));
    const start = performance.now();
    expect(childrenOf(long, '').length).toBe(30);
    for (let volume = 1; volume <= 30; volume += 1) expect([childrenOf(long, `第${volume}卷`).length, sumOf(long, `第${volume}卷`).chapters]).toEqual([100, 100]);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

it('a status is known in the words that are used for it', () => {
  expect(['草稿', '修改中', '修改', '定稿', 'Draft', 'revised', 'final', '等编辑看'].map(statusKind)).toEqual(['draft', 'revising', 'revising', 'final', 'draft', 'revising', 'final', 'other']);
});

it('progress is whole percent, never rounded up to done', () => {
  expect([progressOf(0, 3000), progressOf(2999, 3000), progressOf(3300, 3000)]).toEqual([0, 99, 110]);
});
