import fs from 'node:fs';
import type { Session } from '../src/engine/session/session';
import { createNodeFiles } from '../src/engine/store/node-files';
import type { Bench, BenchCase } from './framework';
import { openOurs, proseOf, writeOurs, writePi } from './session-files';

const SAMPLES = 200;

const appendOne = async (session: Session): Promise<void> => {
  const result = await session.append([{ type: 'user', data: { text: proseOf(1, 1300) } }], { durable: true });
  if (!result.ok) throw new Error(result.error.code);
};

/** A chat as SillyTavern keeps it: all messages as objects in memory, every save the whole file anew, atomically. */
function wholeFileChat(root: string, messages: number): () => Promise<void> {
  const { path: file } = writePi(root, messages);
  const chat: unknown[] = fs.readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line) as unknown);
  const files = createNodeFiles(root);
  return async () => {
    chat.push({ name: '我', is_user: true, send_date: Date.now(), mes: proseOf(1, 1300) });
    await files.writeAtomic('chat.jsonl', Buffer.from(chat.map((message) => JSON.stringify(message)).join('\n')));
  };
}

async function run(bench: Bench): Promise<void> {
  const open = async (entries: number): Promise<Session> => {
    const root = bench.folder();
    writeOurs(root, entries / 2);
    return openOurs(root);
  };
  const small = await open(1000);
  const large = await open(100_000);
  const middle = await open(20_000);
  if (small.entryCount() !== 1000 || large.entryCount() !== 100_000) throw new Error('the sessions have another size');
  await bench.compare({
    id: 'B2a',
    name: 'one durable append at 100,000 entries, against one at 1,000',
    ours: () => appendOne(large),
    baseline: () => appendOne(small),
    baselineName: 'at 1,000 entries',
    samples: SAMPLES,
    maxRatio: 1.5,
  });
  const rewrite = wholeFileChat(bench.folder(), 20_000);
  await bench.compare({
    id: 'B2b',
    name: 'one durable append at 20,000 entries, against rewriting the file',
    ours: () => appendOne(middle),
    baseline: rewrite,
    baselineName: 'whole file, atomic (SillyTavern)',
    samples: SAMPLES,
    maxRatio: 0.02,
  });
  for (const session of [small, middle, large]) await session.close();
}

export const cases: readonly BenchCase[] = [{ id: 'B2', title: 'Appending to a long session', run }];
