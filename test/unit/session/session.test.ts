import { describe, expect, it } from 'vitest';
import { fakeId } from '../../fakes/ids';
import { end, grow, HEADER, line, reply, say, SESSION_ID, textsOf, user, value, withSessions } from './support';

describe('creating', () => {
  it('has its header on the disk before it resolves', () =>
    withSessions(async ({ sessions, content }) => {
      const session = value(await sessions.create({ kind: 'agent', title: '雨夜' }));
      expect(session.header).toEqual({ v: 1, type: 'session', id: fakeId(1), kind: 'agent', title: '雨夜', createdAt: 1000 });
      expect(await content(fakeId(1))).toBe(`{"v":1,"type":"session","id":"${fakeId(1)}","kind":"agent","title":"雨夜","createdAt":1000}\n`);
      expect(session.leaf()).toBeNull();
      expect(session.readOnly).toBe(false);
    }));

  it('leaves no lock behind when the disk is full', () =>
    withSessions(async ({ sessions, files }) => {
      files.faults(({ name }) => (name === 'append' ? { kind: 'fail', code: 'store.disk-full' } : undefined));
      expect(await sessions.create({ kind: 'agent', title: 'x' })).toMatchObject({ ok: false, error: { code: 'store.disk-full' } });
      expect(await files.list('.liyuan/locks')).toEqual([]);
    }));
});

describe('appending', () => {
  it('writes the keys in order, chained parent to child, one line an entry', () =>
    withSessions(async ({ sessions, clock, content }) => {
      const session = value(await sessions.create({ kind: 'agent', title: 't' }));
      clock.advance(5);
      value(await session.append([user('改两处'), reply('好'), end], { durable: true }));
      const [, ...lines] = (await content(fakeId(1))).trimEnd().split('\n');
      expect(lines).toEqual([
        `{"id":"${fakeId(2)}","parentId":null,"ts":1005,"type":"head","data":{"leaf":"${fakeId(3)}","machine":"machine-a"}}`,
        `{"id":"${fakeId(3)}","parentId":null,"ts":1005,"type":"user","data":{"text":"改两处"}}`,
        `{"id":"${fakeId(4)}","parentId":"${fakeId(3)}","ts":1005,"type":"reply","data":{"text":"好","model":"m","status":"sealed"}}`,
        `{"id":"${fakeId(5)}","parentId":"${fakeId(4)}","ts":1005,"type":"end","data":{"status":"done"}}`,
      ]);
      expect(session.leaf()).toBe(fakeId(5));
      expect(session.path()).toEqual([fakeId(3), fakeId(4), fakeId(5)]);
    }));

  it('says in the log where this machine stands: once an opening, and with each of the user’s words', () =>
    withSessions(async ({ sessions, another, content }) => {
      const session = value(await sessions.create({ kind: 'agent', title: 't' }));
      value(await session.append([user('a')], { durable: true }));
      value(await session.append([reply('b')], { durable: true }));
      value(await session.append([end], { durable: true }));
      value(await session.append([user('c')], { durable: true }));
      await session.close();
      const again = value(await another().open(session.header.id));
      value(await again.append([reply('d')], { durable: true }));
      value(await again.append([end], { durable: true }));
      await again.close();
      const types = (await content(session.header.id)).trimEnd().split('\n').map((line) => (JSON.parse(line) as { type: string }).type);
      expect(types).toEqual(['session', 'head', 'user', 'reply', 'end', 'head', 'user', 'head', 'reply', 'end']);
    }));

  it('is fsynced once, with the last entry, when durable', () =>
    withSessions(async ({ sessions, files }) => {
      const session = value(await sessions.create({ kind: 'agent', title: 't' }));
      const fsyncs: boolean[] = [];
      const append = files.append.bind(files);
      (files as { append: typeof files.append }).append = (path, bytes, options) => {
        fsyncs.push(options.fsync);
        return append(path, bytes, options);
      };
      await session.append([user('a'), reply('b')], { durable: true });
      await session.append([user('c')], { durable: false });
      expect(fsyncs).toEqual([false, false, true, false, false]);
    }));

  it('keeps the order of appends that were not waited for', () =>
    withSessions(async ({ sessions }) => {
      const session = value(await sessions.create({ kind: 'agent', title: 't' }));
      await Promise.all(['一', '二', '三'].map((text) => session.append([user(text)], { durable: false })));
      expect(textsOf(session)).toEqual(['一', '二', '三']);
    }));

  it('takes an id that was minted before, but not one that is there', () =>
    withSessions(async ({ sessions }) => {
      const session = value(await sessions.create({ kind: 'agent', title: 't' }));
      const id = '01900000-0000-7000-8000-00000000beef';
      value(await session.append([{ type: 'user', data: { text: 'a' }, id }], { durable: false }));
      expect(session.leaf()).toBe(id);
      expect((await session.append([{ type: 'user', data: { text: 'b' }, id }], { durable: false })).ok).toBe(false);
      expect(textsOf(session)).toEqual(['a']);
    }));

  it('refuses a parent that is not there and writes nothing', () =>
    withSessions(async ({ sessions, content }) => {
      const session = value(await sessions.create({ kind: 'agent', title: 't' }));
      const before = await content(fakeId(1));
      expect(await session.append([user('a')], { durable: false, parentId: 'nobody' })).toMatchObject({
        ok: false,
        error: { code: 'session.unknown-entry', args: { id: 'nobody' } },
      });
      expect(await content(fakeId(1))).toBe(before);
    }));

  it('tells listeners what was written, until they leave', () =>
    withSessions(async ({ sessions }) => {
      const session = value(await sessions.create({ kind: 'agent', title: 't' }));
      const heard: string[] = [];
      const leave = session.onAppend((entries) => heard.push(...entries.map(({ type }) => type)));
      await session.append([user('a'), end], { durable: false });
      leave();
      await session.append([user('b')], { durable: false });
      expect(heard).toEqual(['head', 'user', 'end']);
    }));

  it('keeps what was written before a failing line, and stands there', () =>
    withSessions(async ({ sessions, files, another }) => {
      const session = value(await sessions.create({ kind: 'agent', title: 't' }));
      let appends = 0;
      files.faults(({ name }) => (name === 'append' && (appends += 1) === 3 ? { kind: 'tear', bytes: 30 } : undefined));
      expect((await session.append([user('a'), reply('b')], { durable: true })).ok).toBe(false);
      files.faults(undefined);
      expect(textsOf(session)).toEqual(['a']);
      value(await session.append([reply('c')], { durable: true }));
      await session.close();
      const again = value(await another().open(session.header.id));
      expect(textsOf(again)).toEqual(['a', 'c']);
      expect(again.badLines).toEqual([{ line: 4, offset: expect.any(Number), length: 30 }]);
      await again.close();
    }));

  it('never gives an entry a time before those that are there, though the clock was set back', () =>
    withSessions(async ({ sessions, clock }) => {
      const session = value(await sessions.create({ kind: 'agent', title: 't' }));
      await grow(session, ['a']);
      clock.set(10);
      await grow(session, ['b']);
      expect(session.branch().map(({ ts }) => ts)).toEqual([1000, 1000]);
    }));

  it('takes in what another program appended, before it appends', () =>
    withSessions(async ({ sessions, files }) => {
      const session = value(await sessions.create({ kind: 'agent', title: 't' }));
      await grow(session, ['a']);
      await files.append(`.liyuan/sessions/${session.header.id}.jsonl`, Buffer.from(`${say('outside', session.leaf(), 1000)}\n`), { fsync: false });
      await grow(session, ['b']);
      expect(textsOf(session)).toEqual(['a', 'b']);
      expect(session.children(session.path()[0] ?? null)).toContain('outside');
    }));
});

