import type { LocalModel, LocalService, Log } from '../../engine/index';
import { completeBaseUrl, discoverLocal } from '../../engine/index';
import type { Translate } from '../l10n/translate';

/** What runs on this machine, as far as somebody has looked. */
export interface LocalModels {
  /** Looks anew. Only for a list that a person has opened. */
  find(signal: AbortSignal): Promise<readonly LocalService[]>;
  /** The model of a service that has been found; `undefined` for every other address and name. */
  model(address: string, name: string): LocalModel | undefined;
}

export function createLocalModels(deps: { readonly fetch: typeof globalThis.fetch; readonly log: Log }): LocalModels {
  let found: readonly LocalService[] = [];
  return {
    find: async (signal) => {
      found = await discoverLocal({ ...deps, signal });
      return found;
    },
    model: (address, name) => {
      const completed = completeBaseUrl(address);
      const service = completed.ok ? found.find(({ base }) => sameService(base, completed.value.base)) : undefined;
      return service?.models.find((model) => model.name === name);
    },
  };
}

export interface LocalRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly address: string;
}

const MOST_NAMED = 4;

/** A row for each service that was found, with its models. Pure. */
export function localRows(services: readonly LocalService[], t: Translate): readonly LocalRow[] {
  return services.map(({ title, base, models }) => {
    const names = models.slice(0, MOST_NAMED).map(({ name }) => name).join(', ');
    const more = models.length > MOST_NAMED ? t('{names} and {count} more', { names, count: models.length - MOST_NAMED }) : names;
    return { label: title, description: t('running on this machine'), detail: `${base} · ${models.length === 0 ? t('no model is installed there yet') : more}`, address: base };
  });
}

/** Rows with those of found services in them: above the others, below what `stays` says; what stood for a found service is left out. Pure. */
export function withLocalRows<I extends { readonly address: string }>(rows: readonly I[], found: readonly I[], stays: (row: I) => boolean): readonly I[] {
  const same = (row: I): boolean => found.some(({ address }) => sameService(address, row.address));
  return [...rows.filter(stays), ...found, ...rows.filter((row) => !stays(row) && !same(row))];
}

/** What is said of a local model's window beside its name; `undefined` when it is not known. */
export function windowWords({ window, atMost }: LocalModel, t: Translate, number: (value: number) => string): string | undefined {
  if (window === undefined) return undefined;
  const count = number(window);
  return atMost === true ? t('takes up to {count} tokens, if the service lets it', { count }) : t('takes {count} tokens', { count });
}

/** 127.0.0.1 by any of its names. */
function sameService(a: string, b: string): boolean {
  const place = (address: string): string => {
    const completed = completeBaseUrl(address);
    return completed.ok ? completed.value.base.replace(/\/\/(?:localhost|\[::1\])(?=[:/]|$)/, '//127.0.0.1') : address;
  };
  return place(a) === place(b);
}
