import * as z from 'zod';
import type { Log } from '../ports/log';
import type { TraceBlock, TraceLine, TraceResult } from './trace-schema';
import { traceLine, traceResult } from './trace-schema';

export type TraceRecord = TraceLine | TraceResult;

const traceRecord = z.union([traceLine, traceResult]);

/** A parsed line as a record, `undefined` when it is none. */
export function decodeTrace(value: unknown): TraceRecord | undefined {
  const record = traceRecord.safeParse(value);
  return record.success ? record.data : undefined;
}

/** How many leading blocks are the same. */
export function sharedBlocks(a: readonly TraceBlock[], b: readonly TraceBlock[]): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && JSON.stringify(a[at]) === JSON.stringify(b[at])) at += 1;
  return at;
}

/** The calls among the records, in their order, each with the blocks it has from the calls it stands on. */
export function wholeCalls(records: readonly TraceRecord[], log: Log): readonly TraceLine[] {
  const calls = records.filter((record): record is TraceLine => record.type === 'call');
  const raw = new Map(calls.map((call) => [call.id, call]));
  const whole = new Map<string, TraceLine>();

  const resolve = (id: string): TraceLine | undefined => {
    const chain: TraceLine[] = [];
    let at = raw.get(id);
    while (at !== undefined && !whole.has(at.id) && !chain.includes(at)) {
      chain.push(at);
      at = at.base === undefined ? undefined : raw.get(at.base.id);
    }
    for (const call of chain.reverse()) {
      const blocks = blocksOf(call);
      if (blocks === undefined) return undefined;
      const { base: _, ...rest } = call;
      whole.set(call.id, { ...rest, blocks });
    }
    return whole.get(id);
  };
  const blocksOf = ({ base, blocks }: TraceLine): TraceBlock[] | undefined => {
    if (base === undefined) return blocks;
    const under = whole.get(base.id);
    return under === undefined || under.blocks.length < base.count ? undefined : [...under.blocks.slice(0, base.count), ...blocks];
  };

  return calls.flatMap((call) => {
    const resolved = resolve(call.id);
    if (resolved === undefined) log.warn('trace: the call this one stands on is missing', { id: call.id });
    return resolved === undefined ? [] : [resolved];
  });
}