describe('the tree', () => {
  it('grows branches under any entry and reads each of them', () =>
    withSessions(async ({ sessions }) => {
      const session = value(await sessions.create({ kind: 'agent', title: 't' }));
      const [a, b] = await grow(session, ['a', 'b']);
      value(await session.append([user('b2')], { durable: false, parentId: a! }));
      expect(textsOf(session)).toEqual(['a', 'b2']);
      expect(textsOf(session, b)).toEqual(['a', 'b']);
      expect(textsOf(session, null)).toEqual([]);
      expect(session.children(a!).map((id) => session.get(id)?.data)).toEqual([{ text: 'b' }, { text: 'b2' }]);
      expect(session.children(null)).toEqual([a]);
      expect(session.isOnBranch(a!)).toBe(true);
      expect(session.isOnBranch(b!)).toBe(false);
      expect(session.isOnBranch(b!, b)).toBe(true);
      expect(session.entryCount()).toBe(3);
    }));

  it('finds the nearest entry of a type on the branch', () =>
    withSessions(async ({ sessions }) => {
      const session = value(await sessions.create({ kind: 'agent', title: 't' }));
      await session.append([user('a'), reply('first'), end, user('b'), reply('second')], { durable: false });
      expect(session.lastOnBranch('reply')?.data.text).toBe('second');
      expect(session.lastOnBranch('reply', fakeId(4))?.data.text).toBe('first');
      expect(session.lastOnBranch('choice')).toBeUndefined();
    }));

  it('ends a path at a gap and keeps what hangs below usable', () =>
    withSessions(async ({ put, sessions }) => {
      await put(`${HEADER}\n${say('b', 'lost', 2)}\n${say('c', 'b', 3)}\n`);
      const session = value(await sessions.open(SESSION_ID));
      expect(session.path()).toEqual(['b', 'c']);
      expect(session.stub('b')?.parentId).toBe('lost');
      expect(session.children('lost')).toEqual(['b']);
      expect(session.children(null)).toEqual([]);
      await session.close();
    }));

  it('ends a walk that would go in a circle', () =>
    withSessions(async ({ put, sessions }) => {
      await put(`${HEADER}\n${say('a', 'b', 1)}\n${say('b', 'a', 2)}\n`);
      const session = value(await sessions.open(SESSION_ID));
      expect(session.path('a').length).toBe(2);
      await session.close();
    }));

  it('keeps entries of unknown types and unknown keys, and leaves the types out of branches', () =>
    withSessions(async ({ put, sessions }) => {
      await put(
        `${HEADER}\n${say('a', null, 1)}\n${line('p', 'a', 2, 'hologram', { x: 1 })}\n${line('b', 'p', 3, 'user', { text: 'b', mood: '喜' })}\n`,
      );
      const session = value(await sessions.open(SESSION_ID));
      expect(session.get('p')).toEqual({ id: 'p', parentId: 'a', ts: 2, type: 'hologram', data: { x: 1 } });
      expect(session.path()).toEqual(['a', 'p', 'b']);
      expect(session.branch().map(({ id }) => id)).toEqual(['a', 'b']);
      expect(session.get('b')?.data).toEqual({ text: 'b', mood: '喜' });
      await session.close();
    }));

  it('skips a known type whose payload is not what it promises, and says so', () =>
    withSessions(async ({ put, sessions }) => {
      await put(`${HEADER}\n${line('a', null, 1, 'user', { words: 1 })}\n${say('b', 'a', 2)}\n`);
      const session = value(await sessions.open(SESSION_ID));
      expect(session.get('a')).toBeUndefined();
      expect(textsOf(session)).toEqual(['b']);
      expect(session.badLines.map((bad) => bad.line)).toEqual([2]);
      await session.close();
    }));
});

