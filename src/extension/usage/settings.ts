import * as vscode from 'vscode';
import type { DayLimits } from '../../engine/index';

/** What the calls of one day may take. In a folder that is not trusted VS Code leaves out what the folder itself sets. */
export function dayLimits(): DayLimits {
  const config = vscode.workspace.getConfiguration('liyuan.usage');
  const limit = (name: 'dailyBudget' | 'dailyTokens'): number | undefined => {
    const value = config.get<unknown>(name);
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
  };
  const cost = limit('dailyBudget');
  const tokens = limit('dailyTokens');
  return { ...(cost === undefined ? {} : { cost }), ...(tokens === undefined ? {} : { tokens }) };
}
