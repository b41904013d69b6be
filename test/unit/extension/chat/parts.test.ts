import { describe, expect, test } from 'vitest';
import type { ChatDelta, ChatItem } from '../../../../src/protocol/chat';
import { createDeltaQueue } from '../../../../src/extension/features/chat/delta-queue';
import { createDrafts } from '../../../../src/extension/features/chat/drafts';
import { errorNotice } from '../../../../src/extension/features/chat/notices';
import { createItemList } from '../../../../src/extension/features/chat/item-list';
import { errorTexts } from '../../../../src/extension/l10n/error-texts';
import { errorTable } from '../../../../src/engine/ports/errors';
import type { EngineError } from '../../../../src/engine/index';
import type { ErrorCode } from '../../../../src/engine/ports/errors';
import { errorReceipt } from '../../../../src/engine/tools/receipts';
import { lookAtChapters } from '../../../../src/extension/features/chat/sample-sentence';
import { toolNote, toolState, toolTitle } from '../../../../src/extension/features/chat/tool-cards';
import { createAsks } from '../../../../src/extension/asks';
import { fillMessage as t } from '../../../../src/extension/l10n/translate';
import { createFakeClock } from '../../../fakes/clock';

const append = (id: string, text: string): ChatDelta => ({ op: 'append', id, field: 'text', text });
const message = (id: string, text: string): ChatItem => ({ kind: 'assistant', id, turnId: 't', text, reasoning: '', state: 'streaming' });

describe('the queue of deltas', () => {
  test('sends what comes after a silence at once, and the rest once a tick', () => {
    const clock = createFakeClock();
    const sent: (readonly [at: number, count: number])[] = [];
    const began = clock.now();
    const queue = createDeltaQueue({ clock, tickMs: 16, send: (deltas) => sent.push([clock.now() - began, deltas.length]) });
    const put = (text: string): void => { queue.push([{ op: 'prefill', text }]); };
    put('a');
    put('b');
    clock.advance(1);
    put('c');
    clock.advance(9);
    put('d');
    clock.advance(40);
    put('e');
    clock.advance(0);
    expect(sent).toEqual([[0, 2], [16, 2], [50, 1]]);
  });

  test('hands on one tick together, neighbouring appends joined, order kept', () => {
    const clock = createFakeClock();
    const sent: ChatDelta[][] = [];
    const queue = createDeltaQueue({ clock, tickMs: 16, send: (deltas) => sent.push(deltas) });
    queue.push([append('a', '雨'), append('a', '夜')]);
    queue.push([append('b', 'x'), append('a', '。')]);
    expect(sent).toEqual([]);
    clock.advance(16);
    expect(sent).toEqual([[append('a', '雨夜'), append('b', 'x'), append('a', '。')]]);
    clock.advance(100);
    expect(sent).toHaveLength(1);
  });

  test('drops what waits when a snapshot holds it already', () => {
    const clock = createFakeClock();
    const sent: ChatDelta[][] = [];
    const queue = createDeltaQueue({ clock, tickMs: 16, send: (deltas) => sent.push(deltas) });
    queue.push([append('a', 'x')]);
    queue.clear();
    clock.advance(50);
    expect(sent).toEqual([]);
  });
});

describe('the list of items', () => {
  test('puts at the end, replaces in place, appends, removes', () => {
    const list = createItemList([message('a', '1'), message('b', '2')]);
    list.apply({ op: 'put', item: message('c', '3') });
    list.apply({ op: 'put', item: message('a', '一') });
    list.apply(append('b', '二'));
    list.apply(append('gone', 'x'));
    list.apply({ op: 'remove', ids: ['c'] });
    expect(list.items()).toEqual([message('a', '一'), message('b', '2二')]);
  });
});

describe('drafts', () => {
  const memoryOver = (kept: Map<string, unknown>): Parameters<typeof createDrafts>[0] => ({
    get: <T>(key: string): T | undefined => kept.get(key) as T | undefined,
    update: (key, value) => {
      if (value === undefined) kept.delete(key);
      else kept.set(key, value);
      return Promise.resolve();
    },
  });

  test('are one for each conversation and one for each project’s new one, for the next host too', async () => {
    const kept = new Map<string, unknown>();
    const drafts = createDrafts(memoryOver(kept), () => 'file:///novel');
    await drafts.save('a', '甲');
    await drafts.save('b', '乙');
    await drafts.save(undefined, '新的');
    const next = createDrafts(memoryOver(kept), () => 'file:///novel');
    expect([next.of('a'), next.of('b'), next.of(undefined), next.of('c')]).toEqual(['甲', '乙', '新的', undefined]);
    expect(createDrafts(memoryOver(kept), () => 'file:///other').of(undefined)).toBeUndefined();
  });

  test('leave nothing behind when the box is empty', async () => {
    const kept = new Map<string, unknown>();
    const drafts = createDrafts(memoryOver(kept), () => '');
    await drafts.save('a', '甲');
    await drafts.save('a', '');
    expect(drafts.of('a')).toBeUndefined();
    expect(kept.size).toBe(0);
  });
});

