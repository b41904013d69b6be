import fs from 'node:fs';
import path from 'node:path';
import { SessionManager } from '@mariozechner/pi-coding-agent';
import { historyOf, recentBranch } from '../src/engine/session/history';
import { heapMb, type Bench, type BenchCase } from './framework';
import { openOurs, SESSION_ID, writeOurs, writePi } from './session-files';

const MESSAGES = 20_000;
const FLOORS = 50;

/** Opens a session, reads its last 50 floors with their ledger patches, closes it again (not timed); in ms. */
async function openToLastFloors(root: string): Promise<number> {
  const began = performance.now();
  const session = await openOurs(root);
  const { branch, earlier } = recentBranch(session, FLOORS);
  const { turns } = historyOf(branch);
  const ledger = branch.filter(({ type }) => type === 'state');
  const ms = performance.now() - began;
  if (turns.length !== FLOORS || ledger.length !== FLOORS || earlier !== (MESSAGES / 2 - FLOORS) * 4) throw new Error('not the last 50 floors');
  await session.close();
  return ms;
}

async function run(bench: Bench): Promise<void> {
  const root = bench.folder();
  const heap = heapMb();
  const ours = writeOurs(root, MESSAGES);
  const pi = writePi(root, MESSAGES);
  const cache = path.join(root, '.liyuan/cache/offsets', SESSION_ID);
  bench.note(`${MESSAGES} messages: ours ${(ours.bytes / 1e6).toFixed(1)} MB in ${ours.entries} entries, pi ${(pi.bytes / 1e6).toFixed(1)} MB`);

  const baseline = (): void => {
    const manager = SessionManager.open(pi.path);
    if (manager.getEntries().length !== MESSAGES) throw new Error('pi read another session');
  };
  const common = { baseline, baselineName: 'pi SessionManager.open', samples: 15 };
  await bench.compare({
    ...common,
    id: 'B1a',
    name: `open ${MESSAGES} messages to the last ${FLOORS} floors, without cache`,
    ours: () => openToLastFloors(root),
    before: () => fs.rmSync(cache, { force: true }),
    maxRatio: 0.25,
  });
  await openToLastFloors(root);
  bench.note(`cache of offsets: ${(fs.statSync(cache).size / 1e6).toFixed(2)} MB`);
  await bench.compare({
    ...common,
    id: 'B1b',
    name: `open ${MESSAGES} messages to the last ${FLOORS} floors, with cache`,
    ours: () => openToLastFloors(root),
    maxRatio: 0.1,
  });
  const session = await openOurs(root);
  recentBranch(session, FLOORS);
  bench.note(`heap: ${(heapMb() - heap).toFixed(1)} MB more than before the first was opened`);
  await session.close();
}

export const cases: readonly BenchCase[] = [{ id: 'B1', title: 'Opening a long session', run }];
