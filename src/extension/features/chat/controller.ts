import * as vscode from 'vscode';
import type { ChatSnapshot, ChatStatus, chatRequests } from '../../../protocol/chat';
import { showRefusal } from '../../commands';
import type { Conversation } from '../../conversation';
import type { ConversationMoved, Host } from '../../host';
import type { ModelDescription } from '../../models/models';
import type { ChatMention } from '../../../protocol/mentions';
import type { RequestHandlers } from '../../webviews/connection';
import { createDesk } from './desk';
import { createDrafts } from './drafts';
import { createFeed } from './feed';
import type { ChatSink, Feed } from './feed';
import { createChatHandlers } from './handlers';
import { errorNotice } from './notices';
import { isElsewhere, readOnlyWords } from './read-only';
import { lookAtChapters, type FirstLook } from './sample-sentence';
import type { SessionChat } from './session-chat';
import { conversationOf } from './start-turn';
import { followOtherWindow } from './take-over';

/** The conversation of this window: what is shown, in numbered events, whether a view is there or not. */
export interface ChatController {
  readonly handlers: RequestHandlers<typeof chatRequests>;
  attach(sink: ChatSink): vscode.Disposable;
  /** Resolves when a view has been given its first snapshot. */
  readonly shown: Promise<void>;
  /** Puts mentions into the input box, now or once a view is there, and the focus with them. */
  mention(mentions: readonly ChatMention[]): void;
  /** Opens a part of the view that is there. */
  open(what: 'rename' | 'find'): void;
  /** The chat of the session that is shown, once the project is open. */
  current(): SessionChat | undefined;
  /** For features that start a turn. */
  readonly conversation: Conversation;
  /** The same, after opening the project where it is not; refusals are told. */
  shownChat(): Promise<SessionChat | undefined>;
  dispose(): void;
}

function projectState({ project }: Host): Pick<ChatSnapshot, 'project' | 'lacking'> {
  if (project.root !== undefined) return { project: 'open' };
  if ((vscode.workspace.workspaceFolders ?? []).length === 0) return { project: 'none', lacking: 'folder' };
  return vscode.workspace.isTrusted ? { project: 'none' } : { project: 'none', lacking: 'trust' };
}

