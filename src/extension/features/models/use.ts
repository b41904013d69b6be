import * as vscode from 'vscode';
import type { Host } from '../../host';
import type { ModelRole } from '../../models/setting-names';
import { writeModelSetting } from '../../models/settings';
import { titleWords } from './words';

/** Gives a role to the profile with this title, from the next turn on. */
export async function use(host: Host, role: ModelRole, title: string): Promise<void> {
  const { t } = host;
  await writeModelSetting(role, title === '' ? undefined : title);
  const words = { title: titleWords(title, t) };
  const said = role === 'writing' ? t('{title} writes from the next turn on.', words) : title === '' ? t('Side work is done by the model that writes.') : t('{title} does the side work from the next turn on.', words);
  void vscode.window.showInformationMessage(said);
}
