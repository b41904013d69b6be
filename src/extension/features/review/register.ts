import * as vscode from 'vscode';
import { registerCommand } from '../../commands';
import type { Feature } from '../../host';
import { decideAll, decideOne, goTo, open, toggle } from './actions';
import { registerLenses } from './lenses';
import { registerMarks } from './marks';
import { createReviewModel } from './model';
import { registerProposalFiles } from './proposal-files';
import { registerStatus } from './status';
import { registerTurnLenses } from './turn-lenses';

/** Review mode in the editor: proposals as documents, what waits marked in the chapters, the commands to decide. */
export const reviewFeature: Feature = {
  name: 'review',
  register: (host) => {
    const model = createReviewModel(host);
    return vscode.Disposable.from(
      model,
      registerProposalFiles(host, model),
      registerLenses(host, model),
      registerMarks(model),
      registerStatus(host, model),
      registerTurnLenses(host, model),
      registerCommand(host, 'liyuan.review.accept', (id?: string, change?: string) => decideOne(host, model, 'accept', named(id), named(change))),
      registerCommand(host, 'liyuan.review.reject', (id?: string, change?: string) => decideOne(host, model, 'reject', named(id), named(change))),
      registerCommand(host, 'liyuan.review.acceptAll', (ids?: readonly string[]) => decideAll(host, model, 'accept', listed(ids))),
      registerCommand(host, 'liyuan.review.rejectAll', (ids?: readonly string[]) => decideAll(host, model, 'reject', listed(ids))),
      registerCommand(host, 'liyuan.review.next', () => goTo(host, model, 1)),
      registerCommand(host, 'liyuan.review.previous', () => goTo(host, model, -1)),
      registerCommand(host, 'liyuan.review.open', (id?: string) => open(host, model, named(id))),
      registerCommand(host, 'liyuan.review.toggle', () => toggle(host)),
    );
  },
};

/** Menus give commands a document's address; only our own calls name a proposal. */
const named = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const listed = (value: unknown): readonly string[] | undefined => (Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined);
