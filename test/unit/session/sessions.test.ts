import { mkdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeId } from '../../fakes/ids';
import { grow, HEADER, line, say, SESSION_ID, textsOf, user, value, withSessions } from './support';

describe('opening', () => {
  it('gives the same session until it is closed', () =>
    withSessions(async ({ sessions }) => {
      const created = value(await sessions.create({ kind: 'agent', title: 't' }));
      const opened = value(await sessions.open(created.header.id));
      expect(opened).toBe(created);
      await created.close();
      await created.close();
      const later = value(await sessions.open(created.header.id));
      expect(later).not.toBe(created);
      await later.close();
    }));

  it('reads only, when another window holds the session, and writes again when that one is gone', () =>
    withSessions(async ({ sessions, another }) => {
      const first = value(await sessions.create({ kind: 'agent', title: 't' }));
      await grow(first, ['a']);
      const second = value(await another().open(first.header.id));
      expect(second).toMatchObject({ readOnly: true, readOnlyReason: 'locked' });
      expect(textsOf(second)).toEqual(['a']);
      expect(await second.append([user('b')], { durable: false })).toMatchObject({ ok: false, error: { code: 'session.read-only' } });
      expect(await second.setLeaf(null)).toMatchObject({ ok: false, error: { code: 'session.read-only' } });
      expect(await second.setMeta('title', 'x')).toMatchObject({ ok: false, error: { code: 'session.read-only' } });
      await second.close();
      await first.close();
      const third = value(await another().open(first.header.id));
      expect(third).toMatchObject({ readOnly: false, readOnlyReason: undefined });
      await third.close();
    }));

  it('does not mend a torn tail that another window may still be writing', () =>
    withSessions(async ({ sessions, another, files, content }) => {
      const first = value(await sessions.create({ kind: 'agent', title: 't' }));
      await grow(first, ['a']);
      await files.append(`.liyuan/sessions/${first.header.id}.jsonl`, Buffer.from('{"id":"half'), { fsync: false });
      const before = await content(first.header.id);
      const second = value(await another().open(first.header.id));
      expect(second.badLines).toHaveLength(1);
      expect(await content(first.header.id)).toBe(before);
      await second.close();
      await first.close();
    }));

  it('becomes read-only when its lock is taken over, without a crash', () =>
    withSessions(async ({ root, sessions, files }) => {
      const lock = files.lock.bind(files);
      let lost: Promise<void> = Promise.resolve();
      (files as { lock: typeof files.lock }).lock = async (path) => {
        const taken = await lock(path, { staleMs: 3000 });
        lost = taken.lost;
        return taken;
      };
      const session = value(await sessions.create({ kind: 'agent', title: 't' }));
      const stranger = new Date('2020-01-01T00:00:00Z');
      await utimes(join(root, '.liyuan/locks', `session-${session.header.id}.lock`), stranger, stranger);
      await lost;
      expect(session).toMatchObject({ readOnly: true, readOnlyReason: 'lock-lost' });
      expect(await session.append([user('a')], { durable: true })).toMatchObject({ ok: false, error: { code: 'store.lock-lost' } });
      await session.close();
    }));

  it('reads a newer version and never writes into it', () =>
    withSessions(async ({ put, sessions, content }) => {
      const text = `${HEADER.replace('"v":1', '"v":2')}\n${say('a', null, 1)}`;
      await put(text);
      const session = value(await sessions.open(SESSION_ID));
      expect(session).toMatchObject({ readOnly: true, readOnlyReason: 'newer-version' });
      expect(textsOf(session)).toEqual(['a']);
      expect(await session.append([user('b')], { durable: false })).toMatchObject({ ok: false, error: { code: 'store.newer-version' } });
      await session.close();
      expect(await content()).toBe(text);
    }));

  it('writes nothing at all in a read-only engine', () =>
    withSessions(async ({ put, another, files }) => {
      await put(`${HEADER}\n${say('a', null, 1)}\n{"torn`);
      const sessions = another({ readOnly: true });
      const session = value(await sessions.open(SESSION_ID));
      await sessions.list();
      expect(session).toMatchObject({ readOnly: true, readOnlyReason: 'asked' });
      expect((await sessions.create({ kind: 'agent', title: 't' })).ok).toBe(false);
      await session.close();
      expect(files.seen.filter(({ name }) => !['read', 'readRange', 'stat', 'list'].includes(name))).toEqual([]);
    }));

  it('refuses what is not there, has no header, or is no id', () =>
    withSessions(async ({ put, sessions, files }) => {
      expect(await sessions.open(SESSION_ID)).toMatchObject({ ok: false, error: { code: 'session.not-found' } });
      expect(await sessions.open('../project')).toMatchObject({ ok: false, error: { code: 'session.not-found' } });
      await put(`${say('a', null, 1)}\n`);
      expect(await sessions.open(SESSION_ID)).toMatchObject({ ok: false, error: { code: 'store.bad-file' } });
      expect(await files.list('.liyuan/locks')).toEqual([]);
    }));

  it('gives a failing disk as a refusal and can be tried again', () =>
    withSessions(async ({ put, sessions, files }) => {
      await put(`${HEADER}\n${say('a', null, 1)}\n`);
      files.faults(({ name, path }) => (name === 'read' && path.endsWith('.jsonl') ? { kind: 'fail', code: 'store.io' } : undefined));
      expect(await sessions.open(SESSION_ID)).toMatchObject({ ok: false, error: { code: 'store.io' } });
      files.faults(undefined);
      const session = value(await sessions.open(SESSION_ID));
      expect(session.readOnly).toBe(false);
      await session.close();
    }));

  it('finds the header by its type, with CRLF, a BOM and blank lines around', () =>
    withSessions(async ({ put, sessions }) => {
      await put(`\uFEFF${say('b', 'a', 2)}\r\n\r\n${say('a', null, 1)}\r\n${HEADER}\r\n`);
      const session = value(await sessions.open(SESSION_ID));
      expect(session.title()).toBe('雨夜');
      expect(textsOf(session)).toEqual(['a', 'b']);
      expect(session.badLines).toEqual([]);
      await session.close();
    }));

  it('unites conflict copies of a cloud drive with their session, once', () =>
    withSessions(async ({ put, another, content }) => {
      await put([HEADER, say('a', null, 1), say('b', 'a', 2), ''].join('\n'));
      await put([HEADER, say('a', null, 1), say('c', 'a', 3), '{"torn'].join('\n'), `${SESSION_ID} (冲突的副本).jsonl`);
      await put([HEADER.replace(SESSION_ID, 'someone-else'), say('x', null, 1), ''].join('\n'), `${SESSION_ID}-2.jsonl`);
      for (let i = 0; i < 2; i += 1) {
        const session = value(await another().open(SESSION_ID));
        expect(session.children('a')).toEqual(['b', 'c']);
        expect(session.get('x')).toBeUndefined();
        await session.close();
      }
      expect(await content()).toBe([HEADER, say('a', null, 1), say('b', 'a', 2), say('c', 'a', 3), ''].join('\n'));
      expect((await another().list()).sessions.map(({ id }) => id).sort()).toEqual([SESSION_ID, 'someone-else']);
    }));

  it('finds a session whose file was given another name', () =>
    withSessions(async ({ put, sessions }) => {
      await put(`${HEADER}\n${say('a', null, 1)}\n`, '我的对话.jsonl');
      const session = value(await sessions.open(SESSION_ID));
      expect(textsOf(session)).toEqual(['a']);
      await session.close();
    }));
});

