import { describe, expect, it } from 'vitest';
import type { ChatItem } from '../../src/protocol/chat';
import { createSearch, mostHits, withoutMarks, wordsOf } from '../../webview/chat/find/search';
import { assistant, tool, user } from './support/samples';

const alive = new AbortController().signal;

describe('finding words', () => {
  it('counts each place, in the order of the items, whatever the case', async () => {
    const items = [user('u1', '雨，雨。'), assistant('a1', 'Rain and rain'), user('u2', '晴')];
    const search = createSearch();
    expect(await search.run(items, '雨', alive)).toEqual([{ id: 'u1', nth: 0 }, { id: 'u1', nth: 1 }]);
    expect(await search.run(items, 'RAIN', alive)).toHaveLength(2);
    expect(await search.run(items, '  ', alive)).toEqual([]);
    expect(await search.run(items, '.', alive)).toEqual([]);
  });

  it('finds words over the marks of emphasis and links, and none in the address of a link', async () => {
    expect(withoutMarks('她的**情绪**收在\n> - `灯`里，见[第二章](正文/002.md)')).toBe('她的情绪收在\n灯里，见第二章');
    expect(await createSearch().run([assistant('a', '她的**情绪**收在')], '情绪收', alive)).toHaveLength(1);
    expect(await createSearch().run([assistant('a', '[第二章](正文/002.md)')], '002', alive)).toEqual([]);
  });

  it('finds words of folded parts: thinking, what a step asked for and got, as they read and not as JSON', async () => {
    const items: readonly ChatItem[] = [
      assistant('a', '好', { reasoning: '先想想砚秋' }),
      tool('c', 'edit', '改了', { args: JSON.stringify({ edits: [{ old: '她说：“走”\n砚秋' }] }), result: '{"error":"砚秋"}' }),
    ];
    const search = createSearch();
    expect((await search.run(items, '砚秋', alive))?.map(({ id }) => id)).toEqual(['a', 'c', 'c']);
    expect(await search.run(items, '“走”', alive)).toHaveLength(1);
    expect(await search.run(items, 'edits', alive)).toEqual([]);
    expect(wordsOf(tool('c', 'x', 'T', { args: '{"broken', result: '' }))).toContain('{"broken');
  });

  it('gives up when something else is looked for, and stops counting at a limit', async () => {
    const abort = new AbortController();
    const many = Array.from({ length: 400 }, (_, n) => user(`u${n}`, '雨'.repeat(60)));
    const search = createSearch(async () => { abort.abort(); });
    expect((await createSearch().run(many, '雨', alive))?.length).toBe(mostHits);
    abort.abort();
    expect(await search.run(many, '晴', abort.signal)).toBeUndefined();
  });
});
