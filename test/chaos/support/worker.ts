import { writeSync } from 'node:fs';
import { createKillingFs, type Blow } from './killing-fs';
import { work } from './labour';
import { openChaosProject } from './project';
import { createRandom, type Random } from './random';
import type { Said, WorkerOrder } from './said';

/**
 * A process that works on a project until it is killed: node worker.cjs <order as JSON>. It begins when a line comes in on
 * standard input.
 */

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

const order = JSON.parse(process.argv[2] ?? '{}') as WorkerOrder;
const random = createRandom(`${order.seed}/${order.life}`);
let begun = false;
const fs = createKillingFs(blowsAt(order.killAt, random, () => begun), dead);
// Without a count the real thing: small files are read at once then, as in the product.
const project = openChaosProject(order.root, { life: order.life, tornPuts: order.tornPuts, ...(order.killAt === undefined ? {} : { node: { fs } }) });
process.stdin.once('data', () => {
  begun = true;
  say({ kind: 'ready' });
  void work({ project, editor: project.files, sessionId: order.sessionId, life: order.life, random, say }).then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      process.exit(1);
    },
  );
});