describe('the example about a sentence', () => {
  const folder = (files: Readonly<Record<string, string>>): Parameters<typeof lookAtChapters>[0] => ({
    list: async () => Promise.resolve(Object.keys(files).map((path) => ({ path, size: 1, mtime: 1 }))),
    read: async (path) => Promise.resolve({ ok: true, value: { path, text: files[path] ?? '', version: '1', dirty: false, encoding: 'utf8', eol: '\n' } }),
  });

  test.each([
    ['stands in the first chapter', { '正文/10.md': '别的。', '正文/2.md': '雨大的时候，灯是看不见的。' }, { sampleSentence: true }],
    ['stands in one that is plain text', { '正文/1.txt': '雨大的时候，灯是看不见的。' }, { sampleSentence: true }],
    ['stands only in a later one', { '正文/1.md': '别的。', '正文/2.md': '灯是看不见的。' }, {}],
    ['stands there twice', { '正文/1.md': '灯是看不见的。灯是看不见的。' }, {}],
    ['is nowhere, there being no chapter', { '正文/图.png': '' }, { noChapters: true }],
  ])('is offered or not: it %s', async (_, files, offered) => {
    expect(await lookAtChapters(folder(files as Readonly<Record<string, string>>), '正文')).toEqual(offered);
  });
});

describe('what can be done about an error', () => {
  const actions = (error: EngineError, again = true): readonly string[] => errorNotice('n', 't', error, t, again).actions.map(({ action, label }) => `${action}: ${label}`);

  test.each<readonly [EngineError, readonly string[]]>([
    [{ code: 'model.output-limit', args: { limit: 8192 } }, ['openMaxOutput: Raise the output limit…', 'continue: Continue']],
    [{ code: 'turn.no-answer' }, ['retry: Try again']],
    [{ code: 'model.network', args: { host: '127.0.0.1:1' } }, ['retry: Try again', 'configureModel: Change the model settings…']],
    [{ code: 'model.network', args: { host: '127.0.0.1:1', reason: 'broke-off' } }, ['retry: Try again']],
    [{ code: 'model.not-found', args: { reason: 'page' } }, ['configureModel: Change the model settings…', 'retry: Try again']],
    [{ code: 'model.no-key' }, ['configureModel: Set up the model…', 'retry: Try again']],
  ])('%j: %j', (error, offered) => {
    expect(actions(error)).toEqual(offered);
  });

  test('is not to run a turn again where there is none', () => {
    expect(actions({ code: 'model.output-limit' }, false)).toEqual(['openMaxOutput: Raise the output limit…']);
    expect(actions({ code: 'turn.no-answer' }, false)).toEqual([]);
  });
});

describe('questions that wait', () => {
  const request = { askId: 'q', question: '？', options: ['甲', '乙'] };

  test('are answered once', async () => {
    const asks = createAsks();
    const answer = asks.ask(request, new AbortController().signal);
    expect(asks.pending()).toEqual([request]);
    expect(asks.answer('q', { kind: 'answer', text: '甲', by: 'option' })).toBe(true);
    expect(asks.answer('q', { kind: 'stopped' })).toBe(false);
    expect(await answer).toEqual({ kind: 'answer', text: '甲', by: 'option' });
    expect(asks.pending()).toEqual([]);
  });

  test('count as stopped when the turn is stopped, also before they were asked', async () => {
    const asks = createAsks();
    const abort = new AbortController();
    const answer = asks.ask(request, abort.signal);
    abort.abort();
    expect(await answer).toEqual({ kind: 'stopped' });
    expect(await asks.ask(request, abort.signal)).toEqual({ kind: 'stopped' });
    expect(asks.pending()).toEqual([]);
  });

  test('tell when one comes and goes', () => {
    const asks = createAsks();
    const counts: number[] = [];
    asks.onDidChange(() => counts.push(asks.pending().length));
    void asks.ask(request, new AbortController().signal);
    asks.answer('q', { kind: 'stopped' });
    expect(counts).toEqual([1, 0]);
  });
});

