import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckpointRecord } from '../../src/engine/manuscript/checkpoint-log';
import type { Session } from '../../src/engine/session/session';
import { sha256Hex } from '../../src/engine/text/hash';
import { withTwoMachines, type Machine } from './support/machines';
import { must } from './support/project';

const objectOf = (sha: string): string => `.liyuan/objects/${sha.slice(0, 2)}/${sha}`;
const records = async ({ project }: Machine): Promise<readonly CheckpointRecord[]> => must(await project.checkpoints.list());
const write = (machine: Machine, path: string, text: string): Promise<void> => machine.project.files.writeAtomic(path, Buffer.from(text), { fsync: false });
const take = async (machine: Machine, message: string): Promise<CheckpointRecord | undefined> => {
  machine.project.clock.advance(1_000);
  return must(await machine.project.checkpoints.take({ author: 'user', message }));
};
const grow = (machine: Machine, text: string): Promise<void> =>
  machine.withSession(async (session) => void must(await session.append([{ type: 'user', data: { text } }], { durable: true })));
const tree = (session: Session, id: string | null = null): unknown[] =>
  session.children(id).map((child) => [(session.get(child)?.data as { text: string }).text, ...tree(session, child)]);
const textsOf = (session: Session): readonly string[] => session.branch().map((entry) => (entry.type === 'user' ? entry.data.text : entry.type));

