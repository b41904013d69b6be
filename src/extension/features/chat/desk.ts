import type * as vscode from 'vscode';
import type { EngineError, Result, Session } from '../../../engine/index';
import type { ChatDelta } from '../../../protocol/chat';
import type { Host } from '../../host';
import type { OpenProject } from '../../project/active-project';
import { isElsewhere } from './read-only';
import { createSessionChat } from './session-chat';
import type { SessionChat } from './session-chat';
import { titleOf } from './titles';

/** The open sessions of the window's project, and which of them is shown. A turn goes on in one that is not shown. */
export interface Desk {
  project(): OpenProject | undefined;
  /** Why the project did not open; nothing when there is none. */
  openError(): EngineError | undefined;
  current(): SessionChat | undefined;
  /** Opens the project when it is not, and shows the session that was shown last. */
  open(): Promise<Result<OpenProject>>;
  /** Shows a session, or none: a new conversation that is written with its first words. */
  show(id: string | undefined): Promise<Result<void>>;
  /** The session that words go to: the one shown, or a new one titled by them. */
  sessionFor(firstWords: string): Promise<Result<SessionChat>>;
  /** Takes the session that is shown over from another window. Refuses what `Sessions.takeOver` refuses. */
  takeOver(options: { readonly force: boolean; readonly signal: AbortSignal }): Promise<Result<void>>;
  /** Stops all turns and waits for their ends. */
  stopTurns(): Promise<void>;
  /** Stops all turns and forgets the project. */
  clear(): Promise<void>;
}

export interface DeskEvents {
  /** Tokens the model's window holds. */
  window(): number;
  /** The model's service has refused tools. */
  toolsRefused(): boolean;
  onDeltas(deltas: readonly ChatDelta[]): void;
  onStatus(): void;
  /** Something else is shown, or all of it was read anew. */
  onShown(): void;
  /** Calls `onNew` when another window has written into the session. */
  follow(root: vscode.Uri, session: Session, onNew: () => Promise<void>): { dispose(): void };
  /** The project has just been opened, before its session is shown. */
  onOpened(): Promise<void>;
}

const lastSessionKey = (root: vscode.Uri): string => `chat.session:${root.toString()}`;

