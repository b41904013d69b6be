import * as vscode from 'vscode';
import type * as z from 'zod';
import type { ChatSnapshot, ChatStatus, chatEvents, chatRequests } from '../../../protocol/chat';
import { showRefusal } from '../../commands';
import type { ConversationMoved, Host } from '../../host';
import type { ModelDescription } from '../../models/models';
import type { EventStamp, RequestHandlers } from '../../webviews/connection';
import { createDeltaQueue } from './delta-queue';
import { createDesk } from './desk';
import { createDrafts } from './drafts';
import { createChatHandlers } from './handlers';
import { errorNotice } from './notices';
import type { SessionChat } from './session-chat';

/** Changes of one tick travel together. */
const tickMs = 16;

/** The view, as the controller sees it: where events go while it is shown. */
export interface ChatSink {
  visible(): boolean;
  post<N extends keyof typeof chatEvents & string>(name: N, body: z.infer<(typeof chatEvents)[N]>, stamp: EventStamp): void;
}

/** The conversation of this window: what is shown, in numbered events, whether a view is there or not. */
export interface ChatController {
  readonly handlers: RequestHandlers<typeof chatRequests>;
  attach(sink: ChatSink): vscode.Disposable;
  /** Resolves when a view has been given its first snapshot. */
  readonly shown: Promise<void>;
  /** The chat of the session that is shown, once the project is open. */
  current(): SessionChat | undefined;
  dispose(): Promise<void>;
}

export function createChatController(host: Host): ChatController {
  const { t } = host;
  const drafts = createDrafts(host.context.workspaceState);
  let sink: ChatSink | undefined;
  let epoch = host.ids.next();
  let seq = 0;
  let waitingPrefill: string | undefined;
  let model: ModelDescription = { name: '', rehearsal: true, configured: false, window: 0 };

  let tellShown: () => void = () => undefined;
  const shown = new Promise<void>((resolve) => { tellShown = resolve; });

  const refreshModel = async (): Promise<void> => {
    model = await host.models.describe();
  };

  const queue = createDeltaQueue({
    clock: host.clock,
    tickMs,
    send: (deltas) => {
      // The number grows also when nobody listens: the gap makes the view ask for a snapshot.
      seq += 1;
      if (sink?.visible() === true) sink.post('deltas', deltas, { epoch, seq });
    },
  });

  const desk = createDesk(host, {
    window: () => model.window,
    onDeltas: (deltas) => { queue.push(deltas); },
    onStatus: () => { queue.push([{ op: 'status', status: status() }]); },
    onShown: postSnapshot,
    onOpened: async () => {
      waitingPrefill ??= drafts.take();
      await refreshModel();
    },
  });

  function readOnlyReason(): string | undefined {
    if (desk.project()?.readOnly === true) {
      return t('This folder is not trusted: you can read and look at the history; nothing is written and no model is asked.');
    }
    if (desk.current()?.session.readOnly === true) {
      return t('This conversation is open for reading only: another window has it open, or a newer version wrote it.');
    }
    return undefined;
  }

  function status(): ChatStatus {
    const reason = readOnlyReason();
    const usage = desk.current()?.usage();
    const { name, rehearsal, configured } = model;
    return {
      phase: desk.current()?.phase() ?? 'idle',
      readOnly: reason !== undefined,
      ...(reason === undefined ? {} : { readOnlyReason: reason }),
      model: { name, rehearsal, configured },
      ...(usage === undefined ? {} : { usage }),
    };
  }

  function snapshot(): ChatSnapshot {
    const prefill = waitingPrefill;
    waitingPrefill = undefined;
    const chat = desk.current();
    const error = desk.openError();
    return {
      epoch,
      seq,
      project: host.project.root === undefined ? 'none' : 'open',
      ...(chat === undefined ? {} : { session: { id: chat.session.header.id, title: chat.session.title() } }),
      items: [...(error === undefined ? [] : [errorNotice('project', undefined, error, t)]), ...(chat?.items() ?? [])],
      status: status(),
      ...(prefill === undefined ? {} : { prefill }),
    };
  }

  /** Shows something else than before: a new epoch, so that late news of the old one is dropped. */
  function postSnapshot(): void {
    queue.clear();
    epoch = host.ids.next();
    seq = 0;
    if (sink?.visible() === true) sink.post('snapshot', snapshot(), { epoch, seq });
  }

  /** Words for the input box: at once where a view is, else with its next snapshot. */
  function prefill(text: string): void {
    if (text === '') return;
    if (sink?.visible() === true) queue.push([{ op: 'prefill', text }]);
    else waitingPrefill = text;
  }

  async function follow({ sessionId, words }: ConversationMoved): Promise<void> {
    const chat = desk.current();
    if (chat?.session.header.id === sessionId) await chat.reload();
    else {
      const found = await desk.show(sessionId);
      if (!found.ok) return showRefusal(host, found.error);
    }
    prefill(words ?? '');
  }

  async function startAnew(): Promise<void> {
    await desk.clear();
    if (sink !== undefined) await desk.open();
    postSnapshot();
  }

  const inBackground = (what: string, work: Promise<void>): void => {
    work.catch((error: unknown) => { host.log.error(`${what} failed`, { error: String(error instanceof Error ? error.stack : error) }); });
  };

  const subscriptions = vscode.Disposable.from(
    host.project.onDidChange(() => { inBackground('showing another project', startAnew()); }),
    host.models.onDidChange(() => {
      inBackground('asking for the model', refreshModel().then(() => { queue.push([{ op: 'status', status: status() }]); }));
    }),
    host.signals.conversationMoved.event((moved) => { inBackground('following the conversation', follow(moved)); }),
  );

  return {
    handlers: createChatHandlers({
      host,
      desk,
      drafts,
      takeSnapshot: async () => {
        await refreshModel();
        queue.clear();
        tellShown();
        return snapshot();
      },
      postSnapshot,
      prefill,
      mayWrite: () => readOnlyReason() === undefined,
    }),
    attach: (next) => {
      sink = next;
      return new vscode.Disposable(() => {
        if (sink === next) sink = undefined;
      });
    },
    current: () => desk.current(),
    shown,
    dispose: async () => {
      subscriptions.dispose();
      queue.clear();
      await desk.clear();
    },
  };
}
