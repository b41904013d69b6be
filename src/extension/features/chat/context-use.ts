import { sessionUsage } from '../../../engine/index';
import type { Cost, Engine, Result, Session, TokenUsage } from '../../../engine/index';
import type { ContextReport } from '../../../protocol/chat';
import { moneyWords } from '../../l10n/money';

export interface ContextReportDeps {
  readonly engine: Pick<Engine, 'contextUse'>;
  readonly session: Session;
  readonly model: { readonly window: number; readonly maxOutput: number };
}

/** What the newest call was made of, and what the session has used. */
export async function contextReport({ engine, session, model }: ContextReportDeps): Promise<Result<ContextReport>> {
  const use = await engine.contextUse(session.header.id);
  if (!use.ok) return use;
  const { total, turns } = sessionUsage(session);
  return {
    ok: true,
    value: {
      window: model.window,
      reserved: model.maxOutput,
      parts: [...(use.value?.parts ?? [])],
      ...(use.value?.calibrated === true ? { calibrated: true } : {}),
      total: inWords(total),
      turns: turns.map((turn) => ({ ...inWords(turn), text: firstWords(session, turn.turnId) })),
    },
  };
}

/** Sums of money as the person reads them. */
export const costWords = (costs: readonly Cost[]): string => costs.map(({ amount, currency }) => moneyWords(amount, currency)).join(' + ');

function inWords<T extends TokenUsage>({ costs, ...usage }: T): Omit<T, 'costs'> & { readonly cost?: string } {
  return { ...usage, ...(costs === undefined ? {} : { cost: costWords(costs) }) };
}

const mostCharacters = 40;

function firstWords(session: Session, turnId: string): string {
  const entry = session.get(turnId);
  const text = entry?.type === 'user' ? (entry.data as { readonly text: string }).text : '';
  return Array.from(text.replace(/\s+/g, ' ').trim()).slice(0, mostCharacters).join('');
}
