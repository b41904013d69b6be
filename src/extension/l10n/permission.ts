import type { Translate } from './translate';

/** What may be answered when the agent asks for permission: yes first. */
export const permissionOptions = (t: Translate): readonly [yes: string, no: string] => [t('Allow this change'), t('Leave it as it is')];
