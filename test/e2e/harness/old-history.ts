import fs from 'node:fs';
import path from 'node:path';
import { createCheckpoints } from '../../../src/engine/manuscript/create-checkpoints';
import { createProjectRules } from '../../../src/engine/project/rules';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { createObjectStore } from '../../../src/engine/store/object-store';
import { createFakeClock } from '../../fakes/clock';
import { createFakeIds } from '../../fakes/ids';
import { createMemoryLog } from '../../fakes/log';
import { createMemoryDocuments } from '../../fakes/memory-documents';

const DAY = 24 * 3_600_000;

/** One state of the novel: which file is written how, and what its checkpoint is called. */
export interface PastStep {
  readonly daysAgo: number;
  readonly message: string;
  readonly file: string;
  readonly text: string;
}

/** Gives a novel a past, as the engine writes it: a checkpoint for each step, oldest first, and the objects as old as they. */
export async function livePast(folder: string, steps: readonly PastStep[]): Promise<void> {
  const now = Date.now();
  const clock = createFakeClock();
  const files = createNodeFiles(folder);
  const ids = createFakeIds(7);
  const log = createMemoryLog();
  const objects = createObjectStore({ files, ids, log, clock });
  const rules = createProjectRules({ v: 1, title: '', language: 'zh', folders: { manuscript: '正文', texts: ['大纲', '设定', '角色卡', '世界书', '预设'] } });
  const checkpoints = createCheckpoints({ files, objects, documents: createMemoryDocuments({ root: folder }), rules, clock, ids, log });
  const dated = new Set<string>();
  for (const { daysAgo, message, file, text } of steps) {
    const then = now - daysAgo * DAY;
    clock.set(then);
    fs.writeFileSync(path.join(folder, file), text);
    const taken = await checkpoints.take({ author: 'user', message });
    if (!taken.ok || taken.value === undefined) throw new Error(`no checkpoint: ${message}`);
    for (const { path: object } of await objects.entries()) {
      if (dated.has(object)) continue;
      dated.add(object);
      fs.utimesSync(path.join(folder, object), then / 1000, then / 1000);
    }
  }
}
