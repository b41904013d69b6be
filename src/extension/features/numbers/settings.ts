import * as vscode from 'vscode';

/** Wished 字 a day; 0: none. A project's own stands in its `.vscode/settings.json`. */
export function dailyTarget(): number {
  const value = vscode.workspace.getConfiguration('liyuan.numbers').get<unknown>('dailyTarget', 0);
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
