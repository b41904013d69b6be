import * as vscode from 'vscode';
import type * as z from 'zod';
import type { Result, RuleId } from '../../../engine/index';
import type { toggleRow } from '../../../protocol/chat';
import type { Host } from '../../host';
import type { OpenProject } from '../../project/active-project';
import { applyMode, setApplyMode } from '../../review/apply-mode';

export type ToggleRow = z.infer<typeof toggleRow>;

/** One group of switches in the chat; what it shows and switches is its own business. */
export interface ToggleSource {
  rows(at: OpenProject): Promise<readonly ToggleRow[]>;
  /** `undefined`: not one of these. */
  set(at: OpenProject, id: string, on: boolean): Promise<Result<void>> | undefined;
  /** Shows what the row is about; false: not one of these. */
  open(id: string): Promise<boolean>;
}

/** What can be switched from the chat, in the order of the list. */
export const toggleSources = (host: Host): readonly ToggleSource[] => [applyToggle(host), ruleToggles(host)];

const APPLY = 'agent.apply';

/** Whether the agent proposes first: the setting `liyuan.agent.apply`. */
function applyToggle({ t }: Host): ToggleSource {
  return {
    rows: () => Promise.resolve([{ id: APPLY, label: t('Propose first'), detail: t('No chapter changes until you accept'), on: applyMode() === 'review', there: true }]),
    set: (_at, id, on) => (id === APPLY ? setApplyMode(on ? 'review' : 'auto').then(() => ({ ok: true, value: undefined })) : undefined),
    open: async (id) => {
      if (id !== APPLY) return false;
      await vscode.commands.executeCommand('workbench.action.openSettings', 'liyuan.agent.apply');
      return true;
    },
  };
}

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
