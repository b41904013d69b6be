import * as vscode from 'vscode';
import type * as z from 'zod';
import { chatRequests } from '../../../protocol/chat';
import type { ChatDelta, ChatSnapshot, ChatStatus, chatEvents } from '../../../protocol/chat';
import { chatStrings } from '../../../protocol/chat-strings';
import type { EngineError, FileChange, Result } from '../../../engine/index';
import type { Host } from '../../host';
import { localiseError } from '../../l10n/localise-error';
import type { OpenProject } from '../../project/active-project';
import { openDiff, openDiffs } from '../diff/diffs';
import type { EventStamp, RequestHandlers } from './connection';
import { createDeltaQueue } from './delta-queue';
import { createDrafts } from './drafts';
import { errorNotice } from './notices';
import { createSessionChat } from './session-chat';
import type { SessionChat } from './session-chat';

/** Changes of one tick travel together. */
const tickMs = 16;

/** The view, as the controller sees it: where events go while it is shown. */
export interface ChatSink {
  visible(): boolean;
  post<N extends keyof typeof chatEvents & string>(name: N, body: z.infer<(typeof chatEvents)[N]>, stamp: EventStamp): void;
}

export interface ChatController {
  readonly handlers: RequestHandlers<typeof chatRequests>;
  attach(sink: ChatSink): vscode.Disposable;
  /** The chat of the session that is shown, once the project is open. */
  current(): SessionChat | undefined;
  /** Words into the input box. */
  prefill(text: string): void;
  dispose(): Promise<void>;
}

const lastSessionKey = (root: vscode.Uri): string => `chat.session:${root.toString()}`;