describe('tool cards', () => {
  test.each([
    ['list', {}, 'List the folders', undefined],
    ['list', { path: '正文' }, 'List 正文', '正文'],
    ['read', { path: '正文/1.md' }, 'Read 正文/1.md', '正文/1.md'],
    ['grep', { pattern: '灯' }, 'Search for “灯”', undefined],
    ['edit', { edits: [{ path: 'a.md' }, { path: 'a.md' }] }, 'Edit a.md', 'a.md'],
    ['edit', { edits: [{ path: 'a.md' }, { path: 'b.md' }] }, 'Edit 2 files', undefined],
    ['edit', { path: 'a.md', oldText: 'x' }, 'Edit a.md', 'a.md'],
    ['edit', {}, 'Edit', undefined],
    ['write', { path: 'a.md' }, 'Write a.md', 'a.md'],
    ['rename', { from: 'a.md', to: 'b.md' }, 'Rename a.md to b.md', 'b.md'],
    ['delete', { path: 'a.md' }, 'Delete a.md', undefined],
    ['outline', {}, 'Look at the outline', undefined],
    ['of_the_future', { path: 'a.md' }, 'of_the_future', 'a.md'],
  ])('%s %o is called “%s”', (name, args, title, path) => {
    const words = toolTitle(t, name, args);
    expect(words.title).toBe(title);
    if (name !== 'list') expect(words.path).toBe(path);
  });

  test.each([
    ['read', '{"start":1,"end":40,"of":200}', true, 'Lines 1 to 40 of 200'],
    ['grep', '{"matches":[],"lines":0}', true, 'Nothing found'],
    ['grep', '{"matches":[{}],"lines":12}', true, 'Lines found: 12'],
    ['edit', '{"matches":[{},{}],"files":[{}]}', true, 'Places changed: 2'],
    ['write', '{"done":"created"}', true, 'New file'],
    ['write', '{"done":"replaced"}', true, 'Written'],
    ['outline', '{"chapters":[{}],"of":8}', true, 'Chapters: 8'],
    ['edit', '{"error":"no_match","nearest":"…"}', false, 'The words to be replaced were not found.'],
    ['edit', '{"error":"many_matches"}', false, 'The words to be replaced occur more than once.'],
    ['read', '{"error":"not_found"}', false, 'There is no such file.'],
    ['write', '{"error":"unseen","unsaved":true,"text":"雨。","seen":true}', false, 'The file has words the agent had not seen, so it was not replaced.'],
    ['write', '{"error":"changed"}', false, 'The text changed in the meantime.'],
    ['read', '{"error":"forbidden","path":".git/config"}', false, 'Files and folders whose names start with a dot are not open to the agent.'],
    ['read', '{"error":"not_run"}', false, 'Not run.'],
    ['read', '{"error":"interrupted"}', false, 'Interrupted'],
    ['read', 'not json', false, 'Did not succeed'],
  ])('%s with %s says “%s %s”', (name, result, ok, note) => {
    expect(toolNote(t, name, result, ok)).toBe(note);
  });

  test.each([
    ['{"path":"AGENTS.md"}', true, 'done'],
    ['{"error":"refused","path":"AGENTS.md"}', false, 'declined'],
    ['{"error":"no_match"}', false, 'failed'],
    ['not json', false, 'failed'],
  ])('whose receipt is %s (%s) are %s', (result, ok, state) => {
    expect(toolState(result, ok)).toBe(state);
  });

  describe('say in words what a receipt says by name', () => {
    const codes = Object.keys(errorTable) as ErrorCode[];
    const nameOf = (code: ErrorCode): unknown => errorReceipt({ code })['error'];

    test.each(codes)('%s', (code) => {
      const sameName = codes.filter((other) => nameOf(other) === nameOf(code)).map((other) => errorTexts[other]);
      expect(sameName).toContain(toolNote(t, 'write', JSON.stringify(errorReceipt({ code })), false));
    });

    test.each(codes.filter((code) => errorTable[code].audience !== 'person' || /^(store|workspace|object)/.test(code)))('%s in its own', (code) => {
      expect(toolNote(t, 'write', JSON.stringify(errorReceipt({ code })), false)).toBe(errorTexts[code]);
    });
  });
});
