import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { must, turn, withWorld, type World } from './world';

/** What checkpoints promise, in the plainest form: a full copy of every state. */
interface Model {
  readonly states: Map<string, Record<string, string>>;
  readonly ids: string[];
}

const names = ['正文/1.md', '正文/2.md', '正文/卷一/3.md', '设定/a.txt'];
const sentences = ['雨下了一夜。\n', '他没有走。\n', '天亮了。\n', '谁在那里？\n', 'Rain. \n'];

const op = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('write' as const), file: fc.nat(3), words: fc.array(fc.nat(4), { maxLength: 5 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), file: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('type' as const), file: fc.nat(3), word: fc.nat(4) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('agent' as const), file: fc.nat(3), word: fc.nat(4), turn: fc.nat(2) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('take' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('end' as const), turn: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('restore' as const), which: fc.nat(50), one: fc.option(fc.nat(3)) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
);
type Op = typeof op extends fc.Arbitrary<infer T> ? T : never;

/** Everything as the author sees it: unsaved words over files. */
async function seen(world: World): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const path of Object.keys(await world.all())) all[path] = await world.documents.text(path);
  return all;
}

async function run(start: World, ops: readonly Op[]): Promise<void> {
  let world = start;
  const model: Model = { states: new Map(), ids: [] };
  const keep = async (id: string): Promise<void> => {
    model.states.set(id, await seen(world));
    model.ids.push(id);
  };
  for (const one of ops) {
    const path = 'file' in one ? (names[one.file] ?? '') : '';
    const exists = path !== '' && (await world.disk(path)) !== undefined;
    switch (one.kind) {
      case 'write':
        // An outside program; a file with unsaved words keeps them.
        if (!world.documents.isDirty(path)) {
          if (exists) await world.documents.put(path, Buffer.from(one.words.map((at) => sentences[at]).join('')));
          else await world.write(path, one.words.map((at) => sentences[at]).join(''));
        }
        break;
      case 'remove':
        if (exists) must(await world.documents.delete(path));
        break;
      case 'type':
        if (exists) await world.documents.type(path, '', sentences[one.word] ?? '');
        break;
      case 'agent': {
        const text = exists ? await world.documents.text(path) : undefined;
        const first = text?.split('\n')[0] ?? '';
        if (text === undefined) await world.agentCreates(turn(one.turn), path, sentences[one.word] ?? '');
        else if (first !== '' && text.split(first).length === 2) await world.agentEdits(turn(one.turn), path, first, (sentences[one.word] ?? '').trim());
        break;
      }
      case 'take': {
        const record = must(await world.checkpoints.take({ author: 'user', message: 'x' }));
        if (record !== undefined) await keep(record.id);
        break;
      }
      case 'end': {
        const last = must(await world.checkpoints.endTurn(turn(one.turn), 'x', false)).records.at(-1);
        if (last !== undefined) await keep(last.id);
        break;
      }
      case 'restore': {
        const id = model.ids[one.which % Math.max(1, model.ids.length)];
        const target = id === undefined ? undefined : model.states.get(id);
        if (id === undefined || target === undefined) break;
        const before = await seen(world);
        const only = one.one === null ? undefined : names[one.one];
        const outcome = must(await world.checkpoints.restore(id, only === undefined ? {} : { path: only }));
        const rest = Object.entries(before).filter(([path_]) => path_ !== only);
        const expected = Object.fromEntries([...rest, ...Object.entries(target).filter(([path_]) => path_ === only)]);
        expect(await seen(world)).toEqual(only === undefined ? target : expected);
        model.states.set(outcome.pre, before);
        await keep(outcome.result);
        break;
      }
      case 'reopen':
        for (const path_ of world.documents.dirty()) await world.documents.save(path_);
        world = world.reopen();
        break;
    }
  }
  // Every state that was ever kept is there, byte for byte.
  for (const [id, state] of model.states) {
    const manifest = must(await world.checkpoints.manifest(id));
    expect([...manifest.keys()].sort()).toEqual(Object.keys(state).sort());
    for (const path of manifest.keys()) {
      expect(Buffer.from(must(await world.checkpoints.fileAt(id, path)) ?? []).toString()).toBe(state[path]);
    }
  }
  expect(must(await world.checkpoints.verify())).toMatchObject({ bad: [], broken: [] });
  const last = must(await world.checkpoints.take({ author: 'user', message: 'last' }));
  expect(must(await world.checkpoints.compare(last?.id ?? must(await world.checkpoints.head())?.id ?? null, 'now'))).toEqual([]);
}

describe('checkpoints against a full copy of every state', () => {
  it('keep and give back every state, whatever is done in whatever order', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(op, { minLength: 5, maxLength: 25 }), (ops) => withWorld((world) => run(world, ops))),
      { numRuns: 25 },
    );
  });

  it('undo gives back the text without the agent’s edits, wherever the author typed', { timeout: 120_000 }, async () => {
    const words = '一二三四五六七八九十';
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 4 }), fc.uniqueArray(fc.nat(9), { maxLength: 4 }), (agent, author) =>
        withWorld(async (world) => {
          const line = (at: number): string => `第${words[at] ?? ''}句话在这里。\n`;
          await world.write('正文/a.md', Array.from({ length: 10 }, (_, at) => line(at)).join(''));
          must(await world.checkpoints.take({ author: 'user', message: '0' }));
          for (const at of agent) await world.agentEdits(turn(1), '正文/a.md', `第${words[at] ?? ''}句话`, `代理写的第${words[at] ?? ''}段`);
          must(await world.checkpoints.endTurn(turn(1), 'x', false));
          // The author writes behind lines, the agent's among them.
          for (const at of author) {
            const mark = agent.includes(at) ? `代理写的第${words[at] ?? ''}段在这里。` : `第${words[at] ?? ''}句话在这里。`;
            await world.documents.type('正文/a.md', mark, `${mark}作者加了${words[at] ?? ''}。`);
          }
          expect(must(await world.checkpoints.undoTurn(turn(1))).conflicts).toEqual([]);
          expect(await world.documents.text('正文/a.md')).toBe(
            Array.from({ length: 10 }, (_, at) => (author.includes(at) ? line(at).replace('\n', `作者加了${words[at] ?? ''}。\n`) : line(at))).join(''),
          );
        }),
      ),
      { numRuns: 20 },
    );
  });
});
