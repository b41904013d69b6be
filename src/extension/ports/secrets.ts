import type { SecretStorage } from 'vscode';
import { EngineFailure, type Secrets } from '../../engine/index';

/** Where a key is looked for when the keyring has none. */
export const KEY_VARIABLE = 'LIYUAN_API_KEY';

function noKeyring(name: string, cause: unknown): EngineFailure {
  return new EngineFailure({
    code: 'secrets.no-keyring',
    args: { name, variable: KEY_VARIABLE },
    cause: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
  });
}

/**
 * The editor's secret storage; `get` falls back to the environment variable `LIYUAN_API_KEY` when nothing is kept
 * under the name or the keyring cannot be read. `set` and `delete` reject with `EngineFailure` `secrets.no-keyring`
 * when the system has no working keyring: the key is then not kept anywhere. An empty value is the same as none.
 */
export function createSecrets(
  context: { readonly secrets: Pick<SecretStorage, 'get' | 'store' | 'delete'> },
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Secrets {
  const stored = async (name: string): Promise<string | undefined> => (await context.secrets.get(name)) || undefined;

  return {
    async get(name) {
      const fallback = environment[KEY_VARIABLE]?.trim() || undefined;
      try {
        return (await stored(name)) ?? fallback;
      } catch (error) {
        if (fallback !== undefined) return fallback;
        throw noKeyring(name, error);
      }
    },
    async set(name, value) {
      let kept: string | undefined;
      try {
        await context.secrets.store(name, value);
        kept = await stored(name);
      } catch (error) {
        throw noKeyring(name, error);
      }
      if (kept !== (value || undefined)) throw noKeyring(name, 'the stored value did not come back');
    },
    async delete(name) {
      try {
        await context.secrets.delete(name);
      } catch (error) {
        throw noKeyring(name, error);
      }
    },
  };
}
