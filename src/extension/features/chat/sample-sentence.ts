import type { Documents } from '../../../engine/index';
import { compareNatural } from '../../../engine/index';
import type { ChatSnapshot } from '../../../protocol/chat';

/** What the chat's example `example.replace` would change; it stands in the sample novel. */
const SENTENCE = '灯是看不见的';

/** What the examples of an empty conversation depend on. */
export type FirstLook = Pick<ChatSnapshot, 'sampleSentence' | 'noChapters'>;

/** Whether that sentence stands once in the first chapter of this folder, so that the example can be carried out; and whether there is any chapter. */
export async function lookAtChapters(documents: Pick<Documents, 'list' | 'read'>, folder: string): Promise<FirstLook> {
  const chapters = (await documents.list(folder)).map(({ path }) => path).filter((path) => /\.(?:md|txt)$/.test(path));
  const [first] = chapters.sort(compareNatural);
  if (first === undefined) return { noChapters: true };
  const live = await documents.read(first);
  return live.ok && live.value.text.split(SENTENCE).length === 2 ? { sampleSentence: true } : {};
}
