import { describe, expect, it } from 'vitest';
import { countWords } from '../../../../src/engine/text/count-words';
import { numbersCsv } from '../../../../src/extension/features/numbers/csv';
import { numbersSnapshotOf } from '../../../../src/extension/features/numbers/snapshot';
import { statusWords, type StatusNumbers } from '../../../../src/extension/features/numbers/status-words';
import { fillMessage } from '../../../../src/extension/l10n/translate';
import { numbersSnapshot } from '../../../../src/protocol/numbers';
import { readJson } from '../../structure/source-tree';

const bundle = readJson<Readonly<Record<string, string>>>('l10n/bundle.l10n.zh-cn.json');
const zh = (message: string, args?: Readonly<Record<string, string | number>>): string => fillMessage(bundle[message] ?? message, args);
const numbers: StatusNumbers = { chapter: 2_345, selected: undefined, today: { user: 1_000, agent: 203 }, target: 2_000, book: 120_000 };

describe('the status bar', () => {
  it('says the chapter, the day and the target, in both languages', () => {
    expect(statusWords(zh, numbers, 'zh-cn').text).toBe('本章 2,345 字 · 今日 +1,203 / 2,000');
    expect(statusWords(fillMessage, numbers, 'en').text).toBe('Chapter 2,345 words · today +1,203 / 2,000');
    expect(statusWords(zh, { ...numbers, target: 0 }, 'zh-cn').text).toBe('本章 2,345 字 · 今日 +1,203');
    expect(statusWords(zh, { ...numbers, today: undefined }, 'zh-cn').text).toBe('本章 2,345 字');
  });

  it('says what is selected, and marks quietly that the target is reached', () => {
    expect(statusWords(zh, { ...numbers, selected: 120, target: 1_203 }, 'zh-cn')).toMatchObject({
      text: '选中 120 字 · $(check) 今日 +1,203 / 1,203',
      label: '选中 120 字，今日 +1,203 / 1,203，已达到今日目标 1,203 字。',
    });
  });

  it('tells the rest in its tooltip', () => {
    expect(statusWords(zh, { ...numbers, selected: 120 }, 'zh-cn').tooltip).toEqual([
      '选中 120 字', '本章 2,345 字', '全书 120,000 字', '今日写下：你 1,000 字，助手 203 字', '距今日目标 2,000 字还差 797 字', '挪动的文字不算写，删去的不倒扣。', '点击查看全年字数。',
    ]);
  });

  it('counts a chapter of 20,000 字 in a few milliseconds, once in a pause and at no key', () => {
    const text = '沈砚秋沿着河堤走，潮水一寸一寸退下去，灯在雾里。\n'.repeat(870);
    expect(countWords(text)).toBeGreaterThan(20_000);
    const times = Array.from({ length: 21 }, () => {
      const began = performance.now();
      countWords(text);
      return performance.now() - began;
    }).sort((a, b) => a - b);
    console.log(`a chapter of 20,000 字 is counted in ${(times[10] ?? 0).toFixed(2)} ms`);
    expect(times[10]).toBeLessThan(8);
  });
});

describe('the export', () => {
  it('has a line for each day, oldest first, today as it stands now, as spreadsheets read it', () => {
    const days = [{ day: '2026-11-30', user: 10, agent: 0 }, { day: '2026-12-01', user: 1, agent: 2 }];
    expect(numbersCsv(['日期', '你,我', '=助手', '合计'], days, { day: '2026-12-01', user: 5, agent: 2 })).toBe('\uFEFF日期,"你,我",\'=助手,合计\r\n2026-11-30,10,0,10\r\n2026-12-01,5,2,7\r\n');
    expect(numbersCsv(['a', 'b', 'c', 'd'], [], { day: '2026-12-01', user: 0, agent: 0 })).toBe('\uFEFFa,b,c,d\r\n');
  });
});

describe('what the view is given', () => {
  const given = { target: 2_000, day: '2026-12-01', describe: () => '打不开' };
  it('fits the protocol in every state', () => {
    const chapter = { path: '正文/001.md', title: '雨夜', volume: '', words: 9, target: 3_000, mtime: 1, dirty: false };
    const counted = { days: [], lost: 0, today: { day: '2026-12-01', user: 1, agent: 2 }, chapters: [chapter] };
    const open = numbersSnapshotOf({ numbers: counted, error: undefined, counting: undefined }, given);
    expect(numbersSnapshot.parse(open)).toEqual({ project: 'open', days: [], lost: 0, target: 2_000, today: counted.today, chapters: [{ path: '正文/001.md', title: '雨夜', volume: '', words: 9, target: 3_000 }] });
    for (const [state, project] of [
      [{ numbers: undefined, error: { code: 'project.none' as const }, counting: undefined }, 'none'],
      [{ numbers: undefined, error: { code: 'store.io' as const }, counting: undefined }, 'failed'],
      [{ numbers: undefined, error: undefined, counting: { done: 1, total: 2 } }, 'open'],
    ] as const) expect(numbersSnapshot.parse(numbersSnapshotOf(state, given)).project).toBe(project);
  });
});
