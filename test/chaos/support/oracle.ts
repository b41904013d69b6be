import { cp, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Session } from '../../../src/engine/session/session';
import { sha256Hex } from '../../../src/engine/text/hash';
import { after, announce, chain, type Ledger, type Pending, type State } from './ledger';
import { filesOf, must, openChaosProject, withoutFsync, type ChaosProject } from './project';
import type { Random } from './random';

export interface Site {
  readonly root: string;
  readonly sessionId: string;
  readonly ledger: Ledger;
  /** How often a process was killed here: no more lines of a log can be torn. */
  kills: number;
  /** How often a restore was found open, for the figures. */
  openRestores: number;
  nextLife(): number;
  /** Streamed words that were not fsynced may be gone. */
  readonly draftsMayGo?: boolean;
}

const LONG_AGO = new Date('2020-01-01T00:00:00Z');

/** The dead hold their locks until their heartbeat is old. */
async function ageLocks(root: string): Promise<void> {
  const folder = join(root, '.liyuan/locks');
  for (const name of await readdir(folder).catch(() => [])) await utimes(join(folder, name), LONG_AGO, LONG_AGO);
}

/** What looks at it need not be durable. */
const reopen = (root: string, site: Site): ChaosProject => openChaosProject(root, { life: site.nextLife(), files: withoutFsync });

/** Opens the project as the next window does, recovers, and checks that nothing done is lost and nothing is there that was never said. */
export async function inspect(site: Site, pending: Pending, random: Random): Promise<void> {
  await ageLocks(site.root);
  await recoverBothWays(site, pending, random);
  const project = reopen(site.root, site);
  await checkSession(project, site, pending);
  await checkDraft(project, site);
  await checkCheckpoints(project, site);
}

const entriesOf = (session: Session, id: string | null): readonly string[] =>
  session.children(id).flatMap((child) => [child, ...entriesOf(session, child)]);

async function checkSession(project: ChaosProject, site: Site, pending: Pending): Promise<void> {
  const { ledger } = site;
  const session = must(await project.sessions.open(site.sessionId));
  try {
    expect(session.readOnly, 'the session can be written').toBe(false);
    expect(session.badLines.length, 'torn lines').toBeLessThanOrEqual(site.kills);
    const text = (id: string): string | undefined => {
      const entry = session.get(id);
      return entry?.type === 'user' ? (entry.data as { readonly text: string }).text : undefined;
    };
    for (const [id, entry] of ledger.entries) {
      expect({ text: text(id), parentId: session.stub(id)?.parentId }, `entry ${id} of the session`).toEqual(entry);
    }
    const fresh = entriesOf(session, null).filter((id) => !ledger.entries.has(id));
    const announced = pending?.kind === 'append' ? pending.texts : [];
    expect(fresh.map(text), 'entries nobody was told of').toEqual(announced.slice(0, fresh.length));
    const leaves = [ledger.leaf];
    const titles = [ledger.title];
    if (pending?.kind === 'leaf') leaves.push(pending.id);
    if (pending?.kind === 'title') titles.push(pending.title);
    if (pending?.kind === 'append') {
      leaves.push(pending.under);
      if (fresh.length > 0) {
        chain(ledger, fresh, pending.texts, pending.under);
        leaves.splice(0, leaves.length, ledger.leaf);
      }
      for (const id of fresh) expect(session.stub(id)?.parentId).toBe(ledger.entries.get(id)?.parentId);
    }
    expect(leaves, 'the leaf').toContain(session.leaf());
    expect(titles, 'the title').toContain(session.title());
    ledger.leaf = session.leaf();
    ledger.title = session.title();
    // It can be written on, right behind whatever was torn.
    const [entry] = must(await session.append([{ type: 'user', data: { text: `之后 ${site.kills}` } }], { durable: false }));
    chain(ledger, [entry?.id ?? ''], [`之后 ${site.kills}`], ledger.leaf);
  } finally {
    await session.close();
  }
}

async function checkDraft(project: ChaosProject, site: Site): Promise<void> {
  const { done, announced, all } = site.ledger.draft;
  const text = (await project.partial.read(site.sessionId))?.text ?? '';
  if (done !== '' && site.draftsMayGo !== true) expect(text.startsWith(done), 'streamed words that were kept are there').toBe(true);
  const said = site.draftsMayGo === true ? all : [announced];
  if (done !== '' && text !== '') expect(said.some((one) => one.startsWith(text)), 'streamed words nobody said').toBe(true);
  await project.partial.remove(site.sessionId);
  site.ledger.draft = { done: '', announced: '', all: [] };
}

