import type { Clock, Log, ModelClient, Result } from '../../engine/index';

export interface VscodeModelOptions {
  readonly title: string;
  /** The id of the model in VS Code. */
  readonly name: string;
  readonly window?: number;
  readonly maxOutput?: number;
  readonly tools: 'native' | 'text' | 'none';
  readonly clock: Clock;
  readonly log: Log;
}

/** A client for one of VS Code's own models. Refuses `model.not-configured`. */
export async function createVscodeModelClient({ title, log }: VscodeModelOptions): Promise<Result<ModelClient>> {
  log.warn('models of VS Code cannot be asked yet', { title });
  return Promise.resolve({ ok: false, error: { code: 'model.not-configured' } });
}
