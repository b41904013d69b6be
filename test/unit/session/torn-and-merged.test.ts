import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { end, grow, HEADER, reply, say, SESSION_ID, textsOf, user, value, withSessions } from './support';

describe('a file cut anywhere in its last lines', () => {
  it('loses nothing that was committed, invents nothing, and can be written on', () =>
    withSessions(async ({ put, another, content }) => {
      const texts = ['第一句', '带 "引号"、\\ 与 }} 的话 {"id":"x"}', '末句🌧'];
      const lines = texts.map((text, i) => say(`e${i}`, i === 0 ? null : `e${i - 1}`, i + 1, text));
      const whole = Buffer.from(`${[HEADER, ...lines].join('\n')}\n`);
      const ends = [...whole.entries()].filter(([, byte]) => byte === 10).map(([at]) => at);
      for (let cut = ends[0]! + 60; cut <= whole.length; cut += 1) {
        await put(whole.subarray(0, cut));
        const session = value(await another().open(SESSION_ID));
        // A line is there when all its bytes before the LF are: the LF itself may be missing.
        const there = ends.slice(1).filter((at) => at <= cut).length;
        const label = `cut at ${cut} of ${whole.length}`;
        expect(textsOf(session), label).toEqual(texts.slice(0, there));
        const torn = cut !== whole.length && !ends.includes(cut) && !ends.includes(cut - 1);
        expect(session.badLines.length, label).toBe(torn ? 1 : 0);
        value(await session.append([user('又来')], { durable: true }));
        await session.close();
        // The torn line now stands in the middle: a reader by prefixes must not take it for a record.
        const again = value(await another().open(SESSION_ID));
        expect(textsOf(again), label).toEqual([...texts.slice(0, there), '又来']);
        expect(again.badLines.length, label).toBe(torn ? 1 : 0);
        expect(again.entryCount(), label).toBe(there + 1);
        await again.close();
        expect((await content()).startsWith(whole.subarray(0, cut).toString('utf8').replace(/\uFFFD+$/, '')), label).toBe(true);
      }
    }));

  it('with zero bytes at its end, as after a power cut, is mended', () =>
    withSessions(async ({ put, another }) => {
      await put(Buffer.concat([Buffer.from(`${HEADER}\n${say('a', null, 1)}\n`), Buffer.alloc(64)]));
      const session = value(await another().open(SESSION_ID));
      value(await session.append([user('b')], { durable: true }));
      await session.close();
      const again = value(await another().open(SESSION_ID));
      expect(textsOf(again)).toEqual(['a', 'b']);
      expect(again.badLines).toHaveLength(1);
      await again.close();
    }));
});

describe('two copies that grew apart', () => {
  it('are one session when merged line by line, in any order of the lines', () =>
    withSessions(async ({ put, another }) => {
      const common = [HEADER, say('a', null, 1), say('b', 'a', 2)];
      const left = [say('l1', 'b', 3), say('l2', 'l1', 4)];
      const right = [say('r1', 'b', 5), say('r2', 'r1', 6)];
      await fc.assert(
        fc.asyncProperty(fc.shuffledSubarray([...common, ...left, ...right], { minLength: 7 }), fc.boolean(), async (lines, crlf) => {
          await put(lines.join(crlf ? '\r\n' : '\n') + (crlf ? '\r\n' : '\n'));
          const session = value(await another().open(SESSION_ID));
          expect(session.header.title).toBe('雨夜');
          expect(textsOf(session, 'l2')).toEqual(['a', 'b', 'l1', 'l2']);
          expect(textsOf(session, 'r2')).toEqual(['a', 'b', 'r1', 'r2']);
          expect(session.children('b')).toEqual(['l1', 'r1']);
          expect(session.leaf()).toBe('r2');
          expect(session.badLines).toEqual([]);
          await session.close();
        }),
        { numRuns: 60 },
      );
    }));

  it('may both have renamed it and moved its leaf: each machine stands where it stood', () =>
    withSessions(async ({ put, another, content, root }) => {
      const a = value(await another({ machine: 'machine-a' }).create({ kind: 'agent', title: 't' }));
      const [one] = await grow(a, ['one', 'two']);
      await a.close();
      const id = a.header.id;
      const base = await content(id);

      const left = value(await another({ machine: 'machine-a' }).open(id));
      value(await left.setLeaf(one!));
      await grow(left, ['left']);
      await left.close();
      const leftFile = await content(id);

      await put(base, `${id}.jsonl`);
      const right = value(await another({ machine: 'machine-b' }).open(id));
      await grow(right, ['right']);
      value(await right.setMeta('title', '右'));
      await right.close();
      const rightFile = await content(id);

      await put(leftFile + rightFile.slice(base.length), `${id}.jsonl`);
      const merged = value(await another({ machine: 'machine-a' }).open(id));
      expect(textsOf(merged)).toEqual(['one', 'left']);
      expect(merged.title()).toBe('右');
      expect(merged.entryCount()).toBe(4);
      await merged.close();
      expect(root).not.toBe('');
    }));
});

