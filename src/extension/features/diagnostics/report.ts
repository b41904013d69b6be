import type { Diagnosis } from '../../../engine/index';
import type { LogEvent } from '../../ports/log';

export interface ReportInput {
  readonly at: number;
  /** Name → version. */
  readonly versions: Readonly<Record<string, string>>;
  /** Settings under `liyuan`, by full name, as they count now. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly trusted: boolean;
  /** Code of the refusal when the project did not open; `none`: there is none. */
  readonly project: { readonly language: string; readonly folders: number; readonly dirty: number } | { readonly error: string } | 'none';
  readonly diagnosis: Diagnosis | undefined;
  readonly events: readonly LogEvent[];
}

/** Settings whose values may hold keys: only what they are called inside is told. */
const SECRET = /\.(?:headers|extraBody)$/;

/** Addresses without what may be secret in them: user, password, query. */
const withoutSecrets = (text: string): string =>
  text.replace(/\b([a-z][a-z0-9+.-]*:\/\/)([^\s/?#"'\\@]*@)?([^\s?#"'\\]*)(\?[^\s#"'\\]*)?/gi, (_, scheme: string, user: string | undefined, rest: string, query: string | undefined) =>
    `${scheme}${user === undefined ? '' : '…@'}${rest}${query === undefined ? '' : '?…'}`,
  ).replace(/\b(?:sk|key|Bearer)[-_ ][A-Za-z0-9._-]{12,}/g, '…');

function settingsOf(settings: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const told = Object.entries(settings).map(([name, value]) => {
    if (SECRET.test(name)) return [name, typeof value === 'object' && value !== null ? Object.keys(value) : typeof value] as const;
    return [name, typeof value === 'string' ? withoutSecrets(value) : value] as const;
  });
  return Object.fromEntries(told);
}

const storeOf = ({ store }: Diagnosis): Readonly<Record<string, unknown>> =>
  Object.fromEntries(store.kinds.map(({ kind, files, bytes }) => [kind, { files, bytes }]));

/** The report as JSON, for people: what it runs on, settings without secrets, what lies in the store, bad lines by number, the last events. */
export function diagnosticsReport({ at, versions, settings, trusted, project, diagnosis, events }: ReportInput): string {
  return `${JSON.stringify(
    {
      v: 1,
      at: new Date(at).toISOString(),
      versions,
      trusted,
      settings: settingsOf(settings),
      project,
      ...(diagnosis === undefined ? {} : { store: storeOf(diagnosis), logs: diagnosis.logs }),
      events: events.map(({ ts, level, text }) => `${new Date(ts).toISOString()} ${level} ${withoutSecrets(text)}`),
    },
    undefined,
    2,
  )}\n`;
}