describe.each([false, true])('two machines that share a project by git (core.autocrlf %s)', (crlf) => {
  it('have both branches, both sets of checkpoints and every object after a merge; the next checkpoint joins them', { timeout: 60_000 }, () =>
    withTwoMachines(crlf, async (a, b) => {
      await grow(a, '左');
      await write(a, '正文/左.md', '左边的话。\n'.repeat(80));
      const left = await take(a, '左');
      await a.commit('左');
      await grow(b, '右');
      await b.withSession(async (session) => void must(await session.setMeta('title', '右改的名')));
      await write(b, '正文/右.md', '右边的话。\n');
      const right = await take(b, '右');
      await b.commit('右');
      expect(await a.pull(b)).toEqual([]);

      const merged = a.reopen();
      await merged.withSession(async (session) => {
        expect(session.badLines).toEqual([]);
        expect(tree(session)).toEqual([['共同', ['左'], ['右']]]);
        expect(textsOf(session), 'it stands where it stood, though the other is newer and neither ever moved').toEqual(['共同', '左']);
        expect(session.title()).toBe('右改的名');
      });
      expect((await records(merged)).map(({ message }) => message).sort()).toEqual(['共同', '右', '左'].sort());
      expect(must(await merged.project.checkpoints.verify()).bad).toEqual([]);
      for (const record of [left, right]) must(await merged.project.checkpoints.manifest(record?.id ?? ''));
      await write(merged, '正文/合.md', '合。\n');
      const joined = await take(merged, '合');
      expect(joined).toMatchObject({ parents: [right?.id, left?.id], depth: 0 });
      expect(Object.keys(joined?.files ?? {})).toEqual(['正文/右.md', '正文/合.md', '正文/左.md', '正文/起.md']);
      await merged.commit('合');
      expect(await b.pull(merged)).toEqual([]);
      await write(b, '正文/续.md', '续。\n');
      expect(await take(b, '续')).toMatchObject({ parents: [joined?.id] });
      // Ours lie there as they were written, whatever git does with line ends.
      for (const name of [`sessions/${a.sessionId}.jsonl`, 'checkpoints/log.jsonl', objectOf(sha256Hex('右边的话。\n')).slice('.liyuan/'.length)]) {
        expect((await readFile(join(b.root, '.liyuan', name))).includes('\r\n'), name).toBe(false);
      }
    }));

  it('stand each where its own words are, in every turn, also when a write of the other was cut', { timeout: 60_000 }, () =>
    withTwoMachines(crlf, async (a, b) => {
      const says = async (machine: Machine, texts: readonly string[]): Promise<void> => {
        for (const text of texts) {
          await machine.withSession(async (session) => {
            machine.project.clock.advance(1_000);
            must(await session.append([{ type: 'user', data: { text } }], { durable: true }));
            must(await session.append([{ type: 'end', data: { status: 'done' } }], { durable: true }));
          });
        }
      };
      const words = (machine: Machine): Promise<readonly string[]> =>
        machine.reopen().withSession(async (session) => Promise.resolve(textsOf(session).filter((text) => text !== 'end')));
      await says(a, ['甲一', '甲二']);
      await says(b, ['乙一', '乙二', '乙三']);
      await a.commit('甲');
      // Cut between the place and the words that were to stand there.
      const lines = (await readFile(join(b.root, `.liyuan/sessions/${b.sessionId}.jsonl`), 'utf8')).trimEnd().split('\n');
      const cut = JSON.stringify({ ...(JSON.parse(lines.findLast((line) => line.includes('"head"')) ?? '') as object), id: 'cut', ts: 9e15, data: { leaf: 'never-written', machine: b.name } });
      await writeFile(join(b.root, `.liyuan/sessions/${b.sessionId}.jsonl`), `${[...lines, cut].join('\n')}\n`);
      await b.commit('乙');
      expect(await a.pull(b)).toEqual([]);
      expect(await b.pull(a)).toEqual([]);
      expect(await words(a)).toEqual(['共同', '甲一', '甲二']);
      expect(await words(b)).toEqual(['共同', '乙一', '乙二', '乙三']);
      await says(a, ['甲三']);
      await a.commit('甲');
      expect(await b.pull(a)).toEqual([]);
      expect(await words(b)).toEqual(['共同', '乙一', '乙二', '乙三']);
      expect(await words(a)).toEqual(['共同', '甲一', '甲二', '甲三']);
    }));

  it('lose no line when one of them was killed in the middle of its last one', { timeout: 60_000 }, () =>
    withTwoMachines(crlf, async (a, b) => {
      const log = join(a.root, '.liyuan/checkpoints/log.jsonl');
      const session = join(a.root, `.liyuan/sessions/${a.sessionId}.jsonl`);
      await writeFile(log, '{"v":1,"type":"checkpoint","id":"halb', { flag: 'a' });
      await writeFile(session, '{"id":"halb","parentId":null,"ts":1,"type":"user","data":{"te', { flag: 'a' });
      await a.commit('halb');
      await grow(b, '右');
      await write(b, '正文/右.md', '右。\n');
      await take(b, '右');
      await b.commit('右');
      for (const [one, other] of [[a, b], [b, a]] as const) {
        expect(await one.pull(other)).toEqual([]);
        const merged = one.reopen();
        expect((await records(merged)).map(({ message }) => message)).toEqual(['右', '共同']);
        await merged.withSession(async (opened) => {
          expect(opened.badLines).toHaveLength(1);
          expect(tree(opened)).toEqual([['共同', ['右']]]);
        });
      }
    }));

  it('keep an object that both have made in different bytes as it is here, and never blend the two', { timeout: 60_000 }, () =>
    withTwoMachines(crlf, async (a, b) => {
      const text = '两边都有的话。\n'.repeat(200);
      for (const machine of [a, b]) {
        await write(machine, '正文/同.md', text);
        await take(machine, machine.name);
      }
      // Another version of the compressor: the same words in other bytes.
      const path = join(b.root, objectOf(sha256Hex(text)));
      await writeFile(path, Buffer.concat([Buffer.of(0), Buffer.from(text)]));
      await a.commit('左');
      await b.commit('右');
      const mine = await readFile(join(a.root, objectOf(sha256Hex(text))));
      expect(await a.pull(b)).toEqual([objectOf(sha256Hex(text))]);
      expect((await readFile(join(a.root, objectOf(sha256Hex(text))))).equals(mine)).toBe(true);
      expect(must(await a.reopen().project.checkpoints.verify()).bad).toEqual([]);
    }));

  it('name an object that one side has removed, and write it again where its words still stand', { timeout: 60_000 }, () =>
    withTwoMachines(crlf, async (a, b) => {
      await write(a, '正文/左.md', '左一。\n');
      const one = await take(a, '左一');
      await write(a, '正文/左.md', '左二。\n');
      await take(a, '左二');
      await a.commit('左');
      await b.pull(a);
      await take(b, '右'); // what git made of the line ends there
      await rm(join(b.root, objectOf(sha256Hex('左一。\n'))));
      await rm(join(b.root, objectOf(sha256Hex('左二。\n'))));
      await b.commit('清');
      // The window of a is open while it pulls.
      await a.pull(b);
      await write(a, '正文/新.md', '新。\n');
      await take(a, '新');
      const again = a.reopen();
      const before = await readFile(join(a.root, '正文/左.md'), 'utf8');
      expect(await again.project.checkpoints.restore(one?.id ?? '')).toMatchObject({ ok: false, error: { code: 'object.missing', args: { path: '正文/左.md' } } });
      expect(await readFile(join(a.root, '正文/左.md'), 'utf8')).toBe(before);
      const newest = must(await again.project.checkpoints.head());
      const standing = must(await again.project.checkpoints.manifest(newest?.id ?? ''));
      for (const path of standing.keys()) must(await again.project.checkpoints.fileAt(newest?.id ?? '', path));
    }));
});

