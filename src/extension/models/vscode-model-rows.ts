import type { Translate } from '../l10n/translate';
import { nameOf } from './find-language-model';
import type { LanguageModel } from './language-models';

/** What a profile needs to use one of VS Code's own models. */
export interface ChosenVscodeModel {
  readonly provider: 'vscode';
  /** For `createVscodeModelClient`. */
  readonly name: string;
  readonly title: string;
}

export interface VscodeModelRow {
  readonly vendor: string;
  readonly label: string;
  readonly detail: string;
  readonly chosen: ChosenVscodeModel;
}

/** By vendor, then by name; each with what it takes. Pure. */
export function vscodeModelRows(models: readonly LanguageModel[], t: Translate, number: (value: number) => string): readonly VscodeModelRow[] {
  return [...models]
    .sort((a, b) => compare(a.vendor, b.vendor) || compare(a.name, b.name) || compare(a.id, b.id))
    .map((model) => ({
      vendor: model.vendor,
      label: model.name,
      detail: t('{id} · takes {count} tokens', { id: model.id, count: number(model.maxInputTokens) }),
      chosen: { provider: 'vscode', name: nameOf(model, models), title: model.name },
    }));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