/** Ends an open restore, once each way on a copy and then one of them here: all files are as before it, or as after it. */
async function recoverBothWays(site: Site, pending: Pending, random: Random): Promise<void> {
  const { ledger, root } = site;
  const probe = reopen(root, site);
  const open = must(await probe.checkpoints.openRestore());
  if (open === undefined) {
    const found = await filesOf(probe, root);
    const one = [ledger.live, after(ledger, pending)].map(shown);
    expect(one, `the files after ${pending?.kind ?? 'nothing'}`).toContainEqual(shown(found));
    ledger.live = found;
    return;
  }
  site.openRestores += 1;
  expect(pending, 'an open restore was announced').toMatchObject({ kind: 'restore', target: open.target });
  const ways = [
    { how: 'finish', wanted: after(ledger, pending) },
    { how: 'undo', wanted: ledger.live },
  ] as const;
  const chosen = random.pick(ways);
  for (const way of ways.filter((one) => one !== chosen)) {
    const copy = await mkdtemp(join(tmpdir(), 'liyuan-copy-'));
    try {
      await cp(root, copy, { recursive: true, preserveTimestamps: true });
      await ageLocks(copy);
      await end(reopen(copy, site), copy, way);
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
  }
  await end(reopen(root, site), root, chosen);
  ledger.live = chosen.wanted;

  async function end(project: ChaosProject, at: string, { how, wanted }: (typeof ways)[number]): Promise<void> {
    must(await project.checkpoints.finishRestore(open?.id ?? '', how));
    must(await project.checkpoints.finishRestore(open?.id ?? '', how));
    expect(shown(await filesOf(project, at)), `the files after ${how}`).toEqual(shown(wanted));
    expect(must(await project.checkpoints.openRestore())).toBeUndefined();
  }
}

const shown = (state: State): Record<string, string> => Object.fromEntries(state);

async function checkCheckpoints(project: ChaosProject, site: Site): Promise<void> {
  const { ledger, root } = site;
  const { checkpoints } = project;
  const before = new Set(ledger.checkpoints);
  must(await checkpoints.take({ author: 'user', message: '之后' }));
  expect(shown(await filesOf(project, root)), 'taking a checkpoint changes no file').toEqual(shown(ledger.live));
  const records = must(await checkpoints.list());
  const listed = new Set(records.map(({ id }) => id));
  expect([...ledger.checkpoints].filter((id) => !listed.has(id)), 'checkpoints that are gone').toEqual([]);
  for (const { id, author, changed } of records) {
    const manifest = must(await checkpoints.manifest(id));
    const known = ledger.states.get(id);
    if (known !== undefined) {
      const wanted = Object.fromEntries([...known].map(([path, text]) => [path, sha256Hex(text)]));
      expect(Object.fromEntries(manifest), `checkpoint ${id}`).toEqual(wanted);
    }
    // A file caught half-written by a restore may have been kept as it stood.
    for (const [path, sha] of manifest) {
      if (ledger.contents.get(path)?.has(sha) === true || before.has(id)) continue;
      const cut = Buffer.from(must(await checkpoints.fileAt(id, path)) ?? []).toString('utf8');
      const of = [...(ledger.contents.get(path) ?? [])].map((one) => ledger.texts.get(one) ?? '');
      const cutShort = site.openRestores > 0 && of.some((text) => text.startsWith(cut));
      expect(cutShort, `${path} in checkpoint ${id} holds words nobody wrote`).toBe(true);
      announce(ledger, path, cut);
    }
    if (!before.has(id) && author === 'user') {
      // By what it holds: an older record of the author's may name the same file.
      const agents = (path: string): boolean => {
        const text = ledger.uncredited.get(path);
        return text !== undefined && text === ledger.live.get(path) && manifest.get(path) === sha256Hex(text);
      };
      expect([...changed.added, ...changed.modified].filter(agents), 'the agent’s edits credited to the author').toEqual([]);
    }
    ledger.checkpoints.add(id);
    const texts = [...manifest].map(([path, sha]) => [path, ledger.texts.get(sha)] as const);
    if (texts.every((one): one is readonly [string, string] => one[1] !== undefined)) ledger.states.set(id, new Map(texts));
  }
  expect(must(await checkpoints.verify()).bad, 'objects and manifests').toEqual([]);
  const newest = must(await checkpoints.head());
  if (newest !== undefined) {
    const manifest = must(await checkpoints.manifest(newest.id));
    expect([...manifest.keys()].sort(), 'the newest checkpoint holds what stands').toEqual([...ledger.live.keys()].sort());
    ledger.states.set(newest.id, ledger.live);
  }
  ledger.uncredited.clear();
}
