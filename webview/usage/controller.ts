import { usageEvents, usageRequests, type UsageSnapshot } from '../../src/protocol/usage';
import { usageStrings, type UsageStringKey } from '../../src/protocol/usage-strings';
import { createConnection } from '../shared/connection';
import { createTranslator, type Translator } from '../shared/strings';
import type { VsCodeApi } from '../shared/vscode-api';

/** The state of the usage page and its traffic with the host. */
export interface UsageController {
  readonly words: Translator<UsageStringKey>;
  readonly snapshot: UsageSnapshot | undefined;
  export(format: 'json' | 'csv'): void;
  clear(): void;
  setLimits(): void;
  start(onChange: () => void): void;
}

/** How often, and after how many ms, a host that does not answer is asked again. */
const TRIES = 5;
const ANSWER_MS = 5_000;

export function createUsageController({ api, window }: { readonly api: VsCodeApi; readonly window: Window }): UsageController {
  let words = createTranslator(usageStrings, {}, document.documentElement.lang || 'en');
  let snapshot: UsageSnapshot | undefined;
  let onChange = (): void => undefined;

  const connection = createConnection({
    api,
    target: window,
    requests: usageRequests,
    onEvent: (event) => {
      const body = event.name === 'snapshot' ? usageEvents.snapshot.safeParse(event.body) : undefined;
      if (body?.success === true) snapshot = body.data;
      onChange();
    },
  });
  const tell = (request: Promise<unknown>): void => { request.catch((error: unknown) => { console.error(error); }); };

  const ask = (tried: number): void => {
    const late = setTimeout(() => { if (tried < TRIES && snapshot === undefined) ask(tried + 1); }, ANSWER_MS);
    connection.request('ready', {}).then(
      (answer) => {
        clearTimeout(late);
        words = createTranslator(usageStrings, answer.strings, answer.locale);
        snapshot = answer.snapshot;
        onChange();
      },
      (error: unknown) => { console.error(error); },
    );
  };

  return {
    get words() {
      return words;
    },
    get snapshot() {
      return snapshot;
    },
    export: (format) => { tell(connection.request('export', { format })); },
    clear: () => { tell(connection.request('clear', {})); },
    setLimits: () => { tell(connection.request('setLimits', {})); },
    start(listener) {
      onChange = listener;
      ask(1);
    },
  };
}
