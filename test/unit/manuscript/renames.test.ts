import { describe, expect, it } from 'vitest';
import { findRenames, type MovedFile } from '../../../src/engine/manuscript/renames';
import { profileOf, similarity } from '../../../src/engine/text/similarity';

/** Files whose hash is their text. */
const files = (all: Readonly<Record<string, string>>): MovedFile[] => Object.entries(all).map(([path, sha]) => ({ path, sha }));
const find = (removed: Readonly<Record<string, string>>, added: Readonly<Record<string, string>>): Promise<readonly (readonly [string, string])[]> =>
  findRenames(files(removed), files(added), ({ sha }) => Promise.resolve(sha === '' ? undefined : sha));

const rain = '雨下了一夜，他没有走。天亮的时候，信还在桌上，灯已经灭了。';

describe('renames', () => {
  it('are equal contents, one to one', async () => {
    expect(await find({ 'a.md': rain, 'b.md': '别的' }, { 'c.md': rain, 'd.md': '另外的' })).toEqual([['a.md', 'c.md']]);
  });

  it('go by likeness where the same contents left or came more than once', async () => {
    const pairs = await find({ 'a.md': rain, 'b.md': rain }, { 'c.md': rain, 'd.md': `${rain}后来呢？` });
    expect(pairs.map(([, to]) => to)).toEqual(['c.md', 'd.md']);
    expect(new Set(pairs.map(([from]) => from)).size).toBe(2);
  });

  it('take the likest first, and nothing that is less than 0.6 alike', async () => {
    const edited = rain.replace('他没有走', '她一直坐着');
    const half = `${rain.slice(0, 15)}后面是完全不同的一段话，和原来没有一个字相同。`;
    expect(similarity(profileOf(rain), profileOf(edited))).toBeGreaterThan(0.6);
    expect(similarity(profileOf(rain), profileOf(half))).toBeLessThan(0.6);
    expect(await find({ 'a.md': rain }, { 'b.md': half, 'c.md': edited })).toEqual([['a.md', 'c.md']]);
    expect(await find({ 'a.md': rain }, { 'b.md': half })).toEqual([]);
  });

  it('are not found among files without a text', async () => {
    expect(await find({ 'a.md': '' }, { 'b.md': 'x' })).toEqual([]);
  });
});
