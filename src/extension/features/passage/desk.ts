import * as vscode from 'vscode';
import type { EngineError, Passage, PassageTask, TurnEvent, TurnRef } from '../../../engine/index';
import { showRefusal } from '../../commands';
import type { StartedTurn } from '../../conversation';
import type { Host } from '../../host';
import { localiseError } from '../../l10n/localise-error';
import { pathIn } from '../../project/paths';
import { uriIn } from '../../project/uris';
import { createPassagePanel, type PassagePanel } from './panel';
import { passageOf } from './passage-of';
import { stateOf, type Progress } from './state';
import { taskWords } from './words';

/** One passage at a time is on the desk, in one panel. */
export interface PassageDesk {
  /** Takes the passage from the editor that is active and asks for texts. */
  ask(task: PassageTask): Promise<void>;
  /** Shows what an earlier turn offered. */
  show(turn: TurnRef): Promise<void>;
  dispose(): void;
}

interface Work {
  readonly passage: Passage;
  readonly lines: readonly [number, number];
  turn: TurnRef | undefined;
  running: StartedTurn | undefined;
  /** Text of the calls before the last one is thinking aloud, not the answer. */
  round: number;
  progress: Progress;
}

export function createPassageDesk(host: Host): PassageDesk {
  const { t } = host;
  let work: Work | undefined;
  let panel: PassagePanel | undefined;

  const stateNow = (): ReturnType<typeof stateOf> | undefined =>
    work && stateOf(work.passage, { turnId: work.turn?.userEntryId ?? '', lines: work.lines }, work.progress);
  const changed = (): void => { panel?.update(); };

  function follow(own: Work): (event: TurnEvent) => void {
    return (event) => {
      switch (event.type) {
        case 'started':
          own.turn = { sessionId: event.sessionId, userEntryId: event.turnId };
          break;
        case 'text':
          own.progress = { phase: 'running', answer: event.round === own.round ? own.progress.answer + event.text : event.text };
          own.round = event.round;
          break;
        case 'textWasReasoning':
          if (event.round === own.round) own.progress = { phase: 'running', answer: '' };
          break;
        case 'entry':
          if (event.entry.type === 'reply') own.progress = { ...own.progress, answer: event.entry.data.text };
          break;
        case 'ended': {
          const phase = event.status === 'done' ? 'done' : event.status === 'stopped' ? 'stopped' : 'failed';
          own.progress = { phase, answer: own.progress.answer, ...(event.error === undefined ? {} : { error: localiseError(event.error, t) }) };
          own.running = undefined;
          break;
        }
        default:
          return;
      }
      if (own === work) changed();
    };
  }

  function open(next: Work): void {
    work = next;
    panel ??= createPassagePanel(host, {
      state: stateNow,
      accept: (text) => accept(text),
      again: (wish) => again(wish),
      stop: () => { work?.running?.stop(); },
      reveal: () => reveal(),
      closed: () => {
        panel = undefined;
        work = undefined;
      },
    });
    panel.show(taskWords(t, next.passage.task));
    changed();
  }

  async function start(passage: Passage, lines: readonly [number, number]): Promise<void> {
    const next: Work = { passage, lines, turn: undefined, running: undefined, round: 0, progress: { phase: 'running', answer: '' } };
    const about = { task: taskWords(t, passage.task), path: passage.path, from: lines[0], to: lines[1] };
    const words = lines[0] === lines[1] ? t('{task}: {path}, line {from}', about) : t('{task}: {path}, lines {from}–{to}', about);
    const text = passage.wish === undefined ? words : `${words}\n${passage.wish}`;
    const started = await (await host.conversation()).run({ text, passage }, follow(next));
    if (!started.ok) return showRefusal(host, started.error);
    next.running = started.value;
    open(next);
  }

  async function ask(task: PassageTask): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const opened = await host.project.opened();
    if (!opened.ok) return showRefusal(host, opened.error);
    const { root, engine } = opened.value;
    const path = editor === undefined ? undefined : pathIn(root, editor.document.uri);
    if (editor === undefined || path === undefined || !engine.project.rules.covered(path)) {
      void vscode.window.showInformationMessage(t('Open a chapter of the project first, and choose the words or put the cursor where it is to go on.'));
      return;
    }
    if (!(await mayStart(opened.value.engine.turns.busy))) return;
    const { document, selection } = editor;
    const selected = { path, text: document.getText(), start: document.offsetAt(selection.start), end: document.offsetAt(selection.end) };
    if (passageOf(task, selected) === undefined) {
      void vscode.window.showInformationMessage(t('There are no words here to work on, or too many: at most 20,000 characters. Choose others.'));
      return;
    }
    const wish = task === 'expand' || task === 'shorten' ? '' : await askWish(task);
    if (wish === undefined) return;
    const passage = passageOf(task, selected, wish);
    if (passage === undefined) return;
    await start(passage, [document.positionAt(passage.start).line + 1, document.positionAt(passage.end).line + 1]);
  }

  async function mayStart(busy: (sessionId: string) => boolean): Promise<boolean> {
    const sessionId = work?.turn?.sessionId;
    if (work?.running === undefined || sessionId === undefined || !busy(sessionId)) return true;
    await showRefusal(host, { code: 'session.busy' });
    return false;
  }

  const askWish = (task: PassageTask): Thenable<string | undefined> =>
    vscode.window.showInputBox({
      title: taskWords(t, task),
      prompt: t('How should it be? Press Enter to leave that to the agent.'),
      placeHolder: t('e.g. colder; shorter sentences; more of what she hears'),
      ignoreFocusOut: true,
    });

  async function again(wish: string): Promise<void> {
    if (work === undefined || work.running !== undefined) return;
    const { wish: _, ...passage } = work.passage;
    await start(wish.trim() === '' ? passage : { ...passage, wish: wish.trim() }, work.lines);
  }

  async function accept(text: string): Promise<EngineError | undefined> {
    const own = work;
    const opened = await host.project.opened();
    if (!opened.ok) return opened.error;
    if (own?.turn === undefined || own.running !== undefined) return { code: 'session.busy' };
    const accepted = await opened.value.engine.acceptPassage(own.turn, own.passage, text);
    if (!accepted.ok) return accepted.error;
    own.progress = { phase: 'accepted', answer: own.progress.answer };
    host.signals.checkpointsChanged.fire();
    changed();
    await (await host.conversation()).refresh(own.turn.sessionId);
    return undefined;
  }

  async function reveal(): Promise<void> {
    const opened = await host.project.opened();
    if (!opened.ok || work === undefined) return;
    const { passage } = work;
    const { findPassage } = await import('../../../engine/index');
    const document = await vscode.workspace.openTextDocument(uriIn(opened.value.root, passage.path));
    const place = findPassage(document.getText(), passage);
    const from = document.positionAt(place?.start ?? passage.start);
    const to = document.positionAt(place?.end ?? passage.start);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, selection: new vscode.Range(from, to) });
  }

  async function show(turn: TurnRef): Promise<void> {
    if (work?.turn?.userEntryId === turn.userEntryId && panel !== undefined) {
      panel.show(taskWords(t, work.passage.task));
      return;
    }
    const opened = await host.project.opened();
    if (!opened.ok) return showRefusal(host, opened.error);
    const offer = await opened.value.engine.offerOf(turn);
    if (!offer.ok) return showRefusal(host, offer.error);
    const { passage, answer } = offer.value;
    const line = await lineOf(opened.value.root, passage);
    open({ passage, lines: line, turn, running: undefined, round: 0, progress: { phase: 'done', answer } });
  }

  return { ask, show, dispose: () => { panel?.dispose(); } };
}

/** First and last line of a passage in its file as it stands. */
async function lineOf(root: vscode.Uri, passage: Passage): Promise<readonly [number, number]> {
  const document = await vscode.workspace.openTextDocument(uriIn(root, passage.path));
  return [document.positionAt(passage.start).line + 1, document.positionAt(passage.end).line + 1];
}