export function createChatController(host: Host): ChatController {
  const { t, log } = host;
  const drafts = createDrafts(host.context.workspaceState);
  let sink: ChatSink | undefined;
  let epoch = host.ids.next();
  let seq = 0;
  let project: OpenProject | undefined;
  let openError: EngineError | undefined;
  let current: SessionChat | undefined;
  const chats = new Map<string, SessionChat>();
  let waitingPrefill: string | undefined;
  let model: ChatStatus['model'] & { readonly window: number } = { name: '', rehearsal: true, configured: false, window: 0 };
  /** One change of what is shown at a time. */
  let showing: Promise<void> = Promise.resolve();

  const stamp = (): EventStamp => ({ epoch, seq: (seq += 1) });
  const queue = createDeltaQueue({
    clock: host.clock,
    tickMs,
    send: (deltas) => {
      // The number grows also when nobody listens: the gap makes the view ask for a snapshot.
      const at = stamp();
      if (sink?.visible() === true) sink.post('deltas', deltas, at);
    },
  });

  function readOnlyReason(): string | undefined {
    if (project?.readOnly === true) return t('This folder is not trusted: you can read and look at the history; nothing is written and no model is asked.');
    if (current?.session.readOnly === true) return t('This conversation is open for reading only: another window has it open, or a newer version wrote it.');
    return undefined;
  }

  function status(): ChatStatus {
    const reason = readOnlyReason();
    const usage = current?.usage();
    const { name, rehearsal, configured } = model;
    return {
      phase: current?.phase() ?? 'idle',
      readOnly: reason !== undefined,
      ...(reason === undefined ? {} : { readOnlyReason: reason }),
      model: { name, rehearsal, configured },
      ...(usage === undefined ? {} : { usage }),
    };
  }

  const pushStatus = (): void => { queue.push([{ op: 'status', status: status() }]); };

  function snapshot(): ChatSnapshot {
    const prefill = waitingPrefill;
    waitingPrefill = undefined;
    const session = current?.session;
    return {
      epoch,
      seq,
      project: host.project.root === undefined ? 'none' : 'open',
      ...(session === undefined ? {} : { session: { id: session.header.id, title: session.title() } }),
      items: [...(openError === undefined ? [] : [errorNotice('project', undefined, openError, t)]), ...(current?.items() ?? [])],
      status: status(),
      ...(prefill === undefined ? {} : { prefill }),
    };
  }

  /** Shows something else than before: a new epoch, so that late news of the old one is dropped. */
  function postSnapshot(): void {
    queue.clear();
    epoch = host.ids.next();
    seq = 0;
    if (sink?.visible() !== true) return;
    const body = snapshot();
    sink.post('snapshot', body, { epoch, seq });
  }

  async function refreshModel(): Promise<void> {
    model = await host.models.describe();
  }

  function chatOf(opened: OpenProject, session: SessionChat['session']): SessionChat {
    const id = session.header.id;
    const known = chats.get(id);
    if (known !== undefined) return known;
    const isCurrent = (): boolean => current?.session.header.id === id;
    const chat = createSessionChat({
      engine: opened.engine,
      session,
      clock: host.clock,
      log,
      t,
      window: () => model.window,
      onDeltas: (deltas) => { if (isCurrent()) queue.push(deltas as ChatDelta[]); },
      onStatus: () => { if (isCurrent()) pushStatus(); },
      onReset: () => { if (isCurrent()) postSnapshot(); },
      onCheckpoint: () => { host.signals.checkpointsChanged.fire(); },
      onEnded: () => {
        host.signals.checkpointsChanged.fire();
        if (!isCurrent()) void release(chat);
      },
    });
    chats.set(id, chat);
    return chat;
  }

  /** Closes a session that is neither shown nor busy, so that another window may have it. */
  async function release(chat: SessionChat): Promise<void> {
    if (chat === current || chat.running()) return;
    chats.delete(chat.session.header.id);
    await chat.session.close();
  }

  /** Shows a session, or none (a new conversation that is written with its first words). */
  async function show(opened: OpenProject, id: string | undefined): Promise<Result<void>> {
    const before = current;
    let next: SessionChat | undefined;
    if (id !== undefined) {
      const known = chats.get(id);
      const session = known === undefined ? await opened.engine.sessions.open(id) : { ok: true as const, value: known.session };
      if (!session.ok) return session;
      next = known ?? chatOf(opened, session.value);
      if (known === undefined) await next.reload();
    }
    current = next;
    await host.context.workspaceState.update(lastSessionKey(opened.root), id ?? '');
    postSnapshot();
    if (before !== undefined && before !== next) await release(before);
    return { ok: true, value: undefined };
  }

  /** The session last shown here, else the newest; `''` means the person had begun a new one. */
  async function firstSession(opened: OpenProject): Promise<string | undefined> {
    const remembered = host.context.workspaceState.get<string>(lastSessionKey(opened.root));
    if (remembered === '') return undefined;
    const { sessions } = await opened.engine.sessions.list();
    const agents = sessions.filter((session) => session.kind === 'agent');
    return (agents.find((session) => session.id === remembered) ?? agents[0])?.id;
  }

  async function closeAll(): Promise<void> {
    const open = [...chats.values()];
    chats.clear();
    current = undefined;
    for (const chat of open) chat.stop();
    await Promise.all(open.map((chat) => chat.idle()));
  }

  /** Opens the project when it is not, and shows its last session. */
  async function ensureOpen(): Promise<Result<OpenProject>> {
    const opened = await host.project.opened();
    if (!opened.ok) {
      openError = opened.error.code === 'project.none' ? undefined : opened.error;
      return opened;
    }
    if (project?.engine !== opened.value.engine) {
      await closeAll();
      project = opened.value;
      openError = undefined;
      await refreshModel();
      const shown = await show(opened.value, await firstSession(opened.value));
      if (!shown.ok) openError = shown.error;
      waitingPrefill ??= drafts.take();
    }
    return opened;
  }

  const serially = <T>(work: () => Promise<T>): Promise<T> => {
    const done = showing.then(work);
    showing = done.then(() => undefined, () => undefined);
    return done;
  };

  const report = (error: EngineError): void => {
    void vscode.window.showErrorMessage(localiseError(error, t));
  };
  const need = <T>(result: Result<T>): T => {
    if (!result.ok) throw new Error(localiseError(result.error, t));
    return result.value;
  };
  const opened = async (): Promise<OpenProject> => need(await serially(ensureOpen));

  async function sessionToWrite(at: OpenProject, firstWords: string): Promise<SessionChat> {
    if (current !== undefined) return current;
    const title = Array.from(firstWords.trim().split('\n')[0] ?? '').slice(0, 30).join('');
    const session = need(await at.engine.sessions.create({ kind: 'agent', title }));
    need(await show(at, session.header.id));
    return chatOf(at, session);
  }

  async function undo(turnId: string): Promise<void> {
    await opened();
    const chat = current;
    if (chat === undefined) return;
    const later = chat.turnsAfter(turnId);
    if (later > 0 && !(await confirmLater(later))) return;
    const undone = need(await chat.undo(turnId));
    prefill(undone.words);
    const [first] = undone.conflicts;
    if (first !== undefined) {
      const places = undone.conflicts.slice(0, 5).map(({ path, quote }) => `${path}: ${quote}`).join('\n');
      chat.addNotice({
        kind: 'notice',
        id: `undo:${turnId}`,
        level: 'warning',
        text: t('Left as they are, because you changed the same words since: {places}', { places: `\n${places}` }),
        actions: [],
      });
    }
  }

  async function confirmLater(later: number): Promise<boolean> {
    const take = t('Undo this turn');
    const answer = await vscode.window.showWarningMessage(
      t('Undo this turn?'),
      { modal: true, detail: t('Later turns that leave the conversation with it: {count}. What they changed in the files stays.', { count: later }) },
      take,
    );
    return answer === take;
  }

  function prefill(text: string): void {
    if (text === '') return;
    if (sink?.visible() === true) queue.push([{ op: 'prefill', text }]);
    else waitingPrefill = text;
  }

  async function showChanges(turnId: string, path: string | undefined): Promise<void> {
    const at = await opened();
    if (current === undefined) return;
    const all = need(await current.changesOf(turnId));
    const title = t('this turn');
    const one: FileChange | undefined = path === undefined ? undefined : all.find((change) => change.path === path);
    if (path === undefined) await openDiffs(at, all, t('Changes of this turn'), t);
    else if (one !== undefined) await openDiff(at, one, `${path.split('/').at(-1) ?? path} (${title})`);
  }

  const handlers: RequestHandlers<typeof chatRequests> = {
    ready: async () => {
      await serially(ensureOpen);
      await refreshModel();
      queue.clear();
      const strings = Object.fromEntries(Object.entries(chatStrings).map(([key, text]) => [key, t(text)]));
      return { snapshot: snapshot(), strings, locale: vscode.env.language };
    },
    send: async ({ text }) => {
      const at = await opened();
      if (text.trim() === '' || readOnlyReason() !== undefined) return { accepted: false };
      const chat = await serially(() => sessionToWrite(at, text));
      if (!chat.send(text)) return { accepted: false };
      await drafts.save('');
      return { accepted: true };
    },
    stop: () => {
      current?.stop();
      return {};
    },
    answer: ({ callId, answer }) => {
      const request = host.asks.pending().find((one) => one.askId === callId);
      if (request === undefined) return {};
      if (answer.kind === 'stop') host.asks.answer(callId, { kind: 'stopped' });
      else if (answer.kind === 'text') host.asks.answer(callId, { kind: 'answer', text: answer.text, by: 'text' });
      else {
        const option = request.options[answer.index];
        if (option !== undefined) host.asks.answer(callId, { kind: 'answer', text: option, by: 'option' });
      }
      return {};
    },
    resume: async ({ how }) => {
      await opened();
      const words = current === undefined ? undefined : need(await current.resume(how));
      if (words !== undefined) prefill(words);
      return {};
    },
    sessions: async () => {
      const at = await opened();
      const { sessions, unreadable } = await at.engine.sessions.list();
      if (unreadable.length > 0) log.warn('conversations that cannot be read', { files: unreadable.join(', ') });
      return {
        sessions: sessions
          .filter((session) => session.kind === 'agent')
          .map(({ id, title, updatedAt }) => ({ id, title, updatedAt, current: id === current?.session.header.id })),
      };
    },
    newSession: async () => {
      const at = await opened();
      need(await serially(() => show(at, undefined)));
      return {};
    },
    openSession: async ({ id }) => {
      const at = await opened();
      need(await serially(() => show(at, id)));
      return {};
    },
    renameSession: async ({ title }) => {
      await opened();
      if (current === undefined || title.trim() === '') return {};
      need(await current.session.setMeta('title', title.trim()));
      postSnapshot();
      return {};
    },
    undoTurn: async ({ turnId }) => {
      await undo(turnId);
      return {};
    },
    openDiff: async ({ turnId, path }) => {
      await showChanges(turnId, path);
      return {};
    },
    openFile: async ({ path }) => {
      const at = await opened();
      const normal = need(at.engine.project.rules.normalise(path));
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.joinPath(at.root, ...normal.split('/')), { preview: true });
      return {};
    },
    createProject: async () => {
      await vscode.commands.executeCommand('liyuan.project.create');
      return {};
    },
    action: async ({ action }) => {
      switch (action) {
        case 'configureModel':
          await vscode.commands.executeCommand('liyuan.model.configure');
          break;
        case 'showLog':
          host.channel.show();
          break;
        case 'openRestore':
          await vscode.commands.executeCommand('liyuan.history.finishRestore');
          break;
        case 'retry': {
          await opened();
          if (current !== undefined) need(await current.retryLast());
          break;
        }
      }
      return {};
    },
    saveDraft: async ({ text }) => {
      await drafts.save(text);
      return {};
    },
  };

  const subscriptions = vscode.Disposable.from(
    host.project.onDidChange(() => {
      void serially(async () => {
        await closeAll();
        project = undefined;
        if (sink !== undefined) await ensureOpen();
        postSnapshot();
      });
    }),
    host.models.onDidChange(() => {
      void refreshModel().then(pushStatus);
    }),
    host.signals.conversationMoved.event(({ sessionId, words }) => {
      void serially(async () => {
        const at = await ensureOpen();
        if (!at.ok) return;
        if (words !== undefined && words !== '') waitingPrefill = words;
        if (current?.session.header.id === sessionId) await current.reload();
        else {
          const shown = await show(at.value, sessionId);
          if (!shown.ok) report(shown.error);
        }
      });
    }),
  );

  return {
    handlers,
    attach: (next) => {
      sink = next;
      return new vscode.Disposable(() => {
        if (sink === next) sink = undefined;
      });
    },
    current: () => current,
    prefill,
    dispose: async () => {
      subscriptions.dispose();
      queue.clear();
      await closeAll();
    },
  };
}