describe('the list', () => {
  it('is empty where nothing is', () =>
    withSessions(async ({ sessions }) => {
      expect(await sessions.list()).toEqual({ sessions: [], unreadable: [] });
    }));

  it('shows titles after renaming, newest change first, and reports what it cannot read', () =>
    withSessions(async ({ put, sessions, file }) => {
      const renamed = line('m', null, 5, 'meta', { key: 'title', value: '改名了' });
      await put([HEADER, say('a', null, 1, '"type":"meta" "type":"session"'), renamed, ''].join('\n'));
      await put(HEADER.replace(SESSION_ID, fakeId(77)).replace('雨夜', '第二'), `${fakeId(77)}.jsonl`);
      await put('nothing of ours', 'broken.jsonl');
      await put('x', 'notes.txt');
      await mkdir(file('a-folder'));
      await utimes(file(), 2_000_000, 2_000_000);
      await utimes(file(fakeId(77)), 3_000_000, 3_000_000);
      const { sessions: rows, unreadable } = await sessions.list();
      expect(rows.map(({ title, id, updatedAt }) => [title, id, updatedAt])).toEqual([
        // The time of its newest entry; of a file without one, when it was changed.
        ['第二', fakeId(77), 3_000_000_000],
        ['改名了', SESSION_ID, 1],
      ]);
      expect(rows[1]).toMatchObject({ kind: 'agent', createdAt: 500 });
      expect(unreadable).toEqual(['.liyuan/sessions/broken.jsonl']);
    }));

  it('tells which were deleted, softly, and which came back; that, a title, or a place in the tree is no newer conversation', () =>
    withSessions(async ({ sessions, another, clock }) => {
      const session = value(await sessions.create({ kind: 'agent', title: '甲' }));
      value(await session.append([{ type: 'user', data: { text: '说' } }], { durable: true }));
      const { updatedAt } = (await sessions.list()).sessions[0] ?? {};
      clock.advance(1_000_000);
      value(await session.setMeta('deleted', true));
      value(await session.setMeta('title', '乙'));
      value(await session.setLeaf(null));
      expect((await another().list()).sessions).toMatchObject([{ title: '乙', deleted: true, updatedAt }]);
      value(await session.setMeta('deleted', false));
      expect((await another().list()).sessions).toMatchObject([{ deleted: false, updatedAt }]);
      await session.close();
    }));

  it('does not read unchanged files again, also after a restart', () =>
    withSessions(async ({ put, sessions, another, files, file }) => {
      await put(`${HEADER}\n`);
      await sessions.list();
      const reads = (): number => files.seen.filter(({ name, path }) => name === 'read' && path.endsWith('.jsonl')).length;
      const before = reads();
      await sessions.list();
      await another().list();
      expect(reads()).toBe(before);
      await put(`${HEADER}\n${line('m', null, 5, 'meta', { key: 'title', value: '新' })}\n`);
      await utimes(file(), 9, 9);
      expect((await sessions.list()).sessions[0]?.title).toBe('新');
    }));

  it('survives a damaged cache', () =>
    withSessions(async ({ put, another, files }) => {
      await put(`${HEADER}\n`);
      await files.writeAtomic('.liyuan/cache/sessions.json', Buffer.from('{"x":'));
      expect((await another().list()).sessions).toHaveLength(1);
    }));
});
