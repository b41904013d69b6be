import type { Session } from '../../../engine/index';
import type { Translate } from '../../l10n/translate';

/** Why nothing can be said here, in a person's words; nothing when it can. */
export function readOnlyWords(t: Translate, projectReadOnly: boolean, session: Pick<Session, 'readOnly' | 'readOnlyReason'> | undefined): string | undefined {
  if (projectReadOnly) return t('This folder is not trusted: you can read and look at the history; nothing is written and no model is asked.');
  if (session?.readOnly !== true) return undefined;
  switch (session.readOnlyReason) {
    case 'locked':
      return t('Another window has this conversation open, so here it can only be read.');
    case 'newer-version':
      return t('A newer version of Liyuan wrote this conversation, so here it can only be read. Update the extension to go on with it.');
    case 'handed-over':
      return t('Another window took over this conversation, so here it can only be read.');
    case 'lock-lost':
      return t('Another window took over this conversation, or this machine slept. Here it can only be read.');
    case 'asked':
    case undefined:
      return t('This conversation can only be read; the log has the reason.');
  }
}

/** Whether another window has the session, which could be written here. */
export const isElsewhere = (session: Pick<Session, 'readOnlyReason'>): boolean =>
  session.readOnlyReason === 'locked' || session.readOnlyReason === 'handed-over' || session.readOnlyReason === 'lock-lost';
