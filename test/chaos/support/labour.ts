import type { Files } from '../../../src/engine/ports/files';
import { must, type ChaosProject } from './project';
import type { Random } from './random';
import type { Said } from './said';

const STEPS = 400;
const authors = ['正文/001-作者.md', '正文/002-作者.md', '设定/人物.txt'];
const agents = ['正文/101-助手.md', '正文/卷一/102-助手.md'];
const sentences = ['雨下了一夜。', '他没有走。', '天亮了，谁也没有来。', 'Rain on the roof.', '𠀀字也算一个。'];

export interface Labour {
  readonly project: ChaosProject;
  /** Through which the author's editor writes. */
  readonly editor: Files;
  readonly sessionId: string;
  readonly life: number;
  readonly random: Random;
  readonly say: (said: Said) => void;
}

/** Works on a project as windows do, announcing each step before it and saying when it is done. */
export async function work({ project, editor, sessionId, life, random, say }: Labour): Promise<void> {
  const { checkpoints, documents, partial, clock } = project;
  const session = must(await project.sessions.open(sessionId));
  const targets = must(await checkpoints.list()).map(({ id }) => id);
  let turns = 0;
  let open: string | undefined;
  let nth = 0;
  /** No sentence stands in two texts: who wrote what can always be told apart. */
  const words = (): string => {
    nth += 1;
    const times = random.once(3) ? 60 : 1 + random.below(4);
    return `${life}.${nth} ${Array.from({ length: times }, (_, i) => `${life}.${nth}.${i} ${random.pick(sentences)}`).join('')}\n`;
  };
  const turnOf = (id: string): { sessionId: string; userEntryId: string } => ({ sessionId, userEntryId: id });

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
    const exists = (await editor.read(path)) !== undefined;
    const text = exists && random.once(6) ? null : words();
    say({ kind: 'write', path, text });
    if (text === null) await editor.remove(path);
    else await editor.writeAtomic(path, Buffer.from(text), { fsync: false });
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
    await editor.writeAtomic(path, Buffer.from(text), { fsync: false });
    if (!random.once(3)) await checkpoints.journal(turnOf(open)).settled();
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
    const writer = partial.open(sessionId, { turnId: `draft-${life}-${nth}`, leaf: 'leaf' });
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
