import * as vscode from 'vscode';
import type { RuleId } from '../../../engine/index';
import { showRefusal, writableProject } from '../../commands';
import type { Host } from '../../host';
import { uriIn } from '../../project/uris';
import { ruleTemplate } from './templates';

/** Opens a rule of the project in the editor; begins it where there is none. */
export async function openRule(host: Host, id: RuleId): Promise<void> {
  const project = await writableProject(host);
  if (project === undefined) return;
  const { engine, documents, root } = project;
  const rule = (await engine.rules.states()).find((state) => state.id === id);
  if (rule === undefined) return;
  if (!rule.exists) {
    const created = await documents.create(rule.path, ruleTemplate(id, engine.project.config.language));
    if (!created.ok && created.error.code !== 'doc.exists') return showRefusal(host, created.error);
    host.signals.rulesChanged.fire();
  }
  await vscode.window.showTextDocument(uriIn(root, rule.path));
}
