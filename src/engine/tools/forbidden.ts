import { minimalChanges } from '../text/diff';
import { forbiddenInChanges } from '../text/forbidden-words';
import type { Receipt, ToolContext } from './tool';

/** More than these are only counted. */
const MOST = 40;

/** `{forbidden:[{word, line}], forbiddenMore?}`: which of the author's forbidden words the new text of a chapter contains; nothing when it has none. */
export function forbiddenReceipt(path: string, before: string, after: string, { forbidden, manuscript }: ToolContext): Receipt {
  if (forbidden === undefined || before === after || !path.startsWith(`${manuscript.folder}/`)) return {};
  const found = forbiddenInChanges(after, minimalChanges(before, after), forbidden);
  if (found.length === 0) return {};
  return { forbidden: found.slice(0, MOST), ...(found.length > MOST ? { forbiddenMore: found.length - MOST } : {}) };
}
