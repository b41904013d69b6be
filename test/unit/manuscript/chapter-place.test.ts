import { describe, expect, it } from 'vitest';
import { newChapterPlace, pathOfPlace, splitTitle } from '../../../src/engine/manuscript/chapter-place';
import type { NumberedChapter } from '../../../src/engine/manuscript/numbering';

function chapters(...lines: readonly string[]): readonly NumberedChapter[] {
  return lines.map((line) => {
    const [path = '', heading] = line.split('|');
    const cut = path.lastIndexOf('/');
    return { path: `正文/${path}`, volume: cut === -1 ? '' : path.slice(0, cut), ...(heading === undefined ? {} : { heading }) };
  });
}

function next(all: readonly NumberedChapter[], where: { readonly after?: string; readonly volume?: string } = {}): string {
  const place = newChapterPlace('正文', all, where);
  return `${pathOfPlace(place, '渡口')}|${place.headingHead}渡口${place.inserted ? ' inserted' : ''} #${place.number}`;
}

describe('the place of a new chapter', () => {
  it('is the first of an empty manuscript', () => {
    expect(next([])).toBe('正文/001-渡口.md|渡口 #1');
    expect(next([], { volume: '第一卷' })).toBe('正文/第一卷/001-渡口.md|渡口 #1');
  });

  it('follows the pattern in use, padding kept', () => {
    expect(next(chapters('0099-雨.md'))).toBe('正文/0100-渡口.md|渡口 #100');
    expect(next(chapters('1. 雨.txt'))).toBe('正文/2. 渡口.txt|渡口 #2');
    expect(next(chapters('第十九章 雨.md|第十九章 雨'))).toBe('正文/第二十章 渡口.md|第二十章 渡口 #20');
    expect(next(chapters('第9章.md'))).toBe('正文/第10章 渡口.md|渡口 #10');
    expect(next(chapters('009-第九章 雨.md|第九章 雨'))).toBe('正文/010-第十章 渡口.md|第十章 渡口 #10');
    expect(next(chapters('ch03_rain.md|Chapter 3: Rain'))).toBe('正文/ch04_渡口.md|Chapter 4: 渡口 #4');
    expect(next(chapters('雨.md', '雪.md'))).toBe('正文/渡口.md|渡口 #3');
  });

  it('is at the end of the last volume, or of the one that is asked for', () => {
    const through = chapters('第一卷/001-甲.md', '第一卷/002-乙.md', '第二卷/003-丙.md');
    expect(next(through)).toBe('正文/第二卷/004-渡口.md|渡口 #4');
    expect(next(through, { volume: '第一卷' })).toBe('正文/第一卷/002-2-渡口.md|渡口 inserted #2');
    expect(next(through, { volume: '第三卷' })).toBe('正文/第三卷/004-渡口.md|渡口 #4');
    const anew = chapters('第一卷/01-甲.md', '第一卷/02-乙.md', '第二卷/01-丙.md');
    expect(next(anew, { volume: '第一卷' })).toBe('正文/第一卷/03-渡口.md|渡口 #3');
    expect(next(anew, { volume: '第三卷' })).toBe('正文/第三卷/01-渡口.md|渡口 #1');
  });

  it('is behind a chapter, in a gap or as an insertion', () => {
    const all = chapters('001-甲.md|第一章 甲', '002-乙.md|第二章 乙', '005-丙.md|第五章 丙');
    expect(next(all, { after: '正文/001-甲.md' })).toBe('正文/001-2-渡口.md|第二章 渡口 inserted #2');
    expect(next(all, { after: '正文/002-乙.md' })).toBe('正文/003-渡口.md|第三章 渡口 #3');
    const inserted = chapters('001-甲.md', '001-2-乙.md', '002-丙.md');
    expect(next(inserted, { after: '正文/001-甲.md' })).toBe('正文/001-1-渡口.md|渡口 inserted #1');
    expect(next(inserted, { after: '正文/001-2-乙.md' })).toBe('正文/001-3-渡口.md|渡口 inserted #1');
  });

  it('leaves out of the name what no file may be called', () => {
    expect(pathOfPlace(newChapterPlace('正文', []), ' 谁？"a/b"*. ')).toBe('正文/001-谁？ a b.md');
  });
});

it('number and title of a name come apart', () => {
  expect(['001-雨夜', '第三章 雨夜', '001-第一章 雨夜', 'Chapter 3: Rain', '雨夜', '003-2-雨'].map((name) => splitTitle(name))).toEqual([
    { head: '001-', title: '雨夜' },
    { head: '第三章 ', title: '雨夜' },
    { head: '001-第一章 ', title: '雨夜' },
    { head: 'Chapter 3: ', title: 'Rain' },
    { head: '', title: '雨夜' },
    { head: '003-2-', title: '雨' },
  ]);
});
