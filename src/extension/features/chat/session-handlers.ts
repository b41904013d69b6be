import * as vscode from 'vscode';
import type { Result } from '../../../engine/index';
import type { chatRequests } from '../../../protocol/chat';
import type { Host } from '../../host';
import type { OpenProject } from '../../project/active-project';
import type { RequestHandlers } from '../../webviews/connection';
import type { Desk } from './desk';
import { oneLine } from './titles';

type Names = 'sessions' | 'searchSessions' | 'renameSession' | 'deleteSession' | 'restoreSession';

export interface SessionHandlerParts {
  readonly host: Pick<Host, 't' | 'log'>;
  readonly desk: Pick<Desk, 'current' | 'show'>;
  readonly opened: () => Promise<OpenProject>;
  /** The value of a result; a refusal is thrown in a person's words. */
  readonly need: <T>(result: Result<T>) => T;
  readonly postSnapshot: () => void;
}

/** The answers to what the list of conversations asks. */
export function createSessionHandlers({ host, desk, opened, need, postSnapshot }: SessionHandlerParts): Pick<RequestHandlers<typeof chatRequests>, Names> {
  const { t, log } = host;
  const toldUnreadable = new Set<string>();
  let searching: AbortController | undefined;

  const shownId = (): string | undefined => desk.current()?.session.header.id;

  /** Each file once. */
  function tellUnreadable(files: readonly string[]): void {
    const fresh = files.filter((file) => !toldUnreadable.has(file));
    if (fresh.length === 0) return;
    for (const file of fresh) toldUnreadable.add(file);
    log.warn('conversations that cannot be read', { files: fresh.join(', ') });
    void vscode.window.showWarningMessage(t('Conversations that cannot be read, left as they are: {files}', { files: fresh.join(', ') }));
  }

  return {
    sessions: async () => {
      const at = await opened();
      const { sessions, unreadable } = await at.engine.sessions.list();
      tellUnreadable(unreadable);
      const shown = shownId();
      const agents = sessions.filter((session) => session.kind === 'agent');
      return { sessions: agents.map(({ id, title, updatedAt, deleted }) => ({ id, title, updatedAt, deleted, current: id === shown })) };
    },
    searchSessions: async ({ text }) => {
      const at = await opened();
      searching?.abort();
      const own = new AbortController();
      searching = own;
      const hits = await at.engine.search.find(text, { signal: own.signal });
      return { hits: [...hits] };
    },
    renameSession: async ({ title, id }) => {
      const at = await opened();
      const which = id ?? shownId();
      if (which === undefined || oneLine(title) === '') return {};
      need(await at.engine.markSession(which, { title: oneLine(title) }));
      if (which === shownId()) postSnapshot();
      return {};
    },
    deleteSession: async ({ id }) => {
      const at = await opened();
      need(await at.engine.markSession(id, { deleted: true }));
      if (id === shownId()) need(await desk.show(undefined));
      return {};
    },
    restoreSession: async ({ id }) => {
      const at = await opened();
      need(await at.engine.markSession(id, { deleted: false }));
      return {};
    },
  };
}
