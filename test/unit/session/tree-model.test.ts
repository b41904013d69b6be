import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { Session } from '../../../src/engine/session/session';
import { allSaves, deleteSave, loadSave, saveHere, savesOn, type LineNames } from '../../../src/engine/session/saves';
import { deleteSubtree, isDeleted, restoreSubtree } from '../../../src/engine/session/subtrees';
import { variantsOf } from '../../../src/engine/session/variants';
import { createSessions } from '../../../src/engine/session/sessions';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { createFakeClock } from '../../fakes/clock';
import { createFakeIds } from '../../fakes/ids';
import { createMemoryLog } from '../../fakes/log';
import { withTempFolder } from '../../fakes/temp-folder';
import { reply, user, value, withoutFsync } from './support';

/** 10,000 random operations in all; another seed by LIYUAN_SEED. */
const ROUNDS = 20;
const OPERATIONS = 500;
const FIRST_SEED = Number(process.env['LIYUAN_SEED'] ?? 1);
const names: LineNames = { main: '主线', fork: (from, n) => `从「${from}」分出 · 线${n}` };

/** mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Node {
  readonly id: string;
  readonly parent: string | null;
  readonly kind: 'user' | 'reply' | 'save';
  readonly text: string;
  readonly order: number;
}

/** What the tree should be, in the simplest way: a map of nodes, a leaf, and marks. */
class Model {
  nodes = new Map<string, Node>();
  leaf: string | null = null;
  deleted = new Set<string>();
  deletedSaves = new Set<string>();
  saves = new Map<string, { readonly entryId: string; readonly line: string }>();

  pathOf(id: string | null): Node[] {
    const path: Node[] = [];
    for (let at = id; at !== null; ) {
      const node = this.nodes.get(at);
      if (node === undefined) break;
      path.push(node);
      at = node.parent;
    }
    return path.reverse();
  }
  childrenOf(id: string | null): Node[] {
    return [...this.nodes.values()].filter(({ parent }) => parent === id).sort((a, b) => a.order - b.order);
  }
  gone(id: string): boolean {
    return this.pathOf(id).some((node) => this.deleted.has(node.id));
  }
  /** Whether a subtree, without what was deleted in it, holds a reply. */
  answered(root: Node): boolean {
    if (this.deleted.has(root.id)) return false;
    return root.kind === 'reply' || this.childrenOf(root.id).some((child) => this.answered(child));
  }
  savesOn(leaf: string | null): string[] {
    const path = new Set(this.pathOf(leaf).map(({ id }) => id));
    return [...this.saves].filter(([id, { entryId }]) => path.has(entryId) && !this.deletedSaves.has(id) && !this.gone(entryId)).map(([id]) => id);
  }
}

interface Machine {
  session: Session;
  readonly model: Model;
}

function check({ session, model }: Machine): void {
  expect(session.leaf()).toBe(model.leaf);
  expect(session.path()).toEqual(model.pathOf(model.leaf).map(({ id }) => id));
  const texts = session.branch().map((entry) => (entry.type === 'user' || entry.type === 'reply' ? entry.data.text : entry.type === 'save' ? entry.data.name : '?'));
  expect(texts).toEqual(model.pathOf(model.leaf).map(({ text }) => text));
  expect(savesOn(session).map(({ id }) => id)).toEqual(model.savesOn(model.leaf));
}

