import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** One line of `bench/results.json`. */
export interface Row {
  readonly id: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly baseline?: number;
  readonly baselineName?: string;
  /** value / baseline */
  readonly ratio?: number;
  /** In words, e.g. `≤ 0.25 ×` or `≤ 10 ms (× 1.3 for this machine)`. */
  readonly goal: string;
  readonly ok: boolean;
}

/** Does the work once. What it returns, if anything, is its time in ms as it measured it; else the call itself is timed. */
export type Work = () => Promise<number | undefined> | Promise<void> | number | undefined | void;

export type Statistic = 'median' | 'p95';

interface Sampling {
  readonly id: string;
  readonly name: string;
  /** Default `median`. */
  readonly statistic?: Statistic;
  /** Default 7 for medians, 200 for p95; fewer are refused. */
  readonly samples?: number;
  /** Not timed: before every single run, of either side. */
  readonly before?: () => Promise<void> | void;
}

export interface Comparison extends Sampling {
  readonly ours: Work;
  readonly baseline: Work;
  readonly baselineName: string;
  readonly maxRatio: number;
}

export interface Absolute extends Sampling {
  readonly run: Work;
  /** On the reference machine; scaled by the calibration loop elsewhere. */
  readonly goalMs: number;
}

/** What a case measures with. Every call adds one row. */
export interface Bench {
  /** Ours and the baseline in turns, so that both meet the same machine. */
  compare(options: Comparison): Promise<Row>;
  /** Against a fixed time, scaled by the calibration loop run beside it. */
  absolute(options: Absolute): Promise<Row>;
  /** Anything that is measured in another way: bytes, shares, counts, times taken elsewhere. */
  figure(row: Row): Row;
  /** A fresh folder, removed when the case is over. */
  folder(): string;
  /** Told beside the table: build times, heap. */
  note(text: string): void;
}

export interface BenchCase {
  /** `B1` … `B15`; rows may add a letter. */
  readonly id: string;
  readonly title: string;
  run(bench: Bench): Promise<void>;
}

/** Time of one calibration loop on the reference machine (2 cores, idle), in ms. */
export const referenceCalibrationMs = 110;

const sha = Buffer.alloc(64 * 1024 * 1024, 7);
let json: string | undefined;

/** SHA-256 over 64 MB and one JSON.parse of 20 MB; in ms. */
export function calibrate(): number {
  json ??= JSON.stringify(Array.from({ length: 100_000 }, (_, n) => ({ id: n, parentId: n - 1, type: 'message', text: '雨下了一夜。'.repeat(10) })));
  const began = performance.now();
  createHash('sha256').update(sha).digest();
  JSON.parse(json);
  return performance.now() - began;
}

/** Of at least one number; the lower of the two middle ones counts half. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? NaN;
  const high = sorted[Math.floor(middle)] ?? NaN;
  return (low + high) / 2;
}

/** Nearest rank: the smallest value that 95 % of all do not exceed. */
export function p95(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? NaN;
}

const least = { median: 7, p95: 200 } as const;

async function timed(work: Work): Promise<number> {
  const began = performance.now();
  const own = await work();
  return typeof own === 'number' ? own : performance.now() - began;
}

function samplesOf({ id, statistic = 'median', samples = least[statistic] }: Sampling): number {
  if (samples < least[statistic]) throw new Error(`${id}: a ${statistic} needs at least ${least[statistic]} samples, not ${samples}`);
  return samples;
}

const summary = (statistic: Statistic = 'median'): ((values: readonly number[]) => number) => (statistic === 'p95' ? p95 : median);

export interface BenchHandle extends Bench {
  readonly rows: readonly Row[];
  close(): void;
}

export function createBench({ calibration = calibrate, say = console.log }: { calibration?: () => number; say?: (text: string) => void } = {}): BenchHandle {
  const rows: Row[] = [];
  const folders: string[] = [];
  const keep = (row: Row): Row => {
    rows.push(row);
    return row;
  };
  return {
    rows,
    async compare(options) {
      const { id, name, ours, baseline, baselineName, maxRatio, before, statistic } = options;
      const count = samplesOf(options);
      const mine: number[] = [];
      const theirs: number[] = [];
      const sample = async (work: Work, into: number[] | undefined): Promise<void> => {
        await before?.();
        const ms = await timed(work);
        into?.push(ms);
      };
      await sample(ours, undefined);
      await sample(baseline, undefined);
      for (let n = 0; n < count; n++) {
        // Whoever goes second may find warm caches: take turns.
        const [first, second] = n % 2 === 0 ? [ours, baseline] : [baseline, ours];
        await sample(first, first === ours ? mine : theirs);
        await sample(second, second === ours ? mine : theirs);
      }
      const value = summary(statistic)(mine);
      const other = summary(statistic)(theirs);
      const ratio = value / other;
      return keep({ id, name, value, unit: 'ms', baseline: other, baselineName, ratio, goal: `≤ ${maxRatio} ×`, ok: ratio <= maxRatio });
    },
    async absolute(options) {
      const { id, name, run, goalMs, before, statistic } = options;
      const count = samplesOf(options);
      const values: number[] = [];
      const loops: number[] = [calibration()];
      for (let n = -1; n < count; n++) {
        await before?.();
        const ms = await timed(run);
        if (n >= 0) values.push(ms);
        if (n % Math.ceil(count / 5) === 0) loops.push(calibration());
      }
      const scale = median(loops) / referenceCalibrationMs;
      const value = summary(statistic)(values);
      return keep({ id, name, value, unit: 'ms', goal: `≤ ${goalMs} ms (× ${scale.toFixed(2)} for this machine)`, ok: value <= goalMs * scale });
    },
    figure: keep,
    folder() {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'liyuan-bench-'));
      folders.push(folder);
      return folder;
    },
    note: (text) => say(`  ${text}`),
    close() {
      for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Heap in MB after a collection, when Node runs with `--expose-gc` (the bench does). */
export function heapMb(): number {
  const { gc } = globalThis as { gc?: () => void };
  gc?.();
  return process.memoryUsage().heapUsed / 1_000_000;
}

/** Runs the cases of one file and writes their rows to `resultFile`; a case that throws fails as a row. */
export async function runCases(cases: readonly BenchCase[], resultFile: string, only: readonly string[]): Promise<void> {
  const rows: Row[] = [];
  for (const one of cases) {
    if (only.length > 0 && !only.includes(one.id)) continue;
    console.log(`${one.id} ${one.title}`);
    const bench = createBench();
    try {
      await one.run(bench);
      rows.push(...bench.rows);
      if (bench.rows.length === 0) throw new Error('the case measured nothing');
    } catch (error) {
      console.log(error);
      rows.push({ id: one.id, name: `${one.title}: ${String(error)}`, value: 0, unit: '', goal: 'runs', ok: false });
    } finally {
      bench.close();
    }
  }
  fs.writeFileSync(resultFile, JSON.stringify(rows));
}
