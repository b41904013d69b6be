import * as vscode from 'vscode';
import type { RuleId } from '../../../engine/index';
import { registerCommand } from '../../commands';
import type { Feature } from '../../host';
import { createForbiddenMarks } from './forbidden-marks';
import { registerForbiddenFixes } from './quick-fixes';

/** The author's standing rules in the editor: opening them, and forbidden words underlined in chapters. */
export const rulesFeature: Feature = {
  name: 'rules',
  register: (host) => {
    const open = async (id: RuleId): Promise<void> => (await import('./open-rule')).openRule(host, id);
    return vscode.Disposable.from(
      createForbiddenMarks(host),
      registerForbiddenFixes(host),
      registerCommand(host, 'liyuan.rules.openAgents', () => open('agents')),
      registerCommand(host, 'liyuan.rules.openStyle', () => open('style')),
      registerCommand(host, 'liyuan.rules.openForbidden', () => open('forbidden')),
    );
  },
};
