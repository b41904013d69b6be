import { sessionUsage } from '../../../engine/index';
import type { Engine, Result, Session } from '../../../engine/index';
import type { ContextReport } from '../../../protocol/chat';

export interface ContextReportDeps {
  readonly engine: Pick<Engine, 'contextUse'>;
  readonly session: Session;
  readonly model: { readonly window: number; readonly maxOutput: number };
  /** What tokens cost, once profiles have prices; in the person's words. */
  readonly cost?: (usage: { readonly input: number; readonly cached: number; readonly output: number }) => string | undefined;
}

/** What the newest call was made of, and what the session has used. */
export async function contextReport({ engine, session, model, cost }: ContextReportDeps): Promise<Result<ContextReport>> {
  const use = await engine.contextUse(session.header.id);
  if (!use.ok) return use;
  const { total, turns } = sessionUsage(session);
  const price = cost?.(total);
  return {
    ok: true,
    value: {
      window: model.window,
      reserved: model.maxOutput,
      parts: [...(use.value?.parts ?? [])],
      ...(use.value?.calibrated === true ? { calibrated: true } : {}),
      total,
      turns: turns.map((turn) => ({ ...turn, text: firstWords(session, turn.turnId) })),
      ...(price === undefined ? {} : { cost: price }),
    },
  };
}

const mostCharacters = 40;

function firstWords(session: Session, turnId: string): string {
  const entry = session.get(turnId);
  const text = entry?.type === 'user' ? (entry.data as { readonly text: string }).text : '';
  return Array.from(text.replace(/\s+/g, ' ').trim()).slice(0, mostCharacters).join('');
}
