import type { ProfileEntry } from '../../protocol/model-profile';
import { profileFieldNames } from '../../protocol/model-profile';
import type { HostModels } from './models';
import type { SettingsProfile } from './profile-book';
import { readListEntries, readRole, writeListEntries, writeModelSetting } from './settings';

/** What is set of an entry; the title first. */
const written = (entry: ProfileEntry): Record<string, unknown> => {
  const { title, provider, ...rest } = entry;
  const fields = Object.entries(rest).filter(([, value]) => value !== undefined);
  return { title, ...(provider === 'openai' ? {} : { provider }), ...Object.fromEntries(fields) };
};

/** The list with one entry put in this place, or at its end; what is not ours in the one that stood there stays. */
export function withEntry(entries: readonly unknown[], place: number | undefined, entry: ProfileEntry): readonly unknown[] {
  if (place === undefined || place >= entries.length) return [...entries, written(entry)];
  const ours = new Set<string>(['title', 'provider', ...profileFieldNames]);
  const before = entries[place];
  const foreign = typeof before === 'object' && before !== null ? Object.entries(before).filter(([name]) => !ours.has(name)) : [];
  return entries.map((raw, at) => (at === place ? { ...written(entry), ...Object.fromEntries(foreign) } : raw));
}

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
  await writeListEntries(place, withEntry(readListEntries()[place], before?.place, entry));
  if (before !== undefined && before.title !== entry.title) await followTitle(before.title, entry.title);
  models.changed();
}

/** Adds profiles to the person's own. */
export async function addProfiles(models: HostModels, entries: readonly ProfileEntry[]): Promise<void> {
  await writeListEntries('own', entries.reduce<readonly unknown[]>((list, entry) => withEntry(list, undefined, entry), readListEntries().own));
  models.changed();
}

/** Takes a profile out; the roles it had go back to the default. */
export async function removeProfile(models: HostModels, { title, ofFolder, place: at }: SettingsProfile): Promise<void> {
  const place = ofFolder ? 'folder' : 'own';
  await writeListEntries(place, readListEntries()[place].filter((_, other) => other !== at));
  await followTitle(title, undefined);
  models.changed();
}

async function followTitle(before: string, after: string | undefined): Promise<void> {
  for (const role of ['writing', 'side'] as const) if (readRole(role) === before) await writeModelSetting(role, after);
}
