import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAppendLog, type AppendLog } from '../../../src/engine/store/append-log';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { createFaultyFiles, type FaultyFiles } from '../../fakes/faulty-files';
import { createMemoryLog, type MemoryLog } from '../../fakes/log';
import { withTempFolder } from '../../fakes/temp-folder';

interface Rec {
  readonly n: number;
}
const decode = (value: unknown): Rec | undefined =>
  typeof value === 'object' && value !== null && 'n' in value && typeof value.n === 'number' ? { n: value.n } : undefined;

interface Bench {
  readonly file: string;
  readonly files: FaultyFiles;
  readonly log: MemoryLog;
  readonly open: (owned?: () => boolean) => AppendLog<Rec>;
  readonly content: () => Promise<string>;
}

const withLog = (f: (bench: Bench) => Promise<void>): Promise<void> =>
  withTempFolder(async (root) => {
    const files = createFaultyFiles(createNodeFiles(root));
    const log = createMemoryLog();
    const file = join(root, 'log.jsonl');
    await f({
      file,
      files,
      log,
      open: (owned) => createAppendLog<Rec>({ files, path: 'log.jsonl', log, decode, ...(owned === undefined ? {} : { owned }) }),
      content: () => readFile(file, 'utf8'),
    });
  });

describe('the append log', () => {
  it('has no records when there is no file', () =>
    withLog(async ({ open }) => {
      expect(await open().refresh()).toEqual({ ok: true, value: [] });
    }));

  it('writes one line and one write a record, fsynced with the last', () =>
    withLog(async ({ open, files, content }) => {
      const log = open();
      await log.append([{ n: 1 }, { n: 2 }], { fsync: true });
      expect(await content()).toBe('{"n":1}\n{"n":2}\n');
      expect(log.records).toEqual([{ n: 1 }, { n: 2 }]);
      expect(files.seen.filter(({ name }) => name === 'append')).toHaveLength(2);
    }));

  it('keeps the order of appends that were not waited for', () =>
    withLog(async ({ open, content }) => {
      const log = open();
      await Promise.all([1, 2, 3, 4].map((n) => log.append([{ n }], { fsync: false })));
      expect(await content()).toBe('{"n":1}\n{"n":2}\n{"n":3}\n{"n":4}\n');
    }));

  it('reads CRLF, a BOM, blank lines and a last line without its end', () =>
    withLog(async ({ open, file }) => {
      await writeFile(file, '\uFEFF{"n":1}\r\n\r\n{"n":2}\n   \n{"n":3}');
      const log = open(() => false);
      await log.refresh();
      expect(log.records).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
      expect(log.badLines).toEqual([]);
    }));

  it('keeps, skips and counts bad lines, and tells of each once', () =>
    withLog(async ({ open, file, log: told }) => {
      await writeFile(file, '{"n":1}\nnot json\n{"m":2}\n{"n":3}\n');
      const log = open();
      await log.refresh();
      await log.refresh();
      await log.append([{ n: 4 }], { fsync: false });
      expect(log.records).toEqual([{ n: 1 }, { n: 3 }, { n: 4 }]);
      expect(log.badLines).toEqual([
        { line: 2, offset: 8, length: 8 },
        { line: 3, offset: 17, length: 7 },
      ]);
      expect(told.of('warn')).toHaveLength(2);
    }));

  it('closes a torn tail with a line feed and goes on behind it', () =>
    withLog(async ({ open, file, content }) => {
      await writeFile(file, '{"n":1}\n{"n":');
      const log = open();
      await log.append([{ n: 2 }], { fsync: true });
      expect(await content()).toBe('{"n":1}\n{"n":\n{"n":2}\n');
      expect(log.records).toEqual([{ n: 1 }, { n: 2 }]);
      expect(log.badLines).toEqual([{ line: 2, offset: 8, length: 5 }]);
    }));

  it('counts a whole record without its line end as a record', () =>
    withLog(async ({ open, file, content }) => {
      await writeFile(file, '{"n":1}\n{"n":2}');
      const log = open();
      await log.append([{ n: 3 }], { fsync: false });
      expect(await content()).toBe('{"n":1}\n{"n":2}\n{"n":3}\n');
      expect(log.records).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
      expect(log.badLines).toEqual([]);
    }));

  it('reads of a short file too only what is new in it', () =>
    withLog(async ({ open, file, files }) => {
      await writeFile(file, '{"n":1}\n');
      const log = open();
      await log.refresh();
      for (const n of [2, 3, 4]) {
        await appendFile(file, `{"n":${n}}\n`);
        await log.refresh();
      }
      expect(log.records).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
      expect(files.seen.filter(({ name }) => name === 'read')).toHaveLength(1);
    }));

  it('mends nothing where it may not write, and sees the rest of a line that was still being written', () =>
    withLog(async ({ open, file, content }) => {
      await writeFile(file, '{"n":1}\n{"n":');
      const log = open(() => false);
      await log.refresh();
      expect(log.badLines).toEqual([{ line: 2, offset: 8, length: 5 }]);
      expect(await content()).toBe('{"n":1}\n{"n":');
      await appendFile(file, '22}\n{"n":3}');
      await log.refresh();
      expect(log.records).toEqual([{ n: 1 }, { n: 22 }, { n: 3 }]);
      expect(log.badLines).toEqual([]);
      await appendFile(file, '\n{"n":4}\n');
      await log.refresh();
      expect(log.records).toEqual([{ n: 1 }, { n: 22 }, { n: 3 }, { n: 4 }]);
    }));

  it('refuses to write without its lock', () =>
    withLog(async ({ open, files }) => {
      let held = true;
      const log = open(() => held);
      await log.append([{ n: 1 }], { fsync: false });
      held = false;
      expect(await log.append([{ n: 2 }], { fsync: false })).toMatchObject({ ok: false, error: { code: 'store.lock-lost' } });
      expect(files.seen.filter(({ name }) => name === 'append')).toHaveLength(1);
    }));

  it('takes in what was appended outside before it appends', () =>
    withLog(async ({ open, file, content }) => {
      const log = open();
      await log.append([{ n: 1 }], { fsync: false });
      await appendFile(file, '{"n":2}\n{"n":');
      await log.append([{ n: 3 }], { fsync: false });
      expect(await content()).toBe('{"n":1}\n{"n":2}\n{"n":\n{"n":3}\n');
      expect(log.records).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    }));

  it('reads everything again when the file was replaced by a merged one', () =>
    withLog(async ({ open, file, content }) => {
      const log = open();
      await log.append([{ n: 1 }, { n: 2 }], { fsync: false });
      await writeFile(`${file}.merged`, '{"n":1}\n{"n":7}\n{"n":2}\n');
      await rename(`${file}.merged`, file);
      await log.append([{ n: 3 }], { fsync: false });
      expect(log.records).toEqual([{ n: 1 }, { n: 7 }, { n: 2 }, { n: 3 }]);
      await writeFile(file, '{"n":9}\n');
      await log.refresh();
      expect(log.records).toEqual([{ n: 9 }]);
      await log.append([{ n: 10 }], { fsync: false });
      expect(await content()).toBe('{"n":9}\n{"n":10}\n');
    }));

  it('notices a file rewritten in place to something longer', () =>
    withLog(async ({ open, file }) => {
      const log = open();
      await log.append([{ n: 1 }, { n: 2 }], { fsync: false });
      await writeFile(file, '{"n":5}\n{"n":1}\n{"n":2}\n');
      await log.refresh();
      expect(log.records).toEqual([{ n: 5 }, { n: 1 }, { n: 2 }]);
    }));

  it('keeps the records before a failing one, and goes on afterwards', () =>
    withLog(async ({ open, files, content }) => {
      const log = open();
      let appends = 0;
      files.faults(({ name }) => (name === 'append' && (appends += 1) === 2 ? { kind: 'tear', bytes: 4 } : undefined));
      expect(await log.append([{ n: 1 }, { n: 2 }, { n: 3 }], { fsync: true })).toMatchObject({ ok: false, error: { code: 'store.io' } });
      expect(log.records).toEqual([{ n: 1 }]);
      files.faults(undefined);
      expect((await log.append([{ n: 4 }], { fsync: true })).ok).toBe(true);
      expect(log.records).toEqual([{ n: 1 }, { n: 4 }]);
      expect(await content()).toBe('{"n":1}\n{"n"\n{"n":4}\n');
    }));

  it('finds a record that was written although the write failed', () =>
    withLog(async ({ open, files, content }) => {
      const log = open();
      await log.append([{ n: 1 }], { fsync: true });
      files.faults(({ name }) => (name === 'append' ? { kind: 'fail-after', code: 'store.io' } : undefined));
      expect((await log.append([{ n: 2 }], { fsync: true })).ok).toBe(false);
      files.faults(undefined);
      await log.append([{ n: 3 }], { fsync: true });
      expect(log.records).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
      expect(await content()).toBe('{"n":1}\n{"n":2}\n{"n":3}\n');
    }));

  it('says that the disk is full and works again when it is not', () =>
    withLog(async ({ open, files }) => {
      const log = open();
      files.diskFull(true);
      expect(await log.append([{ n: 1 }], { fsync: true })).toMatchObject({ ok: false, error: { code: 'store.disk-full' } });
      files.diskFull(false);
      expect((await log.append([{ n: 1 }], { fsync: true })).ok).toBe(true);
      expect(log.records).toEqual([{ n: 1 }]);
    }));

  it('loses no committed record and invents none, wherever the file is cut', () =>
    withLog(async ({ open, file }) => {
      const whole = '{"n":1}\n{"n":22}\n{"n":333}\n';
      const records = [{ n: 1 }, { n: 22 }, { n: 333 }];
      for (let cut = 0; cut <= whole.length; cut += 1) {
        await writeFile(file, whole.slice(0, cut));
        const log = open();
        expect((await log.append([{ n: 9 }], { fsync: false })).ok).toBe(true);
        const committed = whole.slice(0, cut).split('\n').length - 1;
        const complete = cut > 0 && whole[cut] === '\n' && whole[cut - 1] === '}' ? committed + 1 : committed;
        expect(log.records, `cut at ${cut}`).toEqual([...records.slice(0, complete), { n: 9 }]);
      }
    }));
});
