import * as vscode from 'vscode';
import type { Mention, Result } from '../../../engine/index';
import type { ChatSnapshot, chatRequests } from '../../../protocol/chat';
import { chatStrings } from '../../../protocol/chat-strings';
import type { ChatMention } from '../../../protocol/mentions';
import { openDiff, openDiffs } from '../../diffs/diffs';
import type { Host } from '../../host';
import { localiseError } from '../../l10n/localise-error';
import type { OpenProject } from '../../project/active-project';
import { uriIn } from '../../project/uris';
import { decide } from '../../review/decide';
import type { RequestHandlers } from '../../webviews/connection';
import { pageStrings } from '../../webviews/page';
import { contextReport } from './context-use';
import { createComposerHandlers } from './composer-handlers';
import type { Desk } from './desk';
import type { Drafts } from './drafts';
import { runAgain } from './run-again';
import { createSessionHandlers } from './session-handlers';
import { takeOver } from './take-over';
import type { ToggleRow } from './toggles';
import { toggleSources } from './toggles';

/** What the answers to requests are made of. */
export interface HandlerParts {
  readonly host: Host;
  readonly desk: Desk;
  readonly drafts: Drafts;
  /** A snapshot has been asked for. */
  readonly asked: () => void;
  /** What is shown now; the count of events goes on from it. */
  readonly takeSnapshot: () => Promise<ChatSnapshot>;
  readonly postSnapshot: () => void;
  /** Looks whether the example about a sentence can be carried out. */
  readonly lookForSample: () => Promise<void>;
  readonly prefill: (text: string, mentions?: readonly Mention[]) => void;
  /** What was pointed at elsewhere in the window, for the view that asks. */
  readonly takeMentions: () => readonly ChatMention[];
  readonly mayWrite: () => boolean;
}

