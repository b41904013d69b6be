import type { GoBackPlan } from '../../../engine/index';
import type { Translate } from '../../l10n/translate';

/** Files named one by one. */
const namedFiles = 6;

/** Whether saying a turn again touches more than the turn itself. */
export const needsAsking = (plan: GoBackPlan): boolean => plan.later > 0 || plan.authored.length > 0;

/** What will happen, for the confirmation: later turns, files, the author's own words, and that nothing is lost. */
export function againWords(t: Translate, { later, files, authored }: GoBackPlan): string {
  const rest = files.length - namedFiles;
  return [
    ...(later > 0 ? [t('Later turns that leave the conversation: {count}. They stay on their own branch; the arrows beside the message lead back to them.', { count: later })] : []),
    ...(files.length === 0
      ? [t('No file was changed by these turns.')]
      : [t('Files in which the agent’s edits are taken back: {count}', { count: files.length }), ...files.slice(0, namedFiles), ...(rest > 0 ? [t('… and {count} more', { count: rest })] : [])]),
    ...(authored.length > 0 ? ['', t('You have changed {files} since: your own words stay. Where you changed the same words as the agent, they are left as they are.', { files: authored.slice(0, namedFiles).join(', ') })] : []),
    '',
    t('What is there now, unsaved words included, is saved as a checkpoint first.'),
  ].join('\n');
}
