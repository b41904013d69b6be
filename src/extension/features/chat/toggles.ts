import * as vscode from 'vscode';
import type * as z from 'zod';
import type { Result, RuleId } from '../../../engine/index';
import type { toggleRow } from '../../../protocol/chat';
import type { Host } from '../../host';
import type { OpenProject } from '../../project/active-project';

export type ToggleRow = z.infer<typeof toggleRow>;

/** One group of switches in the chat; what it shows and switches is its own business. */
export interface ToggleSource {
  rows(at: OpenProject): Promise<readonly ToggleRow[]>;
  /** `undefined`: not one of these. */
  set(at: OpenProject, id: string, on: boolean): Promise<Result<void>> | undefined;
  /** Shows what the row is about; false: not one of these. */
  open(id: string): Promise<boolean>;
}

/** What can be switched per project from the chat, in the order of the list. */
export const toggleSources = (host: Host): readonly ToggleSource[] => [ruleToggles(host)];

const idOf = (id: string): RuleId | undefined => (['agents', 'style', 'forbidden'] as const).find((rule) => `rules.${rule}` === id);

/** The author's standing rules: whether the agent is given them. */
function ruleToggles(host: Host): ToggleSource {
  const { t } = host;
  const labels: Readonly<Record<RuleId, string>> = { agents: 'AGENTS.md', style: t('Style notes'), forbidden: t('Forbidden words') };
  return {
    rows: async ({ engine }) => {
      const states = await engine.rules.states();
      return states.map(({ id, path, exists, on, tokens, count }) => ({
        id: `rules.${id}`,
        label: labels[id],
        detail: path === labels[id] ? '' : path,
        on,
        tokens,
        there: exists || tokens > 0,
        ...(count === undefined ? {} : { count }),
      }));
    },
    set: (at, id, on) => {
      const rule = idOf(id);
      return rule === undefined ? undefined : at.engine.rules.use(rule, on).then((done) => {
        if (done.ok) host.signals.rulesChanged.fire();
        return done;
      });
    },
    open: async (id) => {
      switch (idOf(id)) {
        case 'agents':
          await vscode.commands.executeCommand('liyuan.rules.openAgents');
          return true;
        case 'style':
          await vscode.commands.executeCommand('liyuan.rules.openStyle');
          return true;
        case 'forbidden':
          await vscode.commands.executeCommand('liyuan.rules.openForbidden');
          return true;
        default:
          return false;
      }
    },
  };
}