export function createDesk(host: Host, events: DeskEvents): Desk {
  const { log, t } = host;
  const memory = host.context.workspaceState;
  const chats = new Map<string, SessionChat>();
  let project: OpenProject | undefined;
  let openError: EngineError | undefined;
  let current: SessionChat | undefined;
  let following: { dispose(): void } | undefined;
  let rehearsed = false;
  /** One change of what is shown at a time. */
  let last: Promise<unknown> = Promise.resolve();

  function serially<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  }

  function chatOf(at: OpenProject, session: Session): SessionChat {
    const id = session.header.id;
    const isShown = (): boolean => current?.session.header.id === id;
    const chat = createSessionChat({
      engine: at.engine,
      session,
      log,
      t,
      window: () => events.window(),
      toolsRefused: () => events.toolsRefused(),
      firstRehearsal: () => {
        const first = !rehearsed;
        rehearsed = true;
        return first;
      },
      onDeltas: (deltas) => { if (isShown()) events.onDeltas(deltas); },
      onStatus: () => {
        if (chat.phase() === 'preparing') host.signals.turnStarted.fire();
        if (isShown()) events.onStatus();
      },
      onReset: () => { if (isShown()) events.onShown(); },
      onReadOnly: () => {
        if (isShown()) follow(at, chat);
      },
      onCheckpoint: () => { host.signals.checkpointsChanged.fire(); },
      onEnded: () => {
        host.signals.checkpointsChanged.fire();
        if (!isShown()) void release(chat);
      },
    });
    chats.set(id, chat);
    return chat;
  }

  /** A session that another window writes shows what comes in there. */
  function follow(at: OpenProject, chat: SessionChat | undefined): void {
    following?.dispose();
    following = undefined;
    if (chat === undefined || !isElsewhere(chat.session)) return;
    following = events.follow(at.root, chat.session, () => chat.reload());
  }

  async function takeOver(at: OpenProject, options: { readonly force: boolean; readonly signal: AbortSignal }): Promise<Result<void>> {
    const before = current;
    if (before === undefined) return { ok: true, value: undefined };
    const { id } = before.session.header;
    const taken = await at.engine.sessions.takeOver(id, options);
    if (!taken.ok) return taken;
    const next = chatOf(at, taken.value);
    await next.reload();
    // While it was asked for, another one may have been chosen.
    if (current === before) {
      current = next;
      follow(at, next);
      events.onShown();
    }
    return { ok: true, value: undefined };
  }

  /** Closes a session that is neither shown nor busy, so that another window may have it. */
  async function release(chat: SessionChat): Promise<void> {
    // A job may be at work in it, which this chat does not know of.
    if (chat === current || chat.running() || project?.engine.turns.busy(chat.session.header.id) === true) return;
    chats.delete(chat.session.header.id);
    await chat.session.close();
  }

  async function show(at: OpenProject, id: string | undefined): Promise<Result<void>> {
    const before = current;
    let next = id === undefined ? undefined : chats.get(id);
    if (id !== undefined && next === undefined) {
      const session = await at.engine.sessions.open(id);
      if (!session.ok) return session;
      next = chatOf(at, session.value);
      await next.reload();
    }
    current = next;
    follow(at, next);
    await memory.update(lastSessionKey(at.root), id ?? '');
    events.onShown();
    if (before === undefined || before === next) return { ok: true, value: undefined };
    before.leaveQueue();
    await release(before);
    return { ok: true, value: undefined };
  }

  /** The session last shown here, else the newest; `''` was kept when the person had begun a new one. */
  async function firstSession(at: OpenProject): Promise<string | undefined> {
    const remembered = memory.get<string>(lastSessionKey(at.root));
    if (remembered === '') return undefined;
    const { sessions } = await at.engine.sessions.list();
    const agents = sessions.filter((session) => session.kind === 'agent' && !session.deleted);
    return (agents.find((session) => session.id === remembered) ?? agents[0])?.id;
  }

  async function stopTurns(): Promise<void> {
    const open = [...chats.values()];
    for (const chat of open) chat.stop();
    await Promise.all(open.map((chat) => chat.idle()));
  }

  async function clear(): Promise<void> {
    const stopped = stopTurns();
    following?.dispose();
    following = undefined;
    chats.clear();
    current = undefined;
    project = undefined;
    await stopped;
  }

  async function open(): Promise<Result<OpenProject>> {
    const opened = await host.project.opened();
    if (!opened.ok) {
      openError = opened.error.code === 'project.none' ? undefined : opened.error;
      return opened;
    }
    if (project?.engine !== opened.value.engine) {
      await clear();
      project = opened.value;
      openError = undefined;
      await events.onOpened();
      const shown = await show(opened.value, await firstSession(opened.value));
      if (!shown.ok) openError = shown.error;
    }
    return opened;
  }

  return {
    project: () => project,
    openError: () => openError,
    current: () => current,
    open: () => serially(open),
    show: (id) =>
      serially(async () => {
        const at = await open();
        if (!at.ok) return at;
        return current !== undefined && current.session.header.id === id ? { ok: true, value: undefined } : show(at.value, id);
      }),
    sessionFor: (firstWords) =>
      serially(async () => {
        const at = await open();
        if (!at.ok) return at;
        if (current !== undefined) return { ok: true, value: current };
        const session = await at.value.engine.sessions.create({ kind: 'agent', title: titleOf(firstWords) });
        if (!session.ok) return session;
        const chat = chatOf(at.value, session.value);
        const shown = await show(at.value, session.value.header.id);
        return shown.ok ? { ok: true, value: chat } : shown;
      }),
    // Not in line with what is shown: it waits for another window.
    takeOver: async (options) => {
      const at = await host.project.opened();
      return at.ok ? takeOver(at.value, options) : at;
    },
    // Not in line with what is shown: that may be waiting for the project of before to be released.
    stopTurns,
    clear: () => serially(clear),
  };
}