export function createChatController(host: Host): ChatController {
  const { t } = host;
  const drafts = createDrafts(host.context.workspaceState, () => host.project.root?.toString() ?? '');
  let model: ModelDescription = { name: '', rehearsal: true, configured: false, window: 0, maxOutput: 0 };
  let firstLook: FirstLook = {};
  /** Pointed at elsewhere in the window; the view takes it for its box. */
  const pointedAt: ChatMention[] = [];

  let tellShown: () => void = () => undefined;
  const shown = new Promise<void>((resolve) => { tellShown = resolve; });

  const refreshModel = async (): Promise<void> => {
    model = await host.models.describe();
  };

  const lookForSample = async (): Promise<void> => {
    const project = desk.project();
    firstLook = project === undefined ? {} : await lookAtChapters(project.documents, project.engine.manuscript.folder);
  };

  const feed: Feed = createFeed({
    clock: host.clock,
    ids: host.ids,
    state: () => {
      const chat = desk.current();
      const error = desk.openError();
      const draft = drafts.of(chat?.session.header.id);
      const draftMentions = drafts.mentionsOf(chat?.session.header.id);
      return {
        ...projectState(host),
        ...(chat === undefined ? {} : { session: { id: chat.session.header.id, title: chat.session.title() } }),
        items: [...(error === undefined ? [] : [errorNotice('project', undefined, error, t)]), ...(chat?.items() ?? [])],
        status: status(),
        queue: [...(chat?.queue() ?? [])],
        ...(draft === undefined ? {} : { draft }),
        ...(draftMentions.length === 0 ? {} : { draftMentions: [...draftMentions] }),
        ...(pointedAt.length === 0 ? {} : { mentionsWait: true }),
        ...firstLook,
      };
    },
  });

  const desk = createDesk(host, {
    window: () => model.window,
    toolsRefused: () => host.models.toolsRefused(),
    onDeltas: (deltas) => { feed.push(deltas); },
    onStatus: () => { feed.push([{ op: 'status', status: status() }]); },
    onShown: () => { feed.restart(); },
    follow: (root, session, onNew) => followOtherWindow({ root, session, log: host.log, onNew }),
    onOpened: async () => {
      await Promise.all([refreshModel(), lookForSample()]);
    },
  });

  const readOnlyReason = (): string | undefined => readOnlyWords(t, desk.project()?.readOnly === true, desk.current()?.session);

  function status(): ChatStatus {
    const reason = readOnlyReason();
    const usage = desk.current()?.usage();
    const turnCost = desk.current()?.turnCost();
    const { name, rehearsal, configured } = model;
    return {
      phase: desk.current()?.phase() ?? 'idle',
      readOnly: reason !== undefined,
      ...(reason === undefined ? {} : { readOnlyReason: reason }),
      ...(reason !== undefined && desk.project()?.readOnly === false && isElsewhere(desk.current()?.session ?? {}) ? { elsewhere: true } : {}),
      model: { name, rehearsal, configured },
      ...(turnCost === undefined ? {} : { turnCost }),
      ...(usage === undefined ? {} : { usage: { ...usage, window: model.window === 0 ? usage.window : model.window, reserved: model.maxOutput } }),
    };
  }

  async function follow({ sessionId, words, mentions }: ConversationMoved): Promise<void> {
    const chat = desk.current();
    if (chat?.session.header.id === sessionId) await chat.reload();
    else {
      const found = await desk.show(sessionId);
      if (!found.ok) return showRefusal(host, found.error);
    }
    feed.prefill(words ?? '', mentions);
  }

  async function startAnew(): Promise<void> {
    await desk.clear();
    if (feed.attached()) await desk.open();
    feed.restart();
  }

  const inBackground = (what: string, work: Promise<void>): void => {
    work.catch((error: unknown) => { host.log.error(`${what} failed`, { error: String(error instanceof Error ? error.stack : error) }); });
  };

  const subscriptions = vscode.Disposable.from(
    host.project.onDidChange(() => { inBackground('showing another project', startAnew()); }),
    host.models.onDidChange(() => {
      inBackground('asking for the model', refreshModel().then(() => { feed.push([{ op: 'status', status: status() }]); }));
    }),
    host.project.beforeClose(() => desk.stopTurns()),
    host.signals.conversationMoved.event((moved) => { inBackground('following the conversation', follow(moved)); }),
  );

  return {
    handlers: createChatHandlers({
      host,
      desk,
      drafts,
      asked: () => { feed.asked(); },
      takeSnapshot: async () => {
        await refreshModel();
        tellShown();
        desk.current()?.leaveQueue();
        return feed.snapshot();
      },
      postSnapshot: () => { feed.restart(); },
      lookForSample,
      prefill: (text, mentions) => { feed.prefill(text, mentions); },
      takeMentions: () => pointedAt.splice(0),
      mayWrite: () => readOnlyReason() === undefined,
    }),
    attach: (sink) => new vscode.Disposable(feed.attach(sink)),
    mention: (mentions) => {
      pointedAt.push(...mentions);
      feed.push([{ op: 'mentionsWait' }]);
    },
    open: (what) => { feed.push([{ op: 'open', what }]); },
    current: () => desk.current(),
    conversation: conversationOf(desk, () => readOnlyReason() === undefined),
    shownChat: async () => {
      const opened = await desk.open();
      if (!opened.ok) await showRefusal(host, opened.error);
      return opened.ok ? desk.current() : undefined;
    },
    shown,
    dispose: () => {
      // The window goes away. Turns are not stopped: what has no end is gone on with in the next window.
      subscriptions.dispose();
      feed.dispose();
    },
  };
}
