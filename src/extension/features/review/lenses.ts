import * as vscode from 'vscode';
import type { PlacedChange, ProposalView } from '../../../engine/index';
import type { Host } from '../../host';
import { baseName } from '../../project/paths';
import { proposalIdOf, proposalScheme } from '../../review/proposal-uris';
import { changeWords } from './change-words';
import type { ReviewModel } from './model';

/** The proposals that a document is about, and whether it shows a proposal itself. */
export function viewsFor(model: ReviewModel, uri: vscode.Uri): { readonly views: readonly ProposalView[]; readonly proposed: boolean } {
  const id = proposalIdOf(uri);
  if (id !== undefined) return { views: model.views().filter(({ proposal }) => proposal.id === id), proposed: true };
  const path = model.pathOf(uri);
  return { views: path === undefined ? [] : model.views().filter(({ proposal }) => (proposal.from ?? proposal.path) === path), proposed: false };
}

export const startOf = (change: PlacedChange, proposed: boolean): number => (proposed ? change.inText : change.inFile).start;

/** The line a change is shown at: where its words begin, not the line end before them. */
export function positionOf(document: vscode.TextDocument, change: PlacedChange, proposed: boolean): vscode.Position {
  const { start, end } = proposed ? change.inText : change.inFile;
  const text = document.getText();
  let at = start;
  while (at < end && (text[at] === '\n' || text[at] === '\r')) at += 1;
  return document.positionAt(at);
}

/** 「接受 · 不采用」 over each change that waits, in the chapter and in its proposal. */
export function registerLenses(host: Host, model: ReviewModel): vscode.Disposable {
  const { t } = host;
  const changed = new vscode.EventEmitter<void>();

  function wholeWords({ from, path, text }: ProposalView['proposal']): string {
    if (text === null) return t('Proposed: delete this file · accept');
    if (from === null) return t('Proposed: a new file · accept');
    return from === path ? t('Proposed · accept all') : t('Proposed: {name} as its name · accept all', { name: baseName(path) });
  }

  function lensesOf(document: vscode.TextDocument, view: ProposalView, proposed: boolean): vscode.CodeLens[] {
    const { proposal, changes } = view;
    const all = lens(document.lineAt(0).range.start);
    const whole = [
      all(wholeWords(proposal), 'liyuan.review.acceptAll', [[proposal.id]]),
      all(t('Reject all'), 'liyuan.review.rejectAll', [[proposal.id]]),
      ...(proposed ? [] : [all(t('Compare'), 'liyuan.review.open', [proposal.id])]),
    ];
    const single = changes.flatMap((change) => {
      const at = lens(positionOf(document, change, proposed));
      if (change.conflict) return [at(t('Proposed · you have changed the same words'), 'liyuan.review.open', [proposal.id])];
      const args = [proposal.id, change.change.id];
      return [
        ...(proposed ? [] : [at(changeWords(t, proposal.text ?? '', change), 'liyuan.review.open', [proposal.id])]),
        at(t('Accept this change'), 'liyuan.review.accept', args),
        at(t('Reject'), 'liyuan.review.reject', args),
      ];
    });
    return [...whole, ...single];
  }

  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    provideCodeLenses: (document) => {
      const { views, proposed } = viewsFor(model, document.uri);
      return views.flatMap((view) => lensesOf(document, view, proposed));
    },
  };
  return vscode.Disposable.from(
    changed,
    model.onDidChange(() => { changed.fire(); }),
    vscode.languages.registerCodeLensProvider([{ scheme: 'file', pattern: '**/*.{md,txt,json,yaml}' }, { scheme: proposalScheme }], provider),
  );
}

export const lens =
  (at: vscode.Position) =>
  (title: string, command: string, args: readonly unknown[]): vscode.CodeLens =>
    new vscode.CodeLens(new vscode.Range(at, at), { title, command, arguments: [...args] });
