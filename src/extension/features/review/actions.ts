import * as vscode from 'vscode';
import type { PlacedChange, ProposalView } from '../../../engine/index';
import type { Host } from '../../host';
import { baseName } from '../../project/paths';
import { applyMode, applyModeWords, setApplyMode } from '../../review/apply-mode';
import { decide, decideChange } from '../../review/decide';
import { positionOf, startOf, viewsFor } from './lenses';
import type { ReviewModel } from './model';

interface Here {
  readonly editor: vscode.TextEditor;
  readonly view: ProposalView;
  readonly proposed: boolean;
}

/** The proposal that the active editor is about. */
function here(model: ReviewModel): Here | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return undefined;
  const { views, proposed } = viewsFor(model, editor.document.uri);
  return views[0] === undefined ? undefined : { editor, view: views[0], proposed };
}

/** The change at the cursor, else the next one below it, else the last. */
function atCursor({ editor, view, proposed }: Here): PlacedChange | undefined {
  const cursor = editor.document.offsetAt(editor.selection.active);
  const end = (change: PlacedChange): number => (proposed ? change.inText : change.inFile).end;
  return view.changes.find((change) => end(change) >= cursor) ?? view.changes.at(-1);
}

/** Accepts or rejects one change: the one that is named, else the one at the cursor; a file without single changes whole. */
export async function decideOne(host: Host, model: ReviewModel, verb: 'accept' | 'reject', id?: string, change?: string): Promise<void> {
  if (id !== undefined && change !== undefined) return decideChange(host, verb, id, change);
  const at = here(model);
  const wanted = id ?? at?.view.proposal.id;
  if (wanted === undefined) return nothingHere(host);
  const found = id === undefined && at !== undefined ? atCursor(at) : undefined;
  return found === undefined ? decide(host, verb, [wanted]) : decideChange(host, verb, wanted, found.change.id);
}

/** All of the named proposals, or everything that waits; rejecting everything is asked for first. */
export async function decideAll(host: Host, model: ReviewModel, verb: 'accept' | 'reject', ids?: readonly string[]): Promise<void> {
  if (ids !== undefined) return decide(host, verb, ids);
  const all = model.views();
  if (all.length === 0) return nothingHere(host);
  if (verb === 'reject') {
    const yes = host.t('Reject all');
    const answer = await vscode.window.showWarningMessage(host.t('Reject everything that waits?'), { modal: true, detail: host.t('Files with proposals that wait: {count}', { count: all.length }) }, yes);
    if (answer !== yes) return;
  }
  const clear = verb === 'reject' ? all : all.filter(({ conflict }) => !conflict);
  await decide(host, verb, (clear.length === 0 ? all : clear).map(({ proposal }) => proposal.id));
}

/** To the next change of this document; past the last one to the next file that has any. */
export async function goTo(host: Host, model: ReviewModel, by: 1 | -1): Promise<void> {
  const at = here(model);
  const order = model.views();
  if (order.length === 0) return nothingHere(host);
  if (at !== undefined) {
    const cursor = at.editor.document.offsetAt(at.editor.selection.active);
    const places = at.view.changes.map((change) => ({ change, offset: at.editor.document.offsetAt(positionOf(at.editor.document, change, at.proposed)), start: startOf(change, at.proposed) }));
    const next = by === 1 ? places.find(({ offset }) => offset > cursor) : places.findLast(({ offset }) => offset < cursor);
    if (next !== undefined) {
      const position = at.editor.document.positionAt(next.offset);
      at.editor.selection = new vscode.Selection(position, position);
      at.editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
      return;
    }
  }
  const index = order.findIndex(({ proposal }) => proposal.id === at?.view.proposal.id);
  const other = index === -1 ? order.at(by === 1 ? 0 : -1) : order[(index + by + order.length) % order.length];
  if (other !== undefined && (index === -1 || order.length > 1)) await decide(host, 'open', [other.proposal.id]);
}

/** Shows a proposal beside its file: the named one, the one of the active editor, the only one, or one to choose. */
export async function open(host: Host, model: ReviewModel, id?: string): Promise<void> {
  await model.attached();
  const views = model.views();
  const known = id ?? here(model)?.view.proposal.id ?? (views.length === 1 ? views[0]?.proposal.id : undefined);
  if (known !== undefined) return decide(host, 'open', [known]);
  if (views.length === 0) return nothingHere(host);
  const items = views.map(({ proposal, conflict }) => ({
    label: baseName(proposal.path),
    description: proposal.path.split('/').slice(0, -1).join('/'),
    ...(conflict ? { detail: host.t('You have changed the same words since.') } : {}),
    id: proposal.id,
  }));
  const chosen = await vscode.window.showQuickPick(items, { title: host.t('Proposals that wait'), matchOnDescription: true });
  if (chosen !== undefined) await decide(host, 'open', [chosen.id]);
}

/** Switches between doing at once and proposing, where the setting is set. */
export async function toggle(host: Host): Promise<void> {
  const next = applyMode() === 'review' ? 'auto' : 'review';
  await setApplyMode(next);
  vscode.window.setStatusBarMessage(applyModeWords(host.t, next), 6000);
}

function nothingHere(host: Host): void {
  vscode.window.setStatusBarMessage(host.t('No proposal waits here.'), 4000);
}