it.each(Array.from({ length: ROUNDS }, (_, n) => FIRST_SEED + n))(
  'append, regenerate, switch, delete, save, load, reopen and merge are as in a simple model (seed %i)',
  (seed) =>
    withTempFolder(async (root) => {
      const random = randomOf(seed);
      const pick = <T>(of: readonly T[]): T | undefined => of[Math.floor(random() * of.length)];
      const clock = createFakeClock(1_000);
      const ids = createFakeIds();
      const files = withoutFsync(createNodeFiles(root));
      const machine = (name: string): ReturnType<typeof createSessions> => createSessions({ files, clock, ids, log: createMemoryLog(), machine: name });
      let order = 0;
      const made = value(await machine('A').create({ kind: 'roleplay', title: 't' }));
      const { id } = made.header;
      const path = `${root}/.liyuan/sessions/${id}.jsonl`;
      const here: Machine = { session: made, model: new Model() };

      const note = (model: Model, node: Omit<Node, 'order'>): void => {
        model.nodes.set(node.id, { ...node, order: order++ });
        model.leaf = node.id;
      };
      const say = async ({ session, model }: Machine): Promise<void> => {
        const text = `u${order}`;
        const parent = model.leaf;
        const [entry] = value(await session.append([user(text)], { durable: false }));
        note(model, { id: entry?.id ?? '', parent, kind: 'user', text });
        await answer({ session, model }, entry?.id ?? '');
      };
      const answer = async ({ session, model }: Machine, userId: string): Promise<void> => {
        const text = `r${order}`;
        const [entry] = value(await session.append([reply(text)], { durable: false, parentId: userId }));
        note(model, { id: entry?.id ?? '', parent: userId, kind: 'reply', text });
      };
      const usersOnBranch = ({ model }: Machine): Node[] => model.pathOf(model.leaf).filter(({ kind }) => kind === 'user');

      const operations: Readonly<Record<string, (at: Machine) => Promise<void>>> = {
        append: say,
        async regenerate(at) {
          const turn = pick(usersOnBranch(at));
          if (turn !== undefined) await answer(at, turn.id);
        },
        async switch(at) {
          const turn = pick(usersOnBranch(at));
          if (turn === undefined) return;
          const variants = variantsOf(at.session, turn.id);
          expect(variants.map((variant) => variant.root).sort()).toEqual(at.model.childrenOf(turn.id).filter((child) => at.model.answered(child)).map((child) => child.id).sort());
          const chosen = pick(variants);
          if (chosen === undefined) return;
          // The newest leaf below it, deleted parts left out.
          const below = [...at.model.nodes.values()].filter((node) => at.model.pathOf(node.id).some(({ id: on }) => on === chosen.root) && !at.model.gone(node.id));
          const leaves = below.filter((node) => !at.model.childrenOf(node.id).some((child) => !at.model.deleted.has(child.id)));
          expect(chosen.leaf).toBe(leaves.sort((a, b) => b.order - a.order)[0]?.id);
          value(await at.session.setLeaf(chosen.leaf));
          at.model.leaf = chosen.leaf;
        },
        async jump(at) {
          const to = pick([...at.model.nodes.values()].filter((node) => !at.model.gone(node.id)))?.id ?? null;
          value(await at.session.setLeaf(to));
          at.model.leaf = to;
        },
        async delete(at) {
          const turn = pick(usersOnBranch(at).slice(-3));
          if (turn === undefined) return;
          value(await deleteSubtree(at.session, turn.id));
          at.model.deleted.add(turn.id);
          at.model.leaf = turn.parent;
        },
        async undelete(at) {
          const back = pick([...at.model.deleted]);
          if (back === undefined) return;
          expect(isDeleted(at.session, back)).toBe(true);
          value(await restoreSubtree(at.session, back));
          at.model.deleted.delete(back);
        },
        async save(at) {
          const { model, session } = at;
          const on = model.savesOn(model.leaf);
          const prev = on.at(-1);
          const parent = model.leaf;
          const text = `s${order}`;
          const saved = value(await saveHere(session, { name: text, ids, names }));
          const live = [...model.saves].filter(([other, { entryId }]) => !model.deletedSaves.has(other) && !model.gone(entryId));
          const prevEntry = prev === undefined ? undefined : model.saves.get(prev)?.entryId;
          const elsewhere = live.some(([other, { entryId }]) => other !== prev && !on.includes(other) && model.pathOf(entryId).some((node) => node.id === prevEntry));
          expect(saved.parentSaveId).toBe(prev);
          if (prev === undefined) expect(saved.worldLineName).toBe('主线');
          else if (elsewhere) expect(saved).toMatchObject({ forkFromSaveId: prev, worldLineName: expect.stringMatching(/^从「s\d+」分出 · 线\d+$/) as string });
          else expect(saved.worldLineId).toBe(model.saves.get(prev)?.line);
          note(model, { id: saved.entryId, parent, kind: 'save', text });
          model.saves.set(saved.id, { entryId: saved.entryId, line: saved.worldLineId });
        },
        async load(at) {
          const save = pick(allSaves(at.session));
          if (save === undefined) return;
          value(await loadSave(at.session, save.id));
          at.model.leaf = save.entryId;
        },
        async deleteSave(at) {
          const save = pick(allSaves(at.session));
          if (save === undefined) return;
          value(await deleteSave(at.session, save.id));
          at.model.deletedSaves.add(save.id);
        },
        async reopen(at) {
          await at.session.close();
          at.session = value(await machine('A').open(id));
        },
        async merge(at) {
          await at.session.close();
          const base = await readFile(path, 'utf8');
          // The other machine works on a copy.
          const there: Machine = { session: value(await machine('B').open(id)), model: new Model() };
          const copy = there.model;
          for (const key of ['nodes', 'deleted', 'deletedSaves', 'saves'] as const) (copy as unknown as Record<string, unknown>)[key] = new (at.model[key].constructor as new (of: unknown) => unknown)(at.model[key]);
          copy.leaf = there.session.leaf();
          for (let n = Math.floor(random() * 5); n >= 0; n -= 1) await pick([say, operations['regenerate'] ?? say, operations['jump'] ?? say, operations['save'] ?? say])?.(there);
          check(there);
          await there.session.close();
          const theirs = (await readFile(path, 'utf8')).slice(base.length).split('\n').filter((line) => line !== '');
          // Meanwhile this one goes on from the same file.
          await writeFile(path, base);
          at.session = value(await machine('A').open(id));
          await (operations['jump'] ?? say)(at);
          await say(at);
          check(at);
          await at.session.close();
          const ours = (await readFile(path, 'utf8')).slice(base.length).split('\n').filter((line) => line !== '');
          // Lines in any order, as a union merge leaves them.
          const mixed = [...ours, ...theirs].map((line) => [random(), line] as const).sort(([a], [b]) => a - b).map(([, line]) => line);
          await writeFile(path, `${base}${mixed.join('\n')}\n`);
          at.session = value(await machine('A').open(id));
          for (const [key, node] of copy.nodes) if (!at.model.nodes.has(key)) at.model.nodes.set(key, node);
          for (const [key, save] of copy.saves) at.model.saves.set(key, save);
          for (const key of at.model.nodes.keys()) expect(at.session.stub(key)).toBeDefined();
          expect(at.session.badLines).toEqual([]);
          // This machine stands where its own newest head says, or on what grew from there on either machine.
          expect([at.model.leaf, copy.leaf]).toContain(at.session.leaf());
          at.model.leaf = at.session.leaf();
        },
      };
      const weighted = [
        ...['append', 'append', 'append', 'append', 'regenerate', 'regenerate', 'switch', 'switch', 'jump', 'delete', 'undelete'],
        ...['save', 'save', 'load', 'deleteSave', 'reopen'],
      ];
      const done: string[] = [];
      try {
        for (let n = 0; n < OPERATIONS; n += 1) {
          clock.advance(Math.floor(random() * 3));
          const name = n % 100 === 99 ? 'merge' : (pick(weighted) ?? 'append');
          done.push(name);
          await operations[name]?.(here);
          check(here);
        }
      } catch (error) {
        throw new Error(`seed ${seed}, operation ${done.length}: ${done.slice(-8).join(', ')}`, { cause: error });
      }
      await here.session.close();
    }),
  60_000,
);