type Step =
  | { readonly kind: 'append'; readonly by: number; readonly under: number }
  | { readonly kind: 'leaf'; readonly by: number; readonly under: number }
  | { readonly kind: 'title'; readonly by: number }
  | { readonly kind: 'take'; readonly by: number }
  | { readonly kind: 'restore'; readonly by: number; readonly which: number }
  | { readonly kind: 'pull'; readonly by: number };

const by = fc.nat(1);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('append' as const), by, under: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leaf' as const), by, under: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('title' as const), by }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('take' as const), by }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restore' as const), by, which: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pull' as const), by }) },
);

/** What both machines together must hold. */
interface Model {
  readonly entries: Map<string, { readonly parentId: string | null; readonly text: string }>;
  readonly states: Map<string, Readonly<Record<string, string>>>;
  title: { readonly ts: number; readonly value: string };
}

describe('any history of two machines', () => {
  it.each([false, true])('comes to the same on both, with everything either has done (core.autocrlf %s)', { timeout: 120_000 }, (crlf) =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), (steps) =>
        withTwoMachines(crlf, async (a, b) => {
          const machines = [a, b];
          const model: Model = { entries: new Map(), states: new Map(), title: { ts: 0, value: '起' } };
          const keep = async (machine: Machine, id: string): Promise<void> => {
            const manifest = must(await machine.project.checkpoints.manifest(id));
            model.states.set(id, Object.fromEntries(manifest));
          };
          let nth = 0;
          for (const one of [...steps, { kind: 'pull', by: 0 }, { kind: 'pull', by: 1 }, { kind: 'pull', by: 0 }] as readonly Step[]) {
            const machine = machines[one.by] as Machine;
            nth += 1;
            machine.project.clock.advance(1 + nth);
            switch (one.kind) {
              case 'append':
              case 'leaf':
              case 'title':
                await machine.withSession(async (session) => {
                  const path = session.path();
                  const at = path[one.kind === 'title' ? 0 : one.under % path.length] ?? null;
                  if (one.kind === 'leaf') must(await session.setLeaf(at));
                  if (one.kind === 'title') {
                    const value = `名 ${nth}`;
                    must(await session.setMeta('title', value));
                    expect(session.title()).toBe(value);
                  }
                  if (one.kind === 'append') {
                    const [entry] = must(await session.append([{ type: 'user', data: { text: `话 ${nth}` } }], { durable: true, parentId: at }));
                    model.entries.set(entry?.id ?? '', { parentId: at, text: `话 ${nth}` });
                  }
                });
                break;
              case 'take': {
                await write(machine, `正文/${machine.name}-${nth % 3}.md`, `话 ${nth}\n`.repeat(1 + (nth % 2) * 90));
                const record = await take(machine, `取 ${nth}`);
                if (record !== undefined) await keep(machine, record.id);
                break;
              }
              case 'restore': {
                const list = await records(machine);
                const target = list[one.which % list.length]?.id ?? '';
                const { pre, result } = must(await machine.project.checkpoints.restore(target));
                await keep(machine, pre);
                await keep(machine, result);
                break;
              }
              case 'pull': {
                const other = machines[1 - one.by] as Machine;
                await machine.commit(`${nth}`);
                await other.commit(`${nth}`);
                const unmerged = await machine.pull(other);
                expect(unmerged.filter((path) => path.startsWith('.liyuan/'))).toEqual([]);
                break;
              }
            }
          }
          const seen: unknown[] = [];
          for (const machine of machines) {
            await machine.commit('zuletzt');
            await machine.pull(machines[1 - machines.indexOf(machine)] as Machine);
            const fresh = machine.reopen();
            await fresh.withSession(async (session) => {
              expect(session.badLines).toEqual([]);
              expect(session.duplicates).toEqual([]);
              expect(session.entryCount()).toBe(model.entries.size + 1);
              for (const [id, { parentId, text }] of model.entries) {
                expect([session.stub(id)?.parentId, (session.get(id)?.data as { text: string }).text]).toEqual([parentId, text]);
              }
              seen.push({ title: session.title(), tree: tree(session) });
              await Promise.resolve();
            });
            for (const [id, files] of model.states) expect(Object.fromEntries(must(await fresh.project.checkpoints.manifest(id)))).toEqual(files);
            expect(must(await fresh.project.checkpoints.openRestore())).toBeUndefined();
            expect(must(await fresh.project.checkpoints.verify()).bad).toEqual([]);
            seen.push((await records(fresh)).map(({ id }) => id));
          }
          expect(seen.slice(2)).toEqual(seen.slice(0, 2));
        }),
      ),
      { numRuns: 6 },
    ));
});

