import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killAgainAndAgain } from './support/kills';
import { buildWorker, type WorkerProgram } from './support/life';

describe('a process that is killed at any moment', () => {
  let program: WorkerProgram;
  beforeAll(async () => {
    program = await buildWorker();
  });
  afterAll(() => program.remove());

  it.each([1, 2, 3, 4, 5])('has lost nothing that was done and left nothing half done, twenty times over (series %i)', { timeout: 120_000 }, async (series) => {
    const { kills, ledger } = await killAgainAndAgain(program, 'at a moment', series, 20);
    expect(kills).toBe(20);
    expect(ledger.entries.size).toBeGreaterThan(20);
  });
});
