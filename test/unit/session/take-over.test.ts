import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSessions } from '../../../src/engine/session/sessions';
import type { Session, Sessions } from '../../../src/engine/session/session';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { createFakeClock, type FakeClock } from '../../fakes/clock';
import { createFakeIds } from '../../fakes/ids';
import { createMemoryLog } from '../../fakes/log';
import { withTempFolder } from '../../fakes/temp-folder';
import { grow, textsOf, user, value } from './support';

interface Windows {
  readonly root: string;
  readonly clock: FakeClock;
  readonly busy: Set<string>;
  readonly first: Sessions;
  readonly second: Sessions;
}

const withWindows = (f: (windows: Windows) => Promise<void>): Promise<void> =>
  withTempFolder(async (root) => {
    const clock = createFakeClock(1000);
    const ids = createFakeIds();
    const busy = new Set<string>();
    const window = (app: string): Sessions =>
      createSessions({
        files: createNodeFiles(root),
        clock,
        ids,
        log: createMemoryLog(),
        machine: 'm',
        holder: { host: 'desk', app, pid: 1 },
        busy: (id) => app === 'first' && busy.has(id),
      });
    await f({ root, clock, busy, first: window('first'), second: window('second') });
  });

/** Lets time pass until `work` is done: disk and timers take turns. */
async function passing<T>(clock: FakeClock, work: Promise<T>): Promise<T> {
  let done = false;
  void work.finally(() => (done = true));
  while (!done) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    clock.advance(100);
  }
  return work;
}

const never = (): AbortSignal => new AbortController().signal;
const codeOf = (result: { readonly ok: boolean; readonly error?: { readonly code: string } }): string | undefined => result.error?.code;

async function shared({ first, second }: Windows): Promise<{ readonly id: string; readonly there: Session; readonly here: Session }> {
  const there = value(await first.create({ kind: 'agent', title: 't' }));
  await grow(there, ['a']);
  const { id } = there.header;
  return { id, there, here: value(await second.open(id)) };
}

describe('a session in two windows', () => {
  it('is handed over when it is asked for, and can be had back', () =>
    withWindows(async (windows) => {
      const { clock, first, second, root } = windows;
      const { id, there, here } = await shared(windows);
      let told = 0;
      there.onReadOnly(() => (told += 1));
      const taken = value(await passing(clock, second.takeOver(id, { force: false, signal: never() })));
      expect(taken).not.toBe(here);
      expect([taken.readOnly, there.readOnly, there.readOnlyReason, told]).toEqual([false, true, 'handed-over', 1]);
      expect(codeOf(await there.append([user('x')], { durable: true }))).toBe('session.read-only');
      await grow(taken, ['b']);
      expect(value(await there.refresh())).toBe(true);
      expect(textsOf(there)).toEqual(['a', 'b']);
      const back = value(await passing(clock, first.takeOver(id, { force: false, signal: never() })));
      expect(textsOf(back)).toEqual(['a', 'b']);
      expect([back.readOnly, taken.readOnly]).toEqual([false, true]);
      await back.close();
      await taken.close();
      expect(existsSync(join(root, '.liyuan/locks', `session-${id}.lock.wanted`))).toBe(false);
      expect(existsSync(join(root, '.liyuan/locks', `session-${id}.lock.json`))).toBe(false);
    }));

  it('stays where it is while a turn runs there, and the one who asks is told who has it', () =>
    withWindows(async (windows) => {
      const { clock, busy, second } = windows;
      const { id, there, here } = await shared(windows);
      busy.add(id);
      const refused = await passing(clock, second.takeOver(id, { force: false, signal: never() }));
      expect(refused).toEqual({ ok: false, error: { code: 'session.held', args: { host: 'desk', app: 'first', pid: 1 } } });
      expect([there.readOnly, here.readOnly]).toEqual([false, true]);
      expect(value(await second.open(id))).toBe(here);
      busy.delete(id);
      const taken = value(await passing(clock, second.takeOver(id, { force: false, signal: never() })));
      expect(taken.readOnly).toBe(false);
      await taken.close();
      await there.close();
    }));

  it('is not given up for a wish that is older than its window', () =>
    withWindows(async (windows) => {
      const { clock, root } = windows;
      const { id, there, here } = await shared(windows);
      await writeFile(join(root, '.liyuan/locks', `session-${id}.lock.wanted`), JSON.stringify({ ts: clock.now() - 60_000 }));
      await passing(clock, new Promise((resolve) => void clock.after(3_000, () => resolve(undefined))));
      expect(there.readOnly).toBe(false);
      await there.close();
      await here.close();
    }));

  it('can be taken away; who had it notices before the next write, without a crash', () =>
    withWindows(async (windows) => {
      const { clock, busy, second } = windows;
      const { id, there } = await shared(windows);
      busy.add(id);
      let told = 0;
      there.onReadOnly(() => (told += 1));
      const taken = value(await passing(clock, second.takeOver(id, { force: true, signal: never() })));
      await grow(taken, ['b']);
      expect(codeOf(await there.append([user('x')], { durable: true }))).toBe('store.lock-lost');
      expect([there.readOnlyReason, told]).toEqual(['lock-lost', 1]);
      expect(textsOf(taken)).toEqual(['a', 'b']);
      await taken.close();
      await there.close();
    }));

  it('the waiting can be ended', () =>
    withWindows(async (windows) => {
      const { clock, busy, second } = windows;
      const { id, there, here } = await shared(windows);
      busy.add(id);
      const controller = new AbortController();
      clock.after(1_200, () => controller.abort());
      expect(codeOf(await passing(clock, second.takeOver(id, { force: false, signal: controller.signal })))).toBe('session.not-taken');
      expect(here.readOnly).toBe(true);
      await there.close();
      await here.close();
    }));
});
