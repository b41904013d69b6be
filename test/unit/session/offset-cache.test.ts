import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeId as idOf } from '../../fakes/ids';
import { HEADER, line, say, SESSION_ID, textsOf, user, value, withSessions, type SessionBench } from './support';

const CACHE = `.liyuan/cache/offsets/${SESSION_ID}`;
const COUNT = 300;
/** Another series than the ids minted while a test runs. */
const fakeId = (n: number): string => idOf(n, 1);
/** A chain of 300 entries with a title, a gap and a fork. */
const chain = (): string[] => [
  HEADER,
  ...Array.from({ length: COUNT }, (_, i) => say(fakeId(i + 1), i === 0 ? 'lost' : fakeId(i), i + 1, `第${i + 1}句`)),
  line('m', null, 400, 'meta', { key: 'title', value: '新名' }),
  say('fork', fakeId(7), 350),
  '',
];

const openAndLook = async ({ another }: SessionBench): Promise<unknown> => {
  const session = value(await another().open(SESSION_ID));
  const look = {
    title: session.title(),
    leaf: session.leaf(),
    path: session.path(),
    other: textsOf(session, fakeId(COUNT)).slice(-2),
    fork: session.children(fakeId(7)),
    gap: session.stub(fakeId(1))?.parentId,
    count: session.entryCount(),
  };
  await session.close();
  return look;
};

const cached = async ({ root }: SessionBench): Promise<Buffer | undefined> => readFile(join(root, CACHE)).catch(() => undefined);

describe('the cache of offsets', () => {
  it('is written when a large session was scanned, and opens to the same session', () =>
    withSessions(async (bench) => {
      await bench.put(chain().join('\n'));
      const scanned = await openAndLook(bench);
      expect(scanned).toMatchObject({ title: '新名', leaf: 'fork', gap: 'lost', other: ['第299句', '第300句'], fork: [fakeId(8), 'fork'], count: 301 });
      expect(await cached(bench)).toBeDefined();
      expect(await openAndLook(bench)).toEqual(scanned);
    }));

  it('serves a file that has grown since', () =>
    withSessions(async (bench) => {
      await bench.put(chain().join('\n'));
      await openAndLook(bench);
      const session = value(await bench.another().open(SESSION_ID));
      value(await session.append([user('后来')], { durable: true }));
      await session.close();
      const again = value(await bench.another().open(SESSION_ID));
      expect(textsOf(again).at(-1)).toBe('后来');
      expect(again.badLines).toEqual([]);
      await again.close();
    }));

  it('is not written for small sessions', () =>
    withSessions(async (bench) => {
      await bench.put([HEADER, say('a', null, 1), ''].join('\n'));
      await (value(await bench.another().open(SESSION_ID))).close();
      expect(await cached(bench)).toBeUndefined();
    }));

  it('is thrown away when the file is another one', () =>
    withSessions(async (bench) => {
      await bench.put(chain().join('\n'));
      await openAndLook(bench);
      const other = chain();
      other.splice(1, 100);
      await bench.put(other.join('\n'));
      const session = value(await bench.another().open(SESSION_ID));
      expect(session.entryCount()).toBe(201);
      expect(session.path(fakeId(COUNT))).toHaveLength(200);
      await session.close();
    }));

  it('is not believed where a line is not the one it promised', () =>
    withSessions(async (bench) => {
      // Long lines, so that both hashed ends stay the same while two lines in the middle change places.
      const long = chain().map((text) => (text.includes('"user"') ? text.replace('句"', `句${'长'.repeat(400)}"`) : text));
      await bench.put(long.join('\n'));
      await openAndLook(bench);
      const swapped = [...long];
      [swapped[150], swapped[151]] = [long[151]!, long[150]!];
      await bench.put(swapped.join('\n'));
      const session = value(await bench.another().open(SESSION_ID));
      expect(session.get(fakeId(150))?.data).toMatchObject({ text: expect.stringMatching(/^第150句/) });
      expect(session.get(fakeId(151))?.data).toMatchObject({ text: expect.stringMatching(/^第151句/) });
      expect(session.path(fakeId(COUNT))).toHaveLength(COUNT);
      expect(bench.log.of('warn').map(({ message }) => message)).toContain('the offsets of a session did not fit its file and are thrown away');
      await session.close();
    }));

  it('does no harm when it is damaged at any byte or cut anywhere', () =>
    withSessions(async (bench) => {
      await bench.put(chain().join('\n'));
      const scanned = await openAndLook(bench);
      const good = (await cached(bench))!;
      const headEnd = good.indexOf(10);
      const spots = [0, 5, headEnd, headEnd + 1, headEnd + 9, good.length - 1];
      for (const at of spots) {
        await writeFile(join(bench.root, CACHE), good.subarray(0, at));
        expect(await openAndLook(bench), `cut at ${at}`).toEqual(scanned);
      }
      for (const text of ['', 'null\n', '{}\n', 'not json\n']) {
        await writeFile(join(bench.root, CACHE), text);
        expect(await openAndLook(bench), text).toEqual(scanned);
      }
    }));

  it('is not needed: a session opens although it cannot be written', () =>
    withSessions(async (bench) => {
      await bench.put(chain().join('\n'));
      bench.files.faults(({ name, path }) => (name === 'writeAtomic' && path === CACHE ? { kind: 'fail', code: 'store.disk-full' } : undefined));
      expect(await openAndLook(bench)).toMatchObject({ count: 301 });
    }));
});
