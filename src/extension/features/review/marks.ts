import * as vscode from 'vscode';
import { viewsFor } from './lenses';
import type { ReviewModel } from './model';

/** A fine line under the words of a chapter that a proposal would change; in the colours of the theme, high contrast too. */
export function registerMarks(model: ReviewModel): vscode.Disposable {
  const mark = vscode.window.createTextEditorDecorationType({
    borderWidth: '0 0 1px 0',
    borderStyle: 'dashed',
    borderColor: new vscode.ThemeColor('editorInfo.foreground'),
    overviewRulerColor: new vscode.ThemeColor('editorInfo.foreground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  const draw = (editor: vscode.TextEditor): void => {
    const { views, proposed } = viewsFor(model, editor.document.uri);
    const ranges = proposed
      ? []
      : views.flatMap(({ changes }) => changes.map(({ inFile }) => new vscode.Range(editor.document.positionAt(inFile.start), editor.document.positionAt(inFile.end))));
    editor.setDecorations(mark, ranges.filter((range) => !range.isEmpty));
  };
  const drawAll = (): void => { vscode.window.visibleTextEditors.forEach(draw); };
  return vscode.Disposable.from(mark, model.onDidChange(drawAll), vscode.window.onDidChangeVisibleTextEditors(drawAll));
}
