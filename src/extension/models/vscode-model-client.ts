import * as vscode from 'vscode';
import type { Clock, Log, ModelClient, ModelProfile, Result } from '../../engine/index';
import { createLanguageModelClient } from './language-model-client';
import { findLanguageModel } from './find-language-model';
import type { LanguageModels } from './language-models';
import { vscodeLanguageModels } from './vscode-language-models';

export interface VscodeModelOptions {
  /** Of the profile; `''`: the default one. */
  readonly title: string;
  /** The model's id, or `vendor/id`. */
  readonly name: string;
  /** Tokens. */
  readonly window?: number;
  readonly maxOutput?: number;
  readonly tools: ModelProfile['tools'];
  readonly clock: Clock;
  readonly log: Log;
  /** For tests. */
  readonly models?: LanguageModels;
}

/** One of VS Code's own models. Looks it up and asks nobody anything. Refuses `model.not-configured`, `model.vscode-missing`. */
export async function createVscodeModelClient({ name, models = vscodeLanguageModels, ...options }: VscodeModelOptions): Promise<Result<ModelClient>> {
  const found = await findLanguageModel(models, name);
  if (!found.ok) return found;
  const justification = vscode.l10n.t('Liyuan writes and edits your novel with this model when you send a message.');
  return { ok: true, value: createLanguageModelClient({ ...options, model: found.value, justification }) };
}
