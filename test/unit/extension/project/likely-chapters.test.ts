import { describe, expect, it } from 'vitest';
import { isVolume, likelyChapters } from '../../../../src/extension/features/project/likely-chapters';

describe('names of volumes', () => {
  it.each(['第一卷 退潮', '卷二', '02 第二部', '第十二集', 'Volume 1', 'vol.2', '番外'])('are known: %s', (name) => {
    expect(isVolume(name)).toBe(true);
  });

  it.each(['设定集', '资料', '卷轴设计', '草稿', 'books', '素材'])('are told from others: %s', (name) => {
    expect(isVolume(name)).toBe(false);
  });
});

describe('loose texts', () => {
  it('that are numbered are the chapters; what lies beside them is not taken along', () => {
    expect(likelyChapters(['001 第一章 雪夜.txt', '第二章.txt', '随手记.txt', '大纲.md'])).toEqual(['001 第一章 雪夜.txt', '第二章.txt']);
  });

  it('without numbers are all chapters, but for notes by their names', () => {
    expect(likelyChapters(['雪夜.txt', '山门.txt', 'README.md', '人物.md'])).toEqual(['雪夜.txt', '山门.txt']);
  });

  it('of which a few are numbered by chance are all chapters', () => {
    expect(likelyChapters(['1984.txt', '雪夜.txt', '山门.txt', '试剑.txt'])).toEqual(['1984.txt', '雪夜.txt', '山门.txt', '试剑.txt']);
  });
});
