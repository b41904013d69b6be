import type { OverBudgetAnswer } from '../../engine/index';
import type { Translate } from './translate';

/** What may be answered when the agent asks for permission: yes first. */
export const permissionOptions = (t: Translate): readonly [yes: string, no: string] => [t('Allow this change'), t('Leave it as it is')];

/** What may be answered when a call would go over the limit of the day, in this order. */
export const overBudgetAnswers = ['turn', 'today', 'stop'] as const satisfies readonly OverBudgetAnswer[];

export const overBudgetOptions = (t: Translate): readonly [turn: string, today: string, stop: string] => [t('Go on in this turn'), t('Go on for today'), t('Stop here')];
