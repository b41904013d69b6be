import { numbersEvents, numbersRequests, type NumbersSnapshot } from '../../src/protocol/numbers';
import { numbersStrings, type NumbersStringKey } from '../../src/protocol/numbers-strings';
import { createConnection } from '../shared/connection';
import { createTranslator, type Translator } from '../shared/strings';
import type { VsCodeApi } from '../shared/vscode-api';
import type { Who } from './sums';

/** The state of the numbers view and its traffic with the host. */
export interface NumbersController {
  readonly words: Translator<NumbersStringKey>;
  readonly snapshot: NumbersSnapshot | undefined;
  /** Kept over a reload. */
  readonly who: Who;
  choose(who: Who): void;
  openChapter(path: string): void;
  setTarget(): void;
  exportCsv(): void;
  start(onChange: () => void): void;
}

/** How often, and after how many ms, a host that does not answer is asked again. */
const TRIES = 5;
const ANSWER_MS = 5_000;

export function createNumbersController({ api, window }: { readonly api: VsCodeApi; readonly window: Window }): NumbersController {
  let words = createTranslator(numbersStrings, {}, document.documentElement.lang || 'en');
  let snapshot: NumbersSnapshot | undefined;
  let onChange = (): void => undefined;
  const kept = api.getState();
  let who: Who = kept === 'user' || kept === 'agent' ? kept : 'both';

  const connection = createConnection({
    api,
    target: window,
    requests: numbersRequests,
    onEvent: (event) => {
      if (event.name === 'snapshot') {
        const body = numbersEvents.snapshot.safeParse(event.body);
        if (body.success) snapshot = body.data;
      } else if (event.name === 'today') {
        const body = numbersEvents.today.safeParse(event.body);
        if (body.success && snapshot !== undefined) snapshot = { ...snapshot, today: body.data };
      }
      onChange();
    },
  });
  const tell = (request: Promise<unknown>): void => { request.catch((error: unknown) => { console.error(error); }); };

  const ask = (tried: number): void => {
    const late = setTimeout(() => { if (tried < TRIES && snapshot === undefined) ask(tried + 1); }, ANSWER_MS);
    connection.request('ready', {}).then(
      (answer) => {
        clearTimeout(late);
        words = createTranslator(numbersStrings, answer.strings, answer.locale);
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
    get who() {
      return who;
    },
    choose(next) {
      who = next;
      api.setState(next);
      onChange();
    },
    openChapter: (path) => { tell(connection.request('openChapter', { path })); },
    setTarget: () => { tell(connection.request('setTarget', {})); },
    exportCsv: () => { tell(connection.request('exportCsv', {})); },
    start(listener) {
      onChange = listener;
      ask(1);
    },
  };
}
