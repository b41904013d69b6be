import { describe, expect, it } from 'vitest';
import { speedOf } from '../../../../src/engine/usage/call';
import { usageCsv, usageJson } from '../../../../src/extension/features/usage/export-text';
import { usageSnapshotOf } from '../../../../src/extension/features/usage/snapshot';
import { localiseError } from '../../../../src/extension/l10n/localise-error';
import { moneyWords } from '../../../../src/extension/l10n/money';
import { createAsks } from '../../../../src/extension/asks';
import { createUi } from '../../../../src/extension/ui';
import { usageSnapshot } from '../../../../src/protocol/usage';
import { fillMessage } from '../../../../src/extension/l10n/translate';
import { callAt, NOON } from '../../usage/support';

const t = fillMessage;
const call = callAt(NOON, { profile: '=SUM(A1)', session: 's1', turn: 't1', cached: 40, firstMs: 500, ms: 1_500, cost: 0.0123, currency: 'CNY' });

describe('the usage page', () => {
  it('shows a month of days, the calls with their speed and how they ended, and nothing of sessions', () => {
    const day = (name: string): { readonly day: string; readonly models: [] } => ({ day: name, models: [] });
    const shown = usageSnapshotOf(
      { day: '2026-12-01', days: [day('2026-11-01'), day('2026-11-02'), day('2026-12-01')], calls: [call, callAt(NOON, { outcome: 'usage.over-budget' }), callAt(NOON, { outcome: 'of a later version' })], limits: { tokens: 9 }, allowed: true },
      { t, speedOf },
    );
    expect(usageSnapshot.parse(shown)).toEqual(shown);
    expect(shown.days.map((one) => one.day)).toEqual(['2026-11-02', '2026-12-01']);
    expect(shown.calls.map(({ speed, ended, outcome }) => [speed, ended, outcome])).toEqual([
      [10, true, 'whole'],
      [undefined, false, 'The budget of the day is used up.'],
      [undefined, true, 'of a later version'],
    ]);
    expect(JSON.stringify(shown)).not.toContain('s1');
  });

  it('is exported as lines a spreadsheet reads and runs nothing of', () => {
    const [head, line, ...rest] = usageCsv([call], speedOf).replace('\uFEFF', '').split('\r\n');
    expect(head).toBe('time,profile,model,host,use,session,turn,input,cached,output,reasoning,estimated,firstMs,ms,tokensPerSecond,outcome,retries,cost,currency');
    expect(line).toBe("2026-12-01T04:00:00.000Z,'=SUM(A1),m,a.example,writing,s1,t1,100,40,10,,,500,1500,10,stop,0,0.0123,CNY");
    expect(rest).toEqual(['']);
  });

  it('is exported as JSON with sums and calls', () => {
    expect(JSON.parse(usageJson('0.1.0', [{ day: '2026-12-01', models: [] }], [callAt(NOON)], speedOf))).toEqual({
      liyuanUsage: 1,
      version: '0.1.0',
      days: [{ day: '2026-12-01', models: [] }],
      calls: [{ time: '2026-12-01T04:00:00.000Z', profile: '', model: 'm', host: 'a.example', use: 'writing', input: 100, output: 10, ms: 1_000, outcome: 'stop', retries: 0 }],
    });
  });
});

describe('sums of money', () => {
  it('show the digits that matter', () => {
    expect([moneyWords(0, 'CNY'), moneyWords(0.01234, 'CNY'), moneyWords(12.345, 'USD'), moneyWords(0.5, 'EUR')]).toEqual(['¥0.00', '¥0.0123', 'US$12.35', '€0.50']);
  });

  it('stand in the refusal as people read them, tokens as tokens', () => {
    const over = (unit: string, spent: number): string => localiseError({ code: 'usage.over-budget', args: { spent, estimate: 0.002, limit: 1, unit } }, t);
    expect(over('CNY', 0.9991)).toBe('This call would go over today’s budget: ¥0.9991 of ¥1.00 is spent, and it takes at least ¥0.002 more.');
    expect(localiseError({ code: 'usage.over-budget', args: { spent: 12_345, estimate: 800, limit: 13_000, unit: 'tokens' } }, t)).toContain('12,345 of 13,000 are used, and it takes at least 800 more');
  });
});

describe('the question whether to go over the budget', () => {
  const ask = (answer: string, by: 'option' | 'text' = 'option'): Promise<string> => {
    const asks = createAsks();
    const answered = createUi(asks, t).overBudget({ askId: 'b1', error: { code: 'usage.over-budget' } }, new AbortController().signal);
    asks.answer('b1', { kind: 'answer', text: answer, by });
    return answered;
  };

  it('goes over it only by the two answers that say so', async () => {
    expect([await ask('Go on in this turn'), await ask('Go on for today'), await ask('Stop here')]).toEqual(['turn', 'today', 'stop']);
    expect(await ask('Go on for today', 'text')).toBe('stop');
  });

  it('is answered with no when the turn is stopped', async () => {
    const stop = new AbortController();
    const answered = createUi(createAsks(), t).overBudget({ askId: 'b1', error: { code: 'usage.over-budget' } }, stop.signal);
    stop.abort();
    expect(await answered).toBe('stop');
  });
});
