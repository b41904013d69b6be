import type { EngineError } from '../../engine/index';
import { profileEntry, type ProfileEntry } from '../../protocol/model-profile';
import type { SettingsSource } from './chosen-profile';

/** One profile as the settings have it. */
export interface SettingsProfile {
  /** '': the default one, of `liyuan.model.*`. */
  readonly title: string;
  readonly provider: 'openai' | 'vscode';
  /** As read, for showing and changing it; of a wrong one what can be read. */
  readonly entry: ProfileEntry;
  /** As it stands in the settings: what is not ours to read is kept when it is changed. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly source: SettingsSource;
  /** Set by the folder rather than by the person. */
  readonly ofFolder: boolean;
  /** Its place in the list it stands in; -1: the default one. */
  readonly place: number;
  /** Why it cannot be used: `model.bad-settings` with `{profile, field}`. */
  readonly problem?: EngineError;
}

/** The settings, unread. */
export interface UnreadProfiles {
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly defaultSource: SettingsSource;
  readonly own: readonly unknown[];
  readonly folder: readonly unknown[];
}

/**
 * All profiles: the default one first, then the entries of `liyuan.models`, the person's before the folder's. A wrong entry carries its problem and
 * the others go on working. Of two with one title the folder's counts; of two in one list the first, the second is wrong by its title.
 */
export function readProfiles({ defaults, defaultSource, own, folder }: UnreadProfiles): readonly SettingsProfile[] {
  const list = [...readList(own, false), ...readList(folder, true)];
  const hidden = new Set(list.filter(({ ofFolder, problem }) => ofFolder && problem === undefined).map(({ title }) => title));
  const shown = list.filter(({ title, ofFolder }) => ofFolder || !hidden.has(title));
  const ownAddresses = [...defaultSource.ownAddresses, ...list.filter(({ ofFolder }) => !ofFolder).map(({ entry }) => entry.baseUrl ?? '')].filter((one) => one !== '');
  const first = readOne({ ...defaults, title: '', provider: 'openai' }, -1, false);
  return [{ ...first, source: { ...defaultSource, ownAddresses } }, ...shown.map((one) => ({ ...one, source: { ...one.source, ownAddresses } }))];
}

function readList(entries: readonly unknown[], ofFolder: boolean): readonly SettingsProfile[] {
  const taken = new Set<string>();
  return entries.map((raw, at) => {
    const place = String(at + 1);
    const one = readOne(raw, at, ofFolder);
    if (one.title === '' || taken.has(one.title)) return { ...one, title: one.title === '' ? place : `${one.title} (${place})`, problem: one.problem ?? wrong(place, 'title') };
    taken.add(one.title);
    return one;
  });
}

function readOne(raw: unknown, place: number, ofFolder: boolean): SettingsProfile {
  const object = isObject(raw) ? raw : {};
  const title = typeof object['title'] === 'string' ? object['title'].trim() : '';
  const base = { title, raw: object, ofFolder, place, source: { addressOfFolder: ofFolder, ownAddresses: [], ownExtras: false } };
  const parsed = profileEntry.safeParse(object);
  if (parsed.success) return { ...base, provider: parsed.data.provider, entry: parsed.data };
  const fields = new Set(parsed.error.issues.map(({ path }) => String(path[0] ?? 'title')));
  const rest = profileEntry.safeParse({ ...Object.fromEntries(Object.entries(object).filter(([name]) => !fields.has(name))), title });
  const entry = rest.success ? rest.data : profileEntry.parse({ title: '' });
  return { ...base, provider: entry.provider, entry, problem: wrong(title === '' ? String(place + 1) : title, [...fields][0] ?? 'title') };
}

const wrong = (profile: string, field: string): EngineError => ({ code: 'model.bad-settings', args: { profile, field } });

/** The one by this title that is asked for: by role, '' of the side work is the one that writes. */
export function profileForRole(profiles: readonly SettingsProfile[], role: 'writing' | 'side', titles: { readonly writing: string; readonly side: string }): SettingsProfile | undefined {
  const title = role === 'side' && titles.side !== '' ? titles.side : titles.writing;
  return profiles.find((one) => one.title === title);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
