import { completeBaseUrl } from '../../../engine/index';
import { localiseError } from '../../l10n/localise-error';
import type { Translate } from '../../l10n/translate';
import type { ModelProfiles } from '../../models/models';
import type { SettingsProfile } from '../../models/profile-book';
import type { ModelRole } from '../../models/setting-names';
import { titleWords } from './words';

/** What a row of 「切换模型」 stands for. */
export type SwitchChoice =
  | { readonly kind: 'use'; readonly title: string }
  | { readonly kind: 'asWriting' }
  | { readonly kind: 'side' }
  | { readonly kind: 'add' }
  | { readonly kind: 'vscode' }
  | { readonly kind: 'page' }
  | { readonly kind: 'test' };

export interface SwitchRow {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly choice?: SwitchChoice;
  /** Begins a group; cannot be chosen. */
  readonly separator?: true;
}

/** True when there is nothing to switch between: only the rehearsal model. */
export const nothingToSwitch = ({ list }: ModelProfiles): boolean => list.length === 1 && isRehearsal(list[0]);

const isRehearsal = (profile: SettingsProfile | undefined): boolean => profile?.title === '' && (profile.entry.baseUrl ?? '') === '';

/** The model and the exact address of a profile, or what is wrong with it. */
function placeWords({ entry, provider, problem }: SettingsProfile, t: Translate): string {
  if (problem !== undefined) return `$(warning) ${localiseError(problem, t)}`;
  if (provider === 'vscode') return t('a model of VS Code');
  const address = completeBaseUrl(entry.baseUrl ?? '');
  return address.ok ? address.value.chatUrl : `$(warning) ${localiseError(address.error, t)}`;
}

function profileRow(profile: SettingsProfile, marks: readonly string[], t: Translate): SwitchRow {
  const { title, entry } = profile;
  const mark = marks.length === 0 ? '' : `$(check) ${marks.join(' · ')}`;
  if (isRehearsal(profile)) return { label: t('Rehearsal'), description: mark, detail: t('no network, no key: a rule-based stand-in'), choice: { kind: 'use', title } };
  const described = [entry.name ?? '', mark].filter((one) => one !== '').join('   ');
  return { label: titleWords(title, t), description: described, detail: placeWords(profile, t), choice: { kind: 'use', title } };
}

/** The rows for choosing who has a role: the profiles, marked, and what else can be done. */
export function switchRows(profiles: ModelProfiles, role: ModelRole, t: Translate): readonly SwitchRow[] {
  const { list, writing, side } = profiles;
  const marksOf = (title: string): readonly string[] => [...(title === writing ? [t('writes')] : []), ...(title === (side === '' ? writing : side) ? [t('side work')] : [])];
  const rows = list.map((profile) => profileRow(profile, marksOf(profile.title), t));
  if (role === 'side') {
    // The default one cannot be named for it: no title means whoever writes.
    return [{ label: t('The one that writes'), ...(side === '' ? { description: '$(check)' } : {}), choice: { kind: 'asWriting' } }, ...rows.filter((_, place) => list[place]?.title !== '')];
  }
  const gone = list.some(({ title }) => title === writing) ? [] : [{ label: writing, detail: `$(warning) ${t('There is no model with this title any more.')}` }];
  return [
    ...gone,
    ...rows,
    { label: '', separator: true },
    { label: `$(book) ${t('Model for side work…')}`, description: side === '' ? t('the one that writes') : side, choice: { kind: 'side' } },
    { label: `$(add) ${t('Add a model…')}`, choice: { kind: 'add' } },
    { label: `$(vscode) ${t('A model of VS Code…')}`, choice: { kind: 'vscode' } },
    { label: `$(settings) ${t('Edit the models…')}`, choice: { kind: 'page' } },
    { label: `$(plug) ${t('Test the connection')}`, choice: { kind: 'test' } },
  ];
}
