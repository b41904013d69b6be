import * as vscode from 'vscode';
import { showRefusal, writableProject } from '../../commands';
import type { Host } from '../../host';
import { titleOf } from './items';
import type { CheckpointNode } from './nodes';

/** Writes the same mark on each; the first refusal ends it. */
async function mark(host: Host, nodes: readonly CheckpointNode[], said: { readonly pinned?: boolean; readonly name?: string }): Promise<void> {
  const project = await writableProject(host);
  if (project === undefined) return;
  for (const { record } of nodes) {
    const marked = await project.engine.checkpoints.mark(record.id, said);
    if (!marked.ok) return showRefusal(host, marked.error);
  }
  host.signals.checkpointsChanged.fire();
}

/** A pinned checkpoint stands on top of the history, and no clean-up takes it. */
export const setPinned = (host: Host, nodes: readonly CheckpointNode[], pinned: boolean): Promise<void> => mark(host, nodes, { pinned });

export async function giveName(host: Host, node: CheckpointNode): Promise<void> {
  const { t } = host;
  const name = await vscode.window.showInputBox({
    title: t('Name of “{message}”', { message: titleOf(t, node.record) }),
    prompt: t('A checkpoint with a name stands on top of the history, and no clean-up takes it. Leave empty to take the name away.'),
    value: node.mark?.name ?? '',
  });
  if (name !== undefined && name.trim() !== (node.mark?.name ?? '')) await mark(host, [node], { name: name.trim() });
}
