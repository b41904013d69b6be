import type { ProfileEntry } from '../../protocol/model-profile';
import { profileFieldNames } from '../../protocol/model-profile';
import type { HostModels } from './models';
import type { SettingsProfile } from './profile-book';
import { withEntry } from './profile-list';
import { readListEntries, readRole, writeListEntries, writeModelSetting } from './settings';

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
