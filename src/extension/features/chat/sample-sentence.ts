import type { Documents } from '../../../engine/index';
import { compareNatural } from '../../../engine/index';

/** What the chat's example `example.replace` would change; it stands in the sample novel. */
const SENTENCE = '灯是看不见的';

/** True when that sentence stands once in the first chapter of this folder, so that the example can be carried out. */
export async function hasSampleSentence(documents: Pick<Documents, 'list' | 'read'>, folder: string): Promise<boolean> {
  const chapters = (await documents.list(folder)).map(({ path }) => path).filter((path) => path.endsWith('.md'));
  const [first] = chapters.sort(compareNatural);
  if (first === undefined) return false;
  const live = await documents.read(first);
  return live.ok && live.value.text.split(SENTENCE).length === 2;
}
