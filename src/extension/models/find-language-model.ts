import type { Result } from '../../engine/index';
import type { LanguageModel, LanguageModels } from './language-models';

/** The model of this name: its id, or `vendor/id` where two vendors have the same. Refuses `model.not-configured`, `model.vscode-missing`. */
export async function findLanguageModel(models: LanguageModels, name: string): Promise<Result<LanguageModel>> {
  const wanted = name.trim();
  if (wanted === '') return { ok: false, error: { code: 'model.not-configured' } };
  const [byId] = await models.select({ id: wanted });
  if (byId !== undefined) return { ok: true, value: byId };
  const at = wanted.indexOf('/');
  const [byVendor] = at > 0 ? await models.select({ vendor: wanted.slice(0, at), id: wanted.slice(at + 1) }) : [];
  return byVendor === undefined ? { ok: false, error: { code: 'model.vscode-missing', args: { model: wanted } } } : { ok: true, value: byVendor };
}

/** The name that finds a model again: its id, with the vendor where that is needed to tell it from others. */
export function nameOf(model: LanguageModel, all: readonly LanguageModel[]): string {
  return all.some((other) => other.id === model.id && other.vendor !== model.vendor) ? `${model.vendor}/${model.id}` : model.id;
}