describe('the leaf', () => {
  it('is where the user put it, also after a restart', () =>
    withSessions(async ({ sessions, another, content }) => {
      const session = value(await sessions.create({ kind: 'agent', title: 't' }));
      const [a] = await grow(session, ['a', 'b', 'c']);
      value(await session.setLeaf(a!));
      expect(await content(fakeId(1))).toContain(`"type":"head","data":{"leaf":"${a!}","machine":"machine-a"}}\n`);
      await session.close();
      const again = value(await another().open(fakeId(1)));
      expect(again.leaf()).toBe(a);
      await again.close();
    }));

  it('can be before the first entry', () =>
    withSessions(async ({ sessions, another }) => {
      const session = value(await sessions.create({ kind: 'agent', title: 't' }));
      await grow(session, ['a']);
      value(await session.setLeaf(null));
      expect(textsOf(session)).toEqual([]);
      await session.close();
      const again = value(await another().open(fakeId(1)));
      expect(again.leaf()).toBeNull();
      await grow(again, ['b']);
      expect(textsOf(again)).toEqual(['b']);
      await again.close();
      const third = value(await another().open(fakeId(1)));
      expect(textsOf(third)).toEqual(['b']);
      await third.close();
    }));

  it('follows what grew after it was put, not older branches there', () =>
    withSessions(async ({ sessions, another }) => {
      const session = value(await sessions.create({ kind: 'agent', title: 't' }));
      const [a] = await grow(session, ['a', 'old1', 'old2']);
      value(await session.setLeaf(a!));
      await grow(session, ['new1', 'new2']);
      await session.close();
      const again = value(await another().open(fakeId(1)));
      expect(textsOf(again)).toEqual(['a', 'new1', 'new2']);
      await again.close();
    }));

  it('survives an append under another parent', () =>
    withSessions(async ({ sessions, another }) => {
      const session = value(await sessions.create({ kind: 'agent', title: 't' }));
      const [a, b] = await grow(session, ['a', 'b']);
      value(await session.setLeaf(b!));
      value(await session.append([user('side')], { durable: true, parentId: a! }));
      await session.close();
      const again = value(await another().open(fakeId(1)));
      expect(textsOf(again)).toEqual(['a', 'side']);
      await again.close();
    }));

  it('is the newest tip when nobody ever put it anywhere', () =>
    withSessions(async ({ put, sessions }) => {
      await put(`${HEADER}\n${say('a', null, 1)}\n${say('c', 'a', 9)}\n${say('b', 'a', 5)}\n`);
      const session = value(await sessions.open(SESSION_ID));
      expect(session.leaf()).toBe('c');
      await session.close();
    }));

  it('is this machine’s own, else the newest of all', () =>
    withSessions(async ({ put, another }) => {
      const head = (id: string, ts: number, leaf: string, machine: string): string => line(id, null, ts, 'head', { leaf, machine });
      await put(
        [HEADER, say('a', null, 1), say('b', 'a', 2), say('c', 'a', 3), head('h1', 4, 'b', 'machine-a'), head('h2', 6, 'c', 'machine-b'), ''].join('\n'),
      );
      for (const [machine, leaf] of [['machine-a', 'b'], ['machine-b', 'c'], ['machine-c', 'c']] as const) {
        const session = value(await another({ machine }).open(SESSION_ID));
        expect(session.leaf(), machine).toBe(leaf);
        await session.close();
      }
    }));

  it('refuses an entry that is not there', () =>
    withSessions(async ({ sessions }) => {
      const session = value(await sessions.create({ kind: 'agent', title: 't' }));
      expect(await session.setLeaf('nobody')).toMatchObject({ ok: false, error: { code: 'session.unknown-entry' } });
    }));

  it('writes nothing when it does not move', () =>
    withSessions(async ({ sessions, content }) => {
      const session = value(await sessions.create({ kind: 'agent', title: 't' }));
      const [a] = await grow(session, ['a']);
      const before = await content(fakeId(1));
      value(await session.setLeaf(a!));
      expect(await content(fakeId(1))).toBe(before);
    }));
});

