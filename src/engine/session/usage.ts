import type { EntryData } from './entries';
import { isKnown } from './entry-index';
import type { Session } from './session';

/** What calls cost by the prices of their moment, in one currency. */
export interface Cost {
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** Tokens as the endpoint counted them. */
export interface TokenUsage {
  readonly input: number;
  /** Of the input: what it had in its cache. */
  readonly cached: number;
  readonly output: number;
  /** Of the output; absent: the endpoint told of none. */
  readonly reasoning?: number;
  /** Absent: no price was set. */
  readonly costs?: readonly Cost[];
  /** Of one call: counted on this side, because the service gives no figures. */
  readonly estimated?: true;
}

export interface TurnUsage extends TokenUsage {
  readonly turnId: string;
  readonly calls: number;
}

export interface SessionUsage {
  /** Of all calls of the session, those on other branches too: they were made. */
  readonly total: TokenUsage & { readonly calls: number };
  /** Turns of the current branch that used any, newest first. */
  readonly turns: readonly TurnUsage[];
}

type Reads = Pick<Session, 'idsOfType' | 'get' | 'path' | 'stub'>;

/** What a session has used, from its entries alone. */
export function sessionUsage(session: Reads, mostTurns = 50): SessionUsage {
  const ids = [...session.idsOfType('step'), ...session.idsOfType('reply')];
  const total = sum(ids.flatMap((id) => usageOf(session, id) ?? []));
  const turns: TurnUsage[] = [];
  let calls: TokenUsage[] = [];
  for (const id of [...session.path()].reverse()) {
    if (turns.length >= mostTurns) break;
    const type = session.stub(id)?.type;
    if (type === 'step' || type === 'reply') calls.push(...(usageOf(session, id) ?? []));
    if (type !== 'user') continue;
    if (calls.length > 0) turns.push({ turnId: id, ...sum(calls) });
    calls = [];
  }
  return { total, turns };
}

/** What the newest turn of the branch that used any has cost; nothing where there was no price. */
export function lastTurnCosts(session: Reads): readonly Cost[] {
  const calls: TokenUsage[] = [];
  for (const id of [...session.path()].reverse()) {
    const type = session.stub(id)?.type;
    if (type === 'step' || type === 'reply') calls.push(...(usageOf(session, id) ?? []));
    if (type === 'user' && calls.length > 0) break;
  }
  return sum(calls).costs ?? [];
}

/** The newest call of the branch whose tokens are known. */
export function lastUsage(session: Reads): TokenUsage | undefined {
  for (const id of [...session.path()].reverse()) {
    const type = session.stub(id)?.type;
    const [usage] = type === 'step' || type === 'reply' ? (usageOf(session, id) ?? []) : [];
    if (usage !== undefined) return usage;
  }
  return undefined;
}

function usageOf(session: Reads, id: string): readonly TokenUsage[] | undefined {
  const entry = session.get(id);
  if (entry === undefined || !isKnown(entry) || (entry.type !== 'step' && entry.type !== 'reply')) return undefined;
  const usage: EntryData<'reply'>['usage'] = entry.data.usage;
  return usage === undefined ? undefined : [{ input: usage.input, cached: usage.cached ?? 0, output: usage.output, ...furtherOf(usage) }];
}

function furtherOf({ reasoning, cost, currency, estimated }: NonNullable<EntryData<'reply'>['usage']>): Pick<TokenUsage, 'reasoning' | 'costs' | 'estimated'> {
  return {
    ...(estimated === undefined ? {} : { estimated }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(cost === undefined || currency === undefined ? {} : { costs: [{ amount: cost, currency }] }),
  };
}

function sum(calls: readonly TokenUsage[]): TokenUsage & { readonly calls: number } {
  const of = (read: (usage: TokenUsage) => number): number => calls.reduce((all, one) => all + read(one), 0);
  const reasoning = of((usage) => usage.reasoning ?? 0);
  const costs = new Map<string, number>();
  for (const { amount, currency } of calls.flatMap((usage) => usage.costs ?? [])) costs.set(currency, (costs.get(currency) ?? 0) + amount);
  return {
    input: of(({ input }) => input),
    cached: of(({ cached }) => cached),
    output: of(({ output }) => output),
    ...(reasoning === 0 ? {} : { reasoning }),
    ...(costs.size === 0 ? {} : { costs: [...costs].map(([currency, amount]) => ({ currency, amount })) }),
    calls: calls.length,
  };
}