describe('conflict copies that a cloud drive left', () => {
  it.each(['log 2.jsonl', 'log (冲突副本 2026-01-01).jsonl', 'log-DESKTOP-7.jsonl', 'log.sync-conflict-20260101-120000-ABCDEFG.jsonl'])(
    'of the checkpoint log are united with it, once, whatever they are called (%s)', { timeout: 30_000 }, (name) =>
    withTwoMachines(false, async (a, b) => {
      await write(a, '正文/左.md', '左。\n');
      const left = await take(a, '左');
      await write(b, '正文/右.md', '右。\n');
      const right = await take(b, '右');
      // The drive brings the other's objects, and its log under another name.
      const folder = join(a.root, '.liyuan/checkpoints');
      await writeFile(join(folder, name), `${await readFile(join(b.root, '.liyuan/checkpoints/log.jsonl'), 'utf8')}{"v":1,"type":"check`);
      const sha = sha256Hex('右。\n');
      await a.project.files.writeAtomic(objectOf(sha), await readFile(join(b.root, objectOf(sha))));
      await write(a, '正文/合.md', '合。\n');
      const joined = await take(a, '合');
      expect([...(joined?.parents ?? [])].sort()).toEqual([left?.id, right?.id].sort());
      const lines = (await readFile(join(folder, 'log.jsonl'), 'utf8')).split('\n').length;
      const again = a.reopen();
      await write(again, '正文/续.md', '续。\n');
      await take(again, '续');
      expect((await readFile(join(folder, 'log.jsonl'), 'utf8')).split('\n')).toHaveLength(lines + 1);
      expect((await records(again)).map(({ message }) => message).sort()).toEqual(['共同', '合', '右', '左', '续'].sort());
      const back = must(await again.project.checkpoints.fileAt(right?.id ?? '', '正文/右.md'));
      expect(Buffer.from(back ?? []).toString()).toBe('右。\n');
      expect(await readdir(folder)).toContain(name);
    }));
});

describe('a merge without the union', () => {
  it('leaves marks of conflict in the logs: they are skipped, and every record of both sides is there', () =>
    withTwoMachines(false, async (a) => {
      await grow(a, '左');
      await write(a, '正文/左.md', '左。\n');
      await take(a, '左');
      await grow(a, '右');
      await write(a, '正文/右.md', '右。\n');
      await take(a, '右');
      for (const name of [`sessions/${a.sessionId}.jsonl`, 'checkpoints/log.jsonl']) {
        const file = join(a.root, '.liyuan', name);
        const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
        await writeFile(file, [...lines.slice(0, -2), '<<<<<<< HEAD', lines.at(-2), '=======', lines.at(-1), '>>>>>>> other', ''].join('\r\n'));
      }
      const again = a.reopen();
      await again.withSession(async (session) => {
        expect(session.badLines.map(({ line }) => line)).toEqual([6, 8, 10]);
        expect(tree(session)).toEqual([['共同', ['左', ['右']]]]);
        await Promise.resolve();
      });
      expect((await records(again)).map(({ message }) => message)).toEqual(['右', '左', '共同']);
      must(await again.project.checkpoints.restore((await records(again))[2]?.id ?? ''));
      expect(await readdir(join(a.root, '正文'))).toEqual(['起.md']);
    }));
});
