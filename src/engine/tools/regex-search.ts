import { Worker } from 'node:worker_threads';
import type { Clock } from '../ports/clock';
import type { Result } from '../ports/result';
import { ok, refuse } from '../ports/result';

/** One line with a match: the text's index in the request, its line number from 1, and the first match in it (UTF-16). */
export interface LineHit {
  readonly text: number;
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

export interface LineHits {
  /** In order, at most `limit`. */
  readonly hits: readonly LineHit[];
  /** How many lines match in all. */
  readonly total: number;
}

export interface RegexSearchRequest {
  readonly pattern: string;
  readonly texts: readonly string[];
  readonly limit: number;
}

/**
 * Finds the lines that match a regular expression, off the main thread and under a time limit: a pattern that backtracks
 * without end is stopped. Refuses `tool.bad-pattern` (`{message}`; not a regular expression, or too slow), `turn.aborted`.
 */
export type RegexSearch = (request: RegexSearchRequest, signal: AbortSignal) => Promise<Result<LineHits>>;

const LIMIT_MS = 3_000;

/** Runs in the worker. The unicode form is tried first; patterns it refuses (stray escapes) are taken in the loose form. */
const workerSource = `
const { parentPort, workerData } = require('node:worker_threads');
const { pattern, texts, limit } = workerData;
const compile = () => { try { return new RegExp(pattern, 'u'); } catch { return new RegExp(pattern); } };
try {
  const regex = compile();
  const hits = [];
  let total = 0;
  texts.forEach((text, index) => {
    text.split('\\n').forEach((raw, at) => {
      const line = raw.endsWith('\\r') ? raw.slice(0, -1) : raw;
      const match = regex.exec(line);
      if (match === null) return;
      total += 1;
      if (hits.length < limit) hits.push({ text: index, line: at + 1, column: match.index, length: match[0].length });
    });
  });
  parentPort.postMessage({ hits, total });
} catch (error) {
  parentPort.postMessage({ message: String(error && error.message) });
}
`;

type Answer = LineHits | { readonly message: string };

export function createRegexSearch(deps: { readonly clock: Clock }): RegexSearch {
  return (request, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) {
        resolve(refuse('turn.aborted'));
        return;
      }
      const worker = new Worker(workerSource, { eval: true, workerData: request });
      const settle = (outcome: Result<LineHits>): void => {
        cancelTimer();
        signal.removeEventListener('abort', onAbort);
        resolve(outcome);
        void worker.terminate();
      };
      const onAbort = (): void => settle(refuse('turn.aborted'));
      const cancelTimer = deps.clock.after(LIMIT_MS, () => settle(refuse('tool.bad-pattern', { message: `stopped after ${LIMIT_MS} ms` })));
      signal.addEventListener('abort', onAbort, { once: true });
      worker.once('message', (answer: Answer) => {
        settle('message' in answer ? refuse('tool.bad-pattern', { message: answer.message }) : ok(answer));
      });
      worker.once('error', (error: unknown) => settle(refuse('tool.failed', { message: error instanceof Error ? error.message : String(error) }, error)));
    });
}