/** The answers to what the chat view asks. A refusal reaches the view as localised words. */
export function createChatHandlers(parts: HandlerParts): RequestHandlers<typeof chatRequests> {
  const { host, desk, drafts, prefill } = parts;
  const { t } = host;
  const toggles = toggleSources(host);
  const rowsOf = async (at: OpenProject): Promise<ToggleRow[]> => (await Promise.all(toggles.map((source) => source.rows(at)))).flat();

  const need = <T>(result: Result<T>): T => {
    if (!result.ok) throw new Error(localiseError(result.error, t));
    return result.value;
  };
  const opened = async (): Promise<OpenProject> => need(await desk.open());

  /** True when the words have been taken: they are a turn now, or wait for the one that runs. */
  async function send(text: string, mentions: readonly ChatMention[] = [], steer = false): Promise<boolean> {
    await opened();
    if (text.trim() === '' || !parts.mayWrite()) return false;
    const chat = need(await desk.sessionFor(text));
    if (!chat.send(text, mentions)) need(await chat.enqueue({ text, mentions }, steer));
    return true;
  }

  async function undo(turnId: string): Promise<void> {
    await opened();
    const chat = desk.current();
    if (chat === undefined) return;
    const later = chat.turnsAfter(turnId);
    if (later > 0 && !(await confirmLater(t, later))) return;
    const undone = need(await chat.undo(turnId));
    prefill(undone.words, undone.mentions);
  }

  async function showChanges(turnId: string, path: string | undefined): Promise<void> {
    const at = await opened();
    const chat = desk.current();
    if (chat === undefined) return;
    const all = need(await chat.changesOf(turnId));
    const one = all.find((change) => change.path === path);
    if (path === undefined) await openDiffs(at, all, { what: t('Changes of this turn') }, t);
    else if (one !== undefined) await openDiff(at, one, { what: t('this turn') }, t);
  }

  return {
    ...createSessionHandlers({ host, desk, opened, need, postSnapshot: parts.postSnapshot }),
    ready: async () => {
      parts.asked();
      await desk.open();
      return { snapshot: await parts.takeSnapshot(), strings: pageStrings(t, chatStrings), locale: vscode.env.language };
    },
    send: async ({ text, mentions, steer }) => {
      await opened();
      const writtenIn = desk.current()?.session.header.id;
      const accepted = await send(text, mentions, steer);
      if (accepted) await drafts.save(writtenIn, '');
      return { accepted };
    },
    queue: async (act) => {
      await opened();
      const chat = desk.current();
      if (chat !== undefined && parts.mayWrite()) need(await chat.queueAct(act));
      return {};
    },
    stop: () => {
      desk.current()?.stop();
      return {};
    },
    answer: ({ callId, answer }) => {
      const request = host.asks.pending().find((one) => one.askId === callId);
      const option = answer.kind === 'option' ? request?.options[answer.index] : undefined;
      if (answer.kind === 'stop') host.asks.answer(callId, { kind: 'stopped' });
      else if (answer.kind === 'text') host.asks.answer(callId, { kind: 'answer', text: answer.text, by: 'text' });
      else if (option !== undefined) host.asks.answer(callId, { kind: 'answer', text: option, by: 'option' });
      return {};
    },
    resume: async ({ how }) => {
      await opened();
      const chat = desk.current();
      const back = chat === undefined ? undefined : need(await chat.resume(how));
      if (back !== undefined) prefill(back.words, back.mentions);
      return {};
    },
    newSession: async () => {
      await parts.lookForSample();
      need(await desk.show(undefined));
      return {};
    },
    openSession: async ({ id }) => {
      need(await desk.show(id));
      return {};
    },
    takeOver: async () => {
      await takeOver(host, desk);
      return {};
    },
    contextReport: async () => {
      const { engine } = await opened();
      const session = desk.current()?.session;
      return session === undefined ? {} : { report: need(await contextReport({ engine, session, model: await host.models.describe() })) };
    },
    undoTurn: async ({ turnId }) => {
      await undo(turnId);
      return {};
    },
    runAgain: async ({ turnId, text }) => {
      await opened();
      const chat = desk.current();
      if (chat === undefined || !parts.mayWrite() || text?.trim() === '') return { accepted: false };
      return { accepted: need(await runAgain(host, chat, turnId, text)) };
    },
    switchTurn: async ({ turnId, step }) => {
      await opened();
      const chat = desk.current();
      if (chat !== undefined) need(await chat.switchTurn(turnId, step));
      return {};
    },
    openDiff: async ({ turnId, path }) => {
      await showChanges(turnId, path);
      return {};
    },
    review: async ({ verb, ids }) => {
      await opened();
      await decide(host, verb, ids);
      return {};
    },
    openOffer: async ({ turnId }) => {
      const sessionId = desk.current()?.session.header.id;
      if (sessionId !== undefined) await vscode.commands.executeCommand('liyuan.passage.show', sessionId, turnId);
      return {};
    },
    openFile: async ({ path }) => {
      const at = await opened();
      const normal = need(at.engine.project.rules.normalise(path));
      await vscode.commands.executeCommand('vscode.open', uriIn(at.root, normal), { preview: true });
      return {};
    },
    useSummary: async ({ id, use }) => {
      await opened();
      const chat = desk.current();
      if (chat !== undefined && parts.mayWrite()) need(await chat.useSummary(id, use));
      return {};
    },
    toggles: async () => ({ rows: await rowsOf(await opened()) }),
    setToggle: async ({ id, on }) => {
      const at = await opened();
      for (const source of toggles) {
        const done = source.set(at, id, on);
        if (done !== undefined) need(await done);
      }
      return { rows: await rowsOf(at) };
    },
    openToggle: async ({ id }) => {
      for (const source of toggles) if (await source.open(id)) break;
      return {};
    },
    ...createComposerHandlers({ host, opened, takeMentions: parts.takeMentions }),
    createProject: async () => {
      await vscode.commands.executeCommand('liyuan.project.create');
      return {};
    },
    begin: async ({ by }) => {
      const commands = { openFolder: 'vscode.openFolder', openSample: 'liyuan.project.openSample', trust: 'workbench.trust.manage' } as const;
      await vscode.commands.executeCommand(commands[by]);
      return {};
    },
    action: async ({ action }) => {
      switch (action) {
        case 'nextChapter':
          await vscode.commands.executeCommand('liyuan.chapters.next');
          break;
        case 'configureModel':
          await vscode.commands.executeCommand('liyuan.model.configure');
          break;
        case 'switchModel':
          await vscode.commands.executeCommand('liyuan.model.switch');
          break;
        case 'openMaxOutput':
          await vscode.commands.executeCommand('workbench.action.openSettings', 'liyuan.model.maxOutput');
          break;
        case 'continue':
          await send(t('Continue'));
          break;
        case 'compact':
          await opened();
          if (parts.mayWrite()) await desk.current()?.compact();
          break;
        case 'allowAddress':
          await vscode.commands.executeCommand('liyuan.model.allowAddress');
          break;
        case 'showLog':
          host.channel.show();
          break;
        case 'openRestore':
          await vscode.commands.executeCommand('liyuan.history.finishRestore');
          break;
        case 'retry': {
          await opened();
          const chat = desk.current();
          if (chat !== undefined) need(await chat.retryLast());
          break;
        }
      }
      return {};
    },
    saveDraft: async ({ session, text, mentions }) => {
      await drafts.save(session, text, mentions);
      return {};
    },
  };
}

/** Undoing a turn in the middle takes the later ones out of the conversation: that is asked first. */
async function confirmLater(t: Host['t'], later: number): Promise<boolean> {
  const take = t('Undo this turn');
  const answer = await vscode.window.showWarningMessage(
    t('Undo this turn?'),
    { modal: true, detail: t('Later turns that leave the conversation with it: {count}. What they changed in the files stays.', { count: later }) },
    take,
  );
  return answer === take;
}