/** What a session should be, as plainly as can be: a list of entries and a leaf. */
interface Model {
  readonly entries: { readonly id: string; readonly parentId: string | null; readonly text: string }[];
  leaf: string | null;
  title: string;
}

const modelPath = (model: Model, leaf: string | null): readonly string[] => {
  const texts: string[] = [];
  for (let id = leaf; id !== null; ) {
    const entry = model.entries.find((one) => one.id === id)!;
    texts.unshift(entry.text);
    id = entry.parentId;
  }
  return texts;
};

type Step =
  | { readonly kind: 'append'; readonly text: string; readonly durable: boolean }
  | { readonly kind: 'under'; readonly at: number; readonly text: string }
  | { readonly kind: 'leaf'; readonly at: number }
  | { readonly kind: 'title'; readonly title: string }
  | { readonly kind: 'reopen'; readonly cut: number }
  | { readonly kind: 'clock'; readonly by: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('append' as const), text: fc.string(), durable: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('under' as const), at: fc.nat(20), text: fc.string() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('leaf' as const), at: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('title' as const), title: fc.string() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reopen' as const), cut: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clock' as const), by: fc.integer({ min: -5000, max: 5000 }) }) },
);

describe('any history of a session', () => {
  it('is the same after restarts, torn tails and a clock that jumps', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), (steps) =>
        withSessions(async ({ another, clock, content, put }) => {
          const model: Model = { entries: [], leaf: null, title: 't' };
          let session = value(await another().create({ kind: 'agent', title: 't' }));
          const pick = (at: number): string | null => (model.entries.length === 0 ? null : (model.entries[at % model.entries.length]?.id ?? null));
          const add = async (text: string, durable: boolean, parentId?: string | null): Promise<void> => {
            const parent = parentId === undefined ? model.leaf : parentId;
            const [entry] = value(await session.append([user(text)], parentId === undefined ? { durable } : { durable, parentId }));
            model.entries.push({ id: entry!.id, parentId: parent, text });
            model.leaf = entry!.id;
          };
          for (const one of steps) {
            if (one.kind === 'append') await add(one.text, one.durable);
            if (one.kind === 'under') await add(one.text, false, pick(one.at));
            if (one.kind === 'clock') clock.set(Math.max(1, clock.now() + one.by));
            if (one.kind === 'leaf') {
              model.leaf = pick(one.at);
              value(await session.setLeaf(model.leaf));
            }
            if (one.kind === 'title') {
              model.title = one.title;
              value(await session.setMeta('title', one.title));
            }
            if (one.kind === 'reopen') {
              const { id } = session.header;
              await session.close();
              // A next record that the crash cut short.
              if (one.cut > 0) await put((await content(id)) + say('never', model.leaf, 1).slice(0, one.cut), `${id}.jsonl`);
              session = value(await another().open(id));
            }
            expect(session.leaf()).toBe(model.leaf);
            expect(textsOf(session)).toEqual(modelPath(model, model.leaf));
          }
          expect(session.entryCount()).toBe(model.entries.length);
          expect(session.title()).toBe(model.title);
          for (const entry of model.entries) expect(textsOf(session, entry.id)).toEqual(modelPath(model, entry.id));
          await session.close();
        }),
      ),
      { numRuns: 60 },
    ));
});

describe('a turn', () => {
  it('that was killed between any two of its entries is there up to that entry', () =>
    withSessions(async ({ another, content, put }) => {
      const session = value(await another().create({ kind: 'agent', title: 't' }));
      value(await session.append([user('问'), reply('答'), end], { durable: true }));
      await session.close();
      const { id } = session.header;
      const lines = (await content(id)).split('\n');
      for (let kept = 1; kept < lines.length; kept += 1) {
        await put(`${lines.slice(0, kept).join('\n')}\n`, `${id}.jsonl`);
        const again = value(await another().open(id));
        expect(again.branch().map(({ type }) => type)).toEqual(['user', 'reply', 'end'].slice(0, Math.max(0, kept - 2)));
        await again.close();
      }
    }));
});
