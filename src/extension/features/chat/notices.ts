import type { EngineError, TurnEvent } from '../../../engine/index';
import type { ChatItem } from '../../../protocol/chat';
import { localiseError, localiseRetry, retryBecause } from '../../l10n/localise-error';
import type { Translate } from '../../l10n/translate';

type NoticeItem = Extract<ChatItem, { kind: 'notice' }>;
type NoticeAction = NoticeItem['actions'][number];

/** What a person can do about a refusal, as buttons. `again`: the turn it ended can be run again. */
function actionsFor(error: EngineError, again: boolean, t: Translate): NoticeAction[] {
  const setUp: NoticeAction = { action: 'configureModel', label: t('Set up the model…') };
  const configure: NoticeAction = { action: 'configureModel', label: t('Change the model settings…') };
  const retry: NoticeAction = { action: 'retry', label: t('Try again') };
  const log: NoticeAction = { action: 'showLog', label: t('Show the log') };
  const retries = again ? [retry] : [];
  const compact: NoticeAction = { action: 'compact', label: t('Summarise the earlier turns') };
  switch (error.code) {
    case 'model.not-configured':
    case 'model.no-key':
      return [setUp, ...retries];
    case 'model.network':
      return error.args?.['reason'] === 'broke-off' ? retries : [...retries, configure];
    case 'model.output-limit':
      return [{ action: 'openMaxOutput', label: t('Raise the output limit…') }, ...(again ? [{ action: 'continue', label: t('Continue') } as const] : [])];
    case 'model.auth':
    case 'model.not-found':
    case 'model.bad-settings':
    case 'model.no-profile':
    case 'model.window-too-small':
    case 'model.bad-request':
    case 'model.redirect':
    case 'model.quota':
    case 'model.vscode-blocked':
    case 'model.vscode-missing':
      return [configure, ...retries];
    case 'model.not-allowed':
      return [{ action: 'allowAddress', label: t('Allow this address…') }, configure, ...retries];
    case 'model.context-overflow':
      return [compact, configure, ...retries];
    case 'summary.failed':
      return [compact];
    case 'restore.open':
      return [{ action: 'openRestore', label: t('Finish or undo the restore…') }];
    case 'internal':
    case 'store.io':
    case 'store.bad-file':
    case 'model.bad-stream':
      return [...retries, log];
    default:
      return retries;
  }
}

/** What did not end the turn is a warning; what nobody has to mend, a remark. */
function levelOf(code: EngineError['code']): NoticeItem['level'] {
  if (code === 'turn.aborted' || code === 'summary.nothing') return 'info';
  return code === 'summary.failed' || code === 'summary.left-out' ? 'warning' : 'error';
}

/** A refusal as a line in the conversation. */
export function errorNotice(id: string, turnId: string | undefined, error: EngineError, t: Translate, again = false): NoticeItem {
  return {
    kind: 'notice',
    id,
    ...(turnId === undefined ? {} : { turnId }),
    level: levelOf(error.code),
    text: localiseError(error, t),
    actions: actionsFor(error, again, t),
  };
}

/** Troubles of a turn that went on to its end: those that another turn can make good. */
const anotherTurnHelps: ReadonlySet<EngineError['code']> = new Set(['model.output-limit', 'turn.no-answer']);

/** What a turn told on its way, though it did not fail. */
export const turnNotice = (turnId: string, error: EngineError, t: Translate): NoticeItem =>
  errorNotice(`${turnId}:notice:${error.code}`, turnId === '' ? undefined : turnId, error, t, turnId !== '' && anotherTurnHelps.has(error.code));

/** Another try is waited for; the person may not want to. */
export const retryNotice = (turnId: string, { error, afterMs, until, attempt }: Extract<TurnEvent, { type: 'retry' }>, t: Translate): NoticeItem => ({
  kind: 'notice',
  id: itemIds.retry(turnId),
  turnId,
  level: 'warning',
  text: localiseRetry(error, afterMs, attempt, t),
  actions: [{ action: 'retryNow', label: t('Try again now') }, { action: 'stop', label: t('Stop') }],
  countdown: { reason: retryBecause(error, t), attempt, ms: afterMs, until },
});

/** Places an undo left alone, because the author had changed the same words. */
export function conflictsNotice(turnId: string, conflicts: readonly { readonly path: string; readonly quote: string }[], t: Translate): NoticeItem {
  const places = conflicts.slice(0, 5).map(({ path, quote }) => `\n${path}: ${quote}`).join('');
  const text = t('Left as they are, because you changed the same words since: {places}', { places });
  return { kind: 'notice', id: `undo:${turnId}`, level: 'warning', text, actions: [] };
}

/** After another branch of the conversation has been brought up. */
export const switchedNotice = (t: Translate): NoticeItem => ({
  kind: 'notice',
  id: 'switched',
  level: 'info',
  text: t('This is the conversation as it went there. The files stay as they are now.'),
  actions: [],
});

/** After the first turn with the stand-in, which has said what it is: the way to a real model. */
export const rehearsalNotice = (t: Translate): NoticeItem => ({
  kind: 'notice',
  id: 'rehearsal',
  level: 'info',
  text: t('To write, set up a model. Any OpenAI-compatible service will do.'),
  actions: [{ action: 'configureModel', label: t('Set up the model…') }],
});

/** After the first turn with a service that takes no tools: why nothing but words came of it. */
export const toollessNotice = (t: Translate): NoticeItem => ({
  kind: 'notice',
  id: 'toolless',
  level: 'warning',
  text: t('This model’s service takes no tools, so the agent can only talk here: it can neither read nor change your chapters. Choose a model that takes tools, or have this one call them in plain text (liyuan.model.tools).'),
  actions: [{ action: 'configureModel', label: t('Set up the model…') }, { action: 'openTools', label: t('Have it call tools in plain text…') }],
});

/** Lines of the session’s file that are no records: they stay in the file and are left out of the conversation. */
export const badLinesNotice = (count: number, t: Translate): NoticeItem => ({
  kind: 'notice',
  id: 'bad-lines',
  level: 'warning',
  text: t('Lines of this conversation’s file that cannot be read: {count}. They are kept as they are; everything else is shown.', { count }),
  actions: [{ action: 'showLog', label: t('Show the log') }],
});

export const itemIds = {
  /** The words of one model call of a turn; `round` counts from 1. */
  assistant: (turnId: string, round: number): string => `${turnId}:${round}`,
  changes: (turnId: string): string => `${turnId}:changes`,
  proposal: (turnId: string): string => `${turnId}:proposal`,
  error: (turnId: string): string => `${turnId}:error`,
  retry: (turnId: string): string => `${turnId}:retry`,
  interrupted: (turnId: string): string => `${turnId}:interrupted`,
};
