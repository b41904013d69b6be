import * as vscode from 'vscode';

/** Whether this run has save participants on: auto-save, format on save, trimming, and the formatter below. */
export const saveParticipantsAreOn = process.env['LIYUAN_SAVE_PARTICIPANTS'] === '1';

/**
 * A formatter as users have one for prose: several blank lines in a row become one. Registered only in the run with save
 * participants; in the other it does nothing.
 */
export function registerFakeFormatter(): vscode.Disposable {
  if (!saveParticipantsAreOn) return new vscode.Disposable(() => undefined);
  return vscode.languages.registerDocumentFormattingEditProvider([{ language: 'markdown' }, { language: 'plaintext' }], {
    provideDocumentFormattingEdits(document) {
      const text = document.getText();
      return [...text.matchAll(/(\r?\n)(?:[ \t]*\r?\n){2,}/g)].map((match) => {
        const eol = match[1] ?? '\n';
        const range = new vscode.Range(document.positionAt(match.index), document.positionAt(match.index + match[0].length));
        return vscode.TextEdit.replace(range, `${eol}${eol}`);
      });
    },
  });
}
