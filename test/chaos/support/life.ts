import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Said, WorkerOrder } from './said';

export interface WorkerProgram {
  readonly file: string;
  remove(): Promise<void>;
}

/** The worker as one file that plain Node runs. */
export async function buildWorker(): Promise<WorkerProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'liyuan-worker-'));
  const file = join(folder, 'worker.cjs');
  await build({
    entryPoints: [fileURLToPath(new URL('worker.ts', import.meta.url))],
    outfile: file,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'error',
  });
  return { file, remove: () => rm(folder, { recursive: true, force: true }) };
}

export interface Life {
  /** Lets it begin, kills it after `killAfterMs` unless it has killed itself, and gives what it said. */
  run(killAfterMs: number): Promise<readonly Said[]>;
  /** Ends it unused. */
  drop(): void;
}

/** Starts the process; it waits for `run`, so that its start costs nothing while something else is looked at. */
export function startLife(program: WorkerProgram, order: WorkerOrder): Life {
  const child = spawn(process.execPath, [program.file, JSON.stringify(order)], { stdio: ['pipe', 'pipe', 'pipe'] });
  const said: Said[] = [];
  let failed = '';
  child.stderr.on('data', (piece: Buffer) => {
    failed += piece.toString('utf8');
  });
  child.stdin.on('error', () => undefined); // it may be dead already
  const lines = createInterface({ input: child.stdout });
  const begun = new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      const one = JSON.parse(line) as Said;
      said.push(one);
      if (one.kind === 'ready') resolve();
    });
  });
  const ended = closed(child, lines);
  return {
    async run(killAfterMs) {
      child.stdin.write('go\n');
      await Promise.race([begun, ended]);
      const signal = new AbortController();
      await Promise.race([ended, wait(killAfterMs, undefined, { signal: signal.signal }).catch(() => undefined)]);
      signal.abort();
      child.kill('SIGKILL');
      await ended;
      if (failed !== '') throw new Error(`the worker failed: ${failed}`);
      return said;
    },
    drop: () => void child.kill('SIGKILL'),
  };
}

function closed(child: ChildProcess, lines: ReturnType<typeof createInterface>): Promise<unknown> {
  return Promise.all([
    new Promise<void>((resolve) => void child.once('close', () => { resolve(); })),
    new Promise<void>((resolve) => void lines.once('close', resolve)),
  ]);
}