describe('meta', () => {
  it('renames a session for good, without moving the leaf', () =>
    withSessions(async ({ sessions, another }) => {
      const session = value(await sessions.create({ kind: 'agent', title: '旧' }));
      const [a] = await grow(session, ['a']);
      value(await session.setMeta('title', '新'));
      value(await session.setMeta('colour', { r: 1 }));
      expect([session.title(), session.leaf(), session.meta('colour'), session.meta('none')]).toEqual(['新', a, { r: 1 }, undefined]);
      await session.close();
      const again = value(await another().open(fakeId(1)));
      expect([again.title(), again.leaf(), again.path()]).toEqual(['新', a, [a]]);
      await again.close();
    }));

  it('takes the greatest (ts, id) per key, whatever the line order', () =>
    withSessions(async ({ put, sessions }) => {
      const meta = (id: string, ts: number, value: string): string => line(id, null, ts, 'meta', { key: 'title', value });
      await put([HEADER, meta('m3', 9, 'newest'), meta('m1', 2, 'old'), meta('m2', 9, 'same time, smaller id'), ''].join('\n'));
      const session = value(await sessions.open(SESSION_ID));
      expect(session.title()).toBe('newest');
      await session.close();
    }));
});

describe('duplicates', () => {
  it('counts the same bytes once', () =>
    withSessions(async ({ put, sessions }) => {
      await put([HEADER, say('a', null, 1), say('b', 'a', 2), say('a', null, 1), HEADER, ''].join('\n'));
      const session = value(await sessions.open(SESSION_ID));
      expect([session.entryCount(), session.duplicates, session.badLines]).toEqual([2, [], []]);
      await session.close();
    }));

  it('keeps both of two records under one id, reports them and uses the same one in any order', () =>
    withSessions(async ({ put, another }) => {
      const lines = [say('a', null, 1, 'early'), say('a', null, 2, 'later'), say('b', 'a', 3)];
      for (const order of [lines, [...lines].reverse()]) {
        await put([HEADER, ...order, ''].join('\n'));
        const session = value(await another().open(SESSION_ID));
        expect(session.duplicates).toEqual(['a']);
        expect(session.get('a')?.data).toEqual({ text: 'later' });
        expect(session.alternatives('a').map(({ data }) => data)).toEqual([{ text: 'early' }]);
        expect(session.path()).toEqual(['a', 'b']);
        await session.close();
      }
    }));

  it('prefers the whole line to a torn one of the same entry', () =>
    withSessions(async ({ put, another }) => {
      const whole = line('a', null, 1, 'user', { text: 'x}}y' });
      const torn = whole.slice(0, whole.indexOf('}}') + 2);
      for (const order of [[torn, whole], [whole, torn]]) {
        await put([HEADER, ...order, say('b', 'a', 2), ''].join('\n'));
        const session = value(await another().open(SESSION_ID));
        expect(session.get('a')?.data).toEqual({ text: 'x}}y' });
        expect(session.duplicates).toEqual([]);
        expect(session.badLines).toHaveLength(1);
        await session.close();
      }
    }));
});
