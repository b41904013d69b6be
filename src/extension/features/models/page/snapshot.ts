import { completeBaseUrl, EngineFailure } from '../../../../engine/index';
import type { EngineError } from '../../../../engine/index';
import { profileEntry } from '../../../../protocol/model-profile';
import type { KeyState, ModelsSnapshot, PageProfile } from '../../../../protocol/models';
import type { Translate } from '../../../l10n/translate';
import { maskKey, type ModelKeys } from '../../../models/keys';
import type { ModelProfiles } from '../../../models/models';
import { modelPresets } from '../../../models/presets';
import type { SettingsProfile } from '../../../models/profile-book';

export interface SnapshotDeps {
  readonly keys: Pick<ModelKeys, 'get' | 'ownIsSet' | 'hadKey'>;
  /** `LIYUAN_API_KEY`, if it is set. */
  readonly variable: string | undefined;
  readonly describe: (error: EngineError) => string;
  readonly t: Translate;
}

/** What the page shows of the settings. */
export async function modelsSnapshotOf({ list, writing, side }: ModelProfiles, deps: SnapshotDeps): Promise<ModelsSnapshot> {
  const profiles = await Promise.all(list.map((profile) => pageProfileOf(profile, deps)));
  const presets = modelPresets.map(({ name, entry, keyUrl, note }) => ({
    name,
    entry: profileEntry.parse({ title: name, ...entry }),
    ...(keyUrl === undefined ? {} : { keyUrl }),
    ...(note === undefined ? {} : { note: deps.t(note) }),
  }));
  return { profiles, writing, side, presets };
}

async function pageProfileOf(profile: SettingsProfile, deps: SnapshotDeps): Promise<PageProfile> {
  const { title, entry, ofFolder, problem } = profile;
  const address = completeBaseUrl(entry.baseUrl ?? '');
  return {
    title,
    entry,
    ofFolder,
    url: address.ok ? address.value.chatUrl : '',
    key: address.ok ? await keyStateOf(address.value.base, title, deps) : { kind: 'none' },
    ...(problem === undefined ? {} : { problem: deps.describe(problem) }),
  };
}

async function keyStateOf(base: string, title: string, { keys, variable }: SnapshotDeps): Promise<KeyState> {
  const own = keys.ownIsSet(base, title);
  try {
    const key = await keys.get(base, title);
    if (key === undefined) return { kind: keys.hadKey(base, own ? title : undefined) ? 'lost' : 'none' };
    return key === variable ? { kind: 'variable' } : { kind: own ? 'own' : 'service', mask: maskKey(key) };
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    return { kind: 'unreadable' };
  }
}
