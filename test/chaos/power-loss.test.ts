import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createNodeFiles } from '../../src/engine/store/node-files';
import { withTempFolder } from '../fakes/temp-folder';
import { work } from './support/labour';
import { createLedger, takeIn } from './support/ledger';
import { inspect, type Site } from './support/oracle';
import { must, openChaosProject } from './support/project';
import { createRandom, runSeed } from './support/random';
import type { Said } from './support/said';
import { createVolatileDisk } from './support/volatile-disk';

const LOSSES = 20;
const MOST_CHANGES = 160;

describe('a machine whose power goes', () => {
  it.each([1, 2, 3])('has lost nothing that was said to be done, though the disk keeps only what was fsynced (series %i)', { timeout: 120_000 }, async (series) => {
    const seed = `${runSeed}/power/${series}`;
    const random = createRandom(seed);
    await withTempFolder(async (root) => {
      let lives = 0;
      const nextLife = (): number => (lives += 1);
      await mkdir(join(root, '正文'), { recursive: true });
      await mkdir(join(root, '设定'), { recursive: true });
      await writeFile(join(root, '正文/001-作者.md'), '起\n');
      const session = must(await openChaosProject(root, { life: nextLife() }).sessions.create({ kind: 'agent', title: '起' }));
      await session.close();
      const site: Site = { root, sessionId: session.header.id, ledger: createLedger(), kills: 0, openRestores: 0, nextLife, draftsMayGo: true };
      takeIn(site.ledger, [{ kind: 'write', path: '正文/001-作者.md', text: '起\n' }, { kind: 'written' }]);
      for (let nth = 1; nth <= LOSSES; nth += 1) {
        const disk = createVolatileDisk(1 + random.below(MOST_CHANGES));
        const said: Said[] = [];
        const editor = createNodeFiles(root);
        const life = nextLife();
        const project = openChaosProject(root, { life, node: { fs: disk.fs }, editor });
        const working = work({ project, editor, sessionId: site.sessionId, life, random: createRandom(`${seed}/${life}`), say: (one) => void said.push(one) });
        await Promise.race([disk.gone, working]);
        await disk.lose(random);
        site.kills += 1;
        try {
          await inspect(site, takeIn(site.ledger, said), random);
        } catch (error) {
          throw new Error(`loss ${nth} of series ${series}. Once more with LIYUAN_CHAOS_SEED=${runSeed}`, { cause: error });
        }
      }
      expect(site.ledger.entries.size).toBeGreaterThan(LOSSES);
    });
  });
});
