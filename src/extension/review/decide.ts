import * as vscode from 'vscode';
import type { Accepted, Proposal, Result } from '../../engine/index';
import { showRefusal } from '../commands';
import { objectUri } from '../diffs/diffs';
import type { Host } from '../host';
import type { OpenProject } from '../project/active-project';
import { baseName } from '../project/paths';
import { uriIn } from '../project/uris';
import { proposalIdOf, proposalQuery, proposalScheme } from './proposal-uris';

/** `use`: the proposal counts where the author changed the same words. */
export type ReviewVerb = 'accept' | 'use' | 'reject' | 'reopen' | 'open';

export const proposalUri = ({ id, path }: Pick<Proposal, 'id' | 'path'>): vscode.Uri =>
  vscode.Uri.from({ scheme: proposalScheme, path: `/${path}`, query: proposalQuery(id) });

/** The project with its proposals read, or nothing when it has been told why not. */
export async function openedReview(host: Host): Promise<OpenProject | undefined> {
  const project = await host.project.opened();
  const loaded = project.ok ? await project.value.engine.review.load() : project;
  if (project.ok && loaded.ok) return project.value;
  if (!loaded.ok) await showRefusal(host, loaded.error);
  return undefined;
}

/** What the author has typed into a proposal counts before it is decided, saved or not. */
async function takeIn(ids: readonly string[]): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    const id = proposalIdOf(document.uri);
    if (id !== undefined && ids.includes(id) && document.isDirty) await document.save();
  }
}

/** Decides on whole proposals, or shows them. Refusals are told to the person. */
export async function decide(host: Host, verb: ReviewVerb, ids: readonly string[]): Promise<void> {
  const project = await openedReview(host);
  if (project === undefined) return;
  const { review } = project.engine;
  switch (verb) {
    case 'open':
      for (const id of ids.slice(0, 1)) await openProposal(host, project, id);
      return;
    case 'accept':
    case 'use':
      await takeIn(ids);
      return afterAccept(host, project, await review.accept(ids, { force: verb === 'use' }));
    case 'reject':
      await takeIn(ids);
      return told(host, await review.reject(ids));
    case 'reopen':
      for (const id of ids) await told(host, await review.reopen(id));
      return;
  }
}

/** Decides on one change of a proposal. */
export async function decideChange(host: Host, verb: 'accept' | 'reject', id: string, change: string): Promise<void> {
  const project = await openedReview(host);
  if (project === undefined) return;
  await takeIn([id]);
  const { review } = project.engine;
  if (verb === 'reject') return told(host, await review.rejectChange(id, change));
  return afterAccept(host, project, await review.acceptChange(id, change));
}

async function told(host: Host, result: Result<unknown>): Promise<void> {
  if (!result.ok) await showRefusal(host, result.error);
}

async function afterAccept(host: Host, project: OpenProject, result: Result<Accepted>): Promise<void> {
  if (result.ok && result.value.accepted.length > 0) host.signals.checkpointsChanged.fire();
  if (!result.ok) return result.error.code === 'review.conflict' ? tellConflict(host, project, String(result.error.args?.['path'] ?? ''), undefined) : told(host, result);
  const [first] = result.value.refused;
  if (first === undefined) return;
  if (first.error.code !== 'review.conflict') return told(host, { ok: false, error: first.error });
  return tellConflict(host, project, first.path, first.id);
}

/** The ways on from a conflict. Nothing is done unless one is chosen. */
async function tellConflict(host: Host, project: OpenProject, path: string, id: string | undefined): Promise<void> {
  const { t } = host;
  const proposal = project.engine.review.pending().find((one) => one.id === id || one.path === path || one.from === path);
  const [compare, use, mine] = [t('Compare'), t('Use the proposal'), t('Keep mine')];
  const chosen = await vscode.window.showWarningMessage(t('You have changed the same words in {path} since, so the proposal was not applied there.', { path }), compare, use, mine);
  if (chosen === undefined || proposal === undefined) return;
  if (chosen === compare) await decide(host, 'open', [proposal.id]);
  else await decide(host, chosen === use ? 'use' : 'reject', [proposal.id]);
}

/** The file as it stands beside what is proposed for it; a decided one, as it was. */
async function openProposal(host: Host, project: OpenProject, id: string): Promise<void> {
  const { t } = host;
  const proposal = project.engine.review.find(id);
  if (proposal === undefined) return;
  const nothing = objectUri(project.root, proposal.path, null);
  if (proposal.state === 'accepted') {
    await vscode.commands.executeCommand('vscode.open', uriIn(project.root, proposal.path), { preview: true });
    return;
  }
  const left = proposal.from === null ? nothing : uriIn(project.root, proposal.from);
  const right = proposal.text === null ? nothing : proposalUri(proposal);
  await vscode.commands.executeCommand('vscode.diff', left, right, t('{name} (now ↔ proposed)', { name: baseName(proposal.path) }), { preview: true });
}
