import { writeFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withTempFolder } from '../../fakes/temp-folder';
import { startLife, type Life, type WorkerProgram } from './life';
import { createLedger, takeIn } from './ledger';
import { inspect, type Site } from './oracle';
import { must, openChaosProject } from './project';
import { createRandom, runSeed } from './random';

/** How a worker is killed: by itself at an exact change of the disk, or from outside at some moment. */
export type How = 'at a change of the disk' | 'at a moment';

/** The most changes of the disk, and milliseconds, that a worker is given. */
const MOST_CHANGES = 160;
const MOST_MS = 160;

/** Kills `kills` processes one after the other on one project that grows, and looks at it after each. */
export async function killAgainAndAgain(program: WorkerProgram, how: How, series: number, kills: number): Promise<Site> {
  const seed = `${runSeed}/${how}/${series}`;
  const random = createRandom(seed);
  return withTempFolder(async (root) => {
    let lives = 0;
    const nextLife = (): number => (lives += 1);
    const first = openChaosProject(root, { life: nextLife() });
    await mkdir(join(root, '正文'), { recursive: true });
    await mkdir(join(root, '设定'), { recursive: true });
    await writeFile(join(root, '正文/001-作者.md'), '起\n');
    const session = must(await first.sessions.create({ kind: 'agent', title: '起' }));
    await session.close();
    const site: Site = { root, sessionId: session.header.id, ledger: createLedger(), kills: 0, openRestores: 0, nextLife };
    takeIn(site.ledger, [{ kind: 'write', path: '正文/001-作者.md', text: '起\n' }, { kind: 'written' }]);

    const start = (): Life =>
      startLife(program, {
        root,
        seed,
        life: nextLife(),
        sessionId: site.sessionId,
        killAt: how === 'at a moment' ? undefined : 1 + random.below(MOST_CHANGES),
        tornPuts: random.once(3),
      });
    let next = start();
    try {
      for (let nth = 1; nth <= kills; nth += 1) {
        const said = await next.run(how === 'at a moment' ? random.below(MOST_MS) : 10_000);
        site.kills += 1;
        if (nth < kills) next = start();
        const pending = takeIn(site.ledger, said);
        try {
          await inspect(site, pending, random);
        } catch (error) {
          const last = said.slice(-4).map((one) => JSON.stringify(one).slice(0, 200)).join('\n');
          throw new Error(`kill ${nth} of series ${series}. Once more with LIYUAN_CHAOS_SEED=${runSeed}. Said last:\n${last}`, { cause: error });
        }
      }
    } finally {
      next.drop();
    }
    return site;
  });
}
