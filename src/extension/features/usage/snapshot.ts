import { errorTable } from '../../../engine/index';
import type { DaySums, UsageCall } from '../../../engine/index';
import { addDays } from './days';
import type { UsageRow, UsageSnapshot } from '../../../protocol/usage';
import { codeInWords } from '../../l10n/localise-error';
import type { Translate } from '../../l10n/translate';

export interface UsageFigures {
  readonly day: string;
  readonly days: readonly DaySums[];
  readonly calls: readonly UsageCall[];
  readonly limits: UsageSnapshot['limits'];
  readonly allowed: boolean;
}

/** Days that the page can add up. */
const SHOWN_DAYS = 30;

/** What the page shows. `speedOf`: the engine's. */
export function usageSnapshotOf({ day, days, calls, limits, allowed }: UsageFigures, { t, speedOf }: { readonly t: Translate; readonly speedOf: (call: UsageCall) => number | undefined }): UsageSnapshot {
  const first = addDays(day, 1 - SHOWN_DAYS);
  return {
    day,
    days: days.filter((one) => one.day >= first).map((one) => ({ day: one.day, models: [...one.models] })),
    calls: calls.map((call) => rowOf(call, t, speedOf(call))),
    limits,
    allowed,
  };
}

function rowOf({ session: _session, turn: _turn, ...call }: UsageCall, t: Translate, speed: number | undefined): UsageRow {
  return { ...call, ...(speed === undefined ? {} : { speed }), ended: !Object.hasOwn(errorTable, call.outcome), outcome: outcomeWords(call.outcome, t) };
}

function outcomeWords(outcome: string, t: Translate): string {
  switch (outcome) {
    case 'stop':
      return t('whole');
    case 'tool_calls':
      return t('used a tool');
    case 'length':
      return t('cut off at the limit');
    case 'content_filter':
      return t('withheld by the service');
    case 'unknown':
      return t('broke off');
    case 'turn.aborted':
      return t('stopped');
    default:
      return codeInWords(outcome, t) ?? outcome;
  }
}
