import * as z from 'zod';
import { profileEntry, type ProfileEntry } from '../../protocol/model-profile';

/** Names and values that look like secrets; a file of profiles carries none. */
const SECRET_NAME = /key|token|secret|auth|password|credential|signature|cookie/i;
const SECRET_VALUE = /^(?:bearer|basic)\s|\b(?:sk|ak|pk|key)-[\w-]{8,}|^[\w+/=-]{32,}$/i;

const looksSecret = (name: string, value: unknown): boolean => SECRET_NAME.test(name) || (typeof value === 'string' && SECRET_VALUE.test(value.trim()));

/** What was left out of one profile: `headers.X-Api-Key`. */
export interface LeftOut {
  readonly title: string;
  readonly fields: readonly string[];
}

const fileSchema = z.object({ liyuanModels: z.literal(1), profiles: z.array(z.unknown()) });

/** The file: profiles without keys, and what else was left out because it looks like a secret. */
export function exportProfiles(entries: readonly ProfileEntry[]): { readonly text: string; readonly leftOut: readonly LeftOut[] } {
  const stripped = entries.map(withoutSecrets);
  const leftOut = stripped.filter(({ fields }) => fields.length > 0).map(({ entry, fields }) => ({ title: entry.title, fields }));
  return { text: `${JSON.stringify({ liyuanModels: 1, profiles: stripped.map(({ entry }) => entry) }, undefined, 2)}\n`, leftOut };
}

function withoutSecrets(entry: ProfileEntry): { readonly entry: ProfileEntry; readonly fields: readonly string[] } {
  const fields: string[] = [];
  const clean = (value: unknown, place: string): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
        const at = `${place}.${name}`;
        if (!looksSecret(name, inner)) return [[name, clean(inner, at)]];
        fields.push(at);
        return [];
      }),
    );
  };
  const { baseUrl, headers, extraBody, ...rest } = entry;
  const address = baseUrl === undefined ? undefined : withoutSecretQuery(baseUrl, fields);
  return {
    entry: {
      ...rest,
      ...(address === undefined ? {} : { baseUrl: address }),
      ...(headers === undefined ? {} : { headers: clean(headers, 'headers') as Record<string, string> }),
      ...(extraBody === undefined ? {} : { extraBody: clean(extraBody, 'extraBody') as Record<string, unknown> }),
    },
    fields,
  };
}

function withoutSecretQuery(typed: string, fields: string[]): string {
  const [address = '', query] = typed.split('?', 2);
  const bare = address.replace(/^(\w+:\/\/)[^/@]*@/, (_, scheme: string) => {
    fields.push('baseUrl');
    return scheme;
  });
  if (query === undefined) return bare;
  const kept = [...new URLSearchParams(query)].filter(([name, value]) => {
    const secret = looksSecret(name, value);
    if (secret) fields.push(`baseUrl.${name}`);
    return !secret;
  });
  const left = new URLSearchParams(kept).toString();
  return left === '' ? bare : `${bare}?${left}`;
}

/** One profile of a file, as it would come in. */
export interface Incoming {
  readonly entry: ProfileEntry;
  /** Its title in the file, when another profile has it: then it comes beside that one under a new title. */
  readonly was?: string;
  /** The very same is there already. */
  readonly known: boolean;
}

/** What a file holds, before anything is written. `undefined`: it is no file of profiles. `wrong` counts entries that cannot be read. */
export function readImport(text: string, existing: readonly ProfileEntry[]): { readonly incoming: readonly Incoming[]; readonly wrong: number } | undefined {
  const file = fileSchema.safeParse(json(text.replace(/^\uFEFF/, '')));
  if (!file.success) return undefined;
  const taken = new Set(existing.map(({ title }) => title));
  const parsed = file.data.profiles.flatMap((one) => {
    const { data } = profileEntry.safeParse(one);
    return data === undefined || titleOf(data) === '' ? [] : [data];
  });
  const incoming = parsed.map((read): Incoming => {
    const one = { ...read, title: titleOf(read) };
    const known = existing.some((other) => shape(other) === shape(one));
    if (known || !taken.has(one.title)) {
      taken.add(one.title);
      return { entry: one, known };
    }
    const title = freeTitle(one.title, taken);
    taken.add(title);
    return { entry: { ...one, title }, was: one.title, known };
  });
  return { incoming, wrong: file.data.profiles.length - incoming.length };
}

/** The title, or one like it, that nobody has. */
export function freeTitle(title: string, taken: ReadonlySet<string>): string {
  if (!taken.has(title)) return title;
  for (let n = 2; ; n += 1) if (!taken.has(`${title} (${String(n)})`)) return `${title} (${String(n)})`;
}

const titleOf = ({ title, name }: ProfileEntry): string => (title === '' ? (name ?? '').slice(0, 80) : title);

/** The same for two entries with the same fields, in whatever order. */
const shape = (entry: ProfileEntry): string => JSON.stringify(Object.entries(entry).filter(([, value]) => value !== undefined).sort(([a], [b]) => (a < b ? -1 : 1)));

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
