import type { Log, ScaleMemory } from '../../engine/index';
import type { Memory } from '../memory';

const NAME = 'model.tokenScale';

/** Where this machine keeps how its models count tokens. */
export function keptTokenScale({ memory, log }: { readonly memory: Memory; readonly log: Log }): ScaleMemory {
  return {
    get: () => memory.get<unknown>(NAME),
    set: (kept) => {
      Promise.resolve(memory.update(NAME, kept)).catch((error: unknown) => { log.warn('how the model counts tokens cannot be kept', { error: String(error) }); });
    },
  };
}
