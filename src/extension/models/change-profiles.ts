import type { ProfileEntry } from '../../protocol/model-profile';
import { profileFieldNames } from '../../protocol/model-profile';
import type { HostModels } from './models';
import type { SettingsProfile } from './profile-book';
import { readListEntries, readRole, writeListEntries, writeModelSetting } from './settings';

const titleOf = (raw: unknown): string => {
  const title = (raw as { readonly title?: unknown } | null)?.title;
  return typeof title === 'string' ? title.trim() : '';
};

/** What is set of an entry; the title first. */
const written = (entry: ProfileEntry): Record<string, unknown> => {
  const { title, provider, ...rest } = entry;
  const fields = Object.entries(rest).filter(([, value]) => value !== undefined);
  return { title, ...(provider === 'openai' ? {} : { provider }), ...Object.fromEntries(fields) };
};

/** The list with one entry put in the place of the one titled `was`, or at its end; what is not ours in it stays. */
export function withEntry(entries: readonly unknown[], was: string | undefined, entry: ProfileEntry): readonly unknown[] {
  const at = was === undefined ? -1 : entries.findIndex((raw) => titleOf(raw) === was);
  if (at < 0) return [...entries, written(entry)];
  const ours = new Set<string>(['title', 'provider', ...profileFieldNames]);
  const foreign = Object.entries(entries[at] as object).filter(([name]) => !ours.has(name));
  return entries.map((raw, place) => (place === at ? { ...written(entry), ...Object.fromEntries(foreign) } : raw));
}

export const withoutEntry = (entries: readonly unknown[], title: string): readonly unknown[] => {
  const at = entries.findIndex((raw) => titleOf(raw) === title);
  return entries.filter((_, place) => place !== at);
};

/** Writes a profile: the default one into `liyuan.model.*`, another into the list it stands in. Roles and a key of its own follow a new title. */
export async function saveProfile(models: HostModels, before: SettingsProfile | undefined, entry: ProfileEntry): Promise<void> {
  if (before?.title === '') {
    for (const name of profileFieldNames) {
      const { [name]: now } = entry;
      if (JSON.stringify(now) !== JSON.stringify(before.entry[name])) await writeModelSetting(name, now);
    }
    models.changed();
    return;
  }
  const place = before?.ofFolder === true ? 'folder' : 'own';
  await writeListEntries(place, withEntry(readListEntries()[place], before?.title, entry));
  if (before !== undefined && before.title !== entry.title) await followTitle(before.title, entry.title);
  models.changed();
}

/** Adds profiles to the person's own. */
export async function addProfiles(models: HostModels, entries: readonly ProfileEntry[]): Promise<void> {
  await writeListEntries('own', entries.reduce<readonly unknown[]>((list, entry) => withEntry(list, undefined, entry), readListEntries().own));
  models.changed();
}

/** Takes a profile out; the roles it had go back to the default. */
export async function removeProfile(models: HostModels, { title, ofFolder }: SettingsProfile): Promise<void> {
  const place = ofFolder ? 'folder' : 'own';
  await writeListEntries(place, withoutEntry(readListEntries()[place], title));
  await followTitle(title, undefined);
  models.changed();
}

async function followTitle(before: string, after: string | undefined): Promise<void> {
  for (const role of ['writing', 'side'] as const) if (readRole(role) === before) await writeModelSetting(role, after);
}
