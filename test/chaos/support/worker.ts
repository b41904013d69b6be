import { writeSync } from 'node:fs';
import { createKillingFs, type Blow } from './killing-fs';
import { must, openChaosProject, type ChaosProject } from './project';
import { createRandom, type Random } from './random';
import type { Said, WorkerOrder } from './said';

/**
 * A process that works on a project until it is killed: node worker.cjs <order as JSON>. It begins when a line comes in on
 * standard input.
 */

const STEPS = 400;
const authors = ['正文/001-作者.md', '正文/002-作者.md', '设定/人物.txt'];
const agents = ['正文/101-助手.md', '正文/卷一/102-助手.md'];
const sentences = ['雨下了一夜。', '他没有走。', '天亮了，谁也没有来。', 'Rain on the roof.', '𠀀字也算一个。'];

/** Through the pipe before anything else happens: what is said is said, also when the process ends at once. */
function say(said: Said): void {
  writeSync(1, `${JSON.stringify(said)}\n`);
}

const dead = (): Promise<never> => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise<never>(() => undefined);
};

function blowsAt(killAt: number | undefined, random: Random, begun: () => boolean): () => Blow | undefined {
  let changes = 0;
  const blow: Blow = random.once(2) ? { when: 'amid', share: random.below(100) / 100 } : { when: random.once(2) ? 'before' : 'after' };
  return () => {
    if (!begun()) return undefined;
    changes += 1;
    return changes === killAt ? blow : undefined;
  };
}

async function work(project: ChaosProject, order: WorkerOrder, random: Random): Promise<void> {
  const { checkpoints, documents, partial, files, clock } = project;
  const { life } = order;
  const session = must(await project.sessions.open(order.sessionId));
  const targets = must(await checkpoints.list()).map(({ id }) => id);
  let turns = 0;
  let open: string | undefined;
  let nth = 0;
  const words = (): string => {
    nth += 1;
    const times = random.once(3) ? 60 : 1 + random.below(4);
    return `${life}.${nth} ${Array.from({ length: times }, () => random.pick(sentences)).join('')}\n`;
  };
  const turnOf = (id: string): { sessionId: string; userEntryId: string } => ({ sessionId: order.sessionId, userEntryId: id });

  const append = async (): Promise<void> => {
    const texts = Array.from({ length: 1 + random.below(3) }, words);
    const known = session.path();
    const under = random.once(4) && known.length > 0 ? random.pick(known) : session.leaf();
    say({ kind: 'append', texts, under });
    const made = must(await session.append(texts.map((text) => ({ type: 'user' as const, data: { text } })), { durable: true, parentId: under }));
    say({ kind: 'appended', ids: made.map(({ id }) => id) });
  };
  const setLeaf = async (): Promise<void> => {
    const id = random.pick([null, ...session.path()]);
    say({ kind: 'leaf', id });
    must(await session.setLeaf(id));
    say({ kind: 'leaf-set' });
  };
  const setTitle = async (): Promise<void> => {
    const title = words().trim();
    say({ kind: 'title', title });
    must(await session.setMeta('title', title));
    say({ kind: 'title-set' });
  };
  const write = async (): Promise<void> => {
    const path = random.pick(authors);
    const exists = (await files.read(path)) !== undefined;
    const text = exists && random.once(6) ? null : words();
    say({ kind: 'write', path, text });
    if (text === null) await files.remove(path);
    else await files.writeAtomic(path, Buffer.from(text), { fsync: false });
    say({ kind: 'written' });
  };
  const edit = async (): Promise<void> => {
    if (open === undefined) {
      turns += 1;
      open = `turn-${life}-${turns}`;
    }
    const path = random.pick(agents);
    const text = words();
    say({ kind: 'edit', turn: open, path, text });
    const before = (await documents.bytes(path)) ?? null;
    must(await checkpoints.journal(turnOf(open)).record({ path, before, after: Buffer.from(text) }));
    say({ kind: 'journalled' });
    await files.writeAtomic(path, Buffer.from(text), { fsync: false });
    say({ kind: 'edited' });
  };
  const take = async (): Promise<void> => {
    say({ kind: 'take' });
    const taken = must(await checkpoints.take({ author: 'user', message: '取' }));
    if (taken !== undefined) targets.push(taken.id);
    say({ kind: 'taken', id: taken?.id ?? null });
  };
  const end = async (): Promise<void> => {
    if (open === undefined) return take();
    const turn = open;
    open = undefined;
    say({ kind: 'end', turn });
    const { records } = must(await checkpoints.endTurn(turnOf(turn), '改', false));
    // Of two the first holds what the agent's edits were taken out of: nobody has said what that is.
    targets.push(...records.slice(-1).map(({ id }) => id));
    say({ kind: 'ended', ids: records.map(({ id }) => id) });
  };
  const restore = async (): Promise<void> => {
    if (targets.length === 0) return take();
    const target = random.pick(targets);
    say({ kind: 'restore', target });
    const { pre, result } = must(await checkpoints.restore(target));
    targets.push(pre, result);
    say({ kind: 'restored', pre, result });
  };
  const draft = async (): Promise<void> => {
    const writer = partial.open(order.sessionId, { turnId: `draft-${life}-${nth}`, leaf: 'leaf' });
    let text = '';
    for (let i = 0; i < 3; i += 1) {
      const piece = words();
      text += piece;
      say({ kind: 'draft', text });
      clock.advance(500);
      writer.add({ text: piece });
      await writer.settle();
      say({ kind: 'drafted' });
    }
  };

  const steps = [append, append, append, setLeaf, setTitle, write, write, write, edit, edit, take, take, end, restore, restore, draft];
  for (let i = 0; i < STEPS; i += 1) {
    clock.advance(1 + random.below(5_000));
    await random.pick(steps)();
  }
}

const order = JSON.parse(process.argv[2] ?? '{}') as WorkerOrder;
const random = createRandom(`${order.seed}/${order.life}`);
let begun = false;
const fs = createKillingFs(blowsAt(order.killAt, random, () => begun), dead);
// Without a count the real thing: small files are read at once then, as in the product.
const project = openChaosProject(order.root, { life: order.life, tornPuts: order.tornPuts, ...(order.killAt === undefined ? {} : { node: { fs } }) });
process.stdin.once('data', () => {
  begun = true;
  say({ kind: 'ready' });
  void work(project, order, random).then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      process.exit(1);
    },
  );
});
