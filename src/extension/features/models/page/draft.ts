import { completeBaseUrl, profileFromSettings } from '../../../../engine/index';
import type { ModelProfile, Result } from '../../../../engine/index';
import { profileEntry, wrongField, type ProfileEntry } from '../../../../protocol/model-profile';
import type { ProfileDraft } from '../../../../protocol/models';
import type { Host } from '../../../host';
import { isMask, originOf } from '../../../models/keys';
import type { SettingsProfile } from '../../../models/profile-book';
import { asProfileValues } from '../../../models/setting-names';

/** A form as read, or the field that does not fit. */
export type ReadDraft = { readonly entry: ProfileEntry; readonly before: SettingsProfile | undefined; readonly key: string } | { readonly field: string };

/** Reads what stands in the form: the title is free and there, unless it is the default one, which has none. */
export function readDraft({ was, entry, key }: ProfileDraft, list: readonly SettingsProfile[]): ReadDraft {
  const before = was === undefined ? undefined : list.find(({ title }) => title === was);
  const raw = { ...entry, title: was === '' ? '' : entry['title'] };
  const field = wrongField(raw, (title) => was !== '' && (title === '' || (title !== was && list.some((one) => one.title === title))));
  if (field !== undefined) return { field };
  if (isMask(key) || /[^\x20-\x7e]/.test(key.trim())) return { field: 'key' };
  return { entry: profileEntry.parse(raw), before, key: key.trim() };
}

/**
 * The profile a form stands for, with the key typed in it or the stored one. What a folder has set gets nothing of the person's own before they
 * have agreed, unless they typed the key or another service's address here. Refuses as the models do.
 */
export async function draftProfile({ models }: Pick<Host, 'models'>, { entry, before, key }: Exclude<ReadDraft, { field: string }>): Promise<Result<ModelProfile>> {
  if (key !== '') {
    const made = profileFromSettings({ ...asProfileValues(entry), apiKey: key });
    return made;
  }
  const kept = before !== undefined && sameService(before.entry.baseUrl, entry.baseUrl);
  const source = kept ? before.source : { addressOfFolder: false, ownAddresses: [], ownExtras: false };
  return models.resolve({ title: before?.title ?? '', provider: entry.provider, entry, raw: { ...entry }, source, ofFolder: before?.ofFolder ?? false, place: before?.place ?? -1 });
}

function sameService(a: string | undefined, b: string | undefined): boolean {
  const [one, other] = [completeBaseUrl(a ?? ''), completeBaseUrl(b ?? '')];
  return one.ok && other.ok && originOf(one.value.base) === originOf(other.value.base);
}
