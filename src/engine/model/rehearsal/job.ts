import type { ModelMessage } from '../../ports/models';
import type { Intent } from './intents';
import { findIntents } from './intents';

interface JobChapter {
  readonly path: string;
  /** The author's words, behind the chapter's text. */
  readonly words: string;
}

const HEAD = /^【(?:逐章修改|Chapter by chapter)】(.+)$/mu;
const END = '\n</chapter>\n\n';

/** One chapter of a job, as the program asks for it before the author's words. */
export function jobIn(message: ModelMessage | undefined): JobChapter | undefined {
  const content = message?.content ?? '';
  if (!/^【(?:逐章修改|Chapter by chapter)】/u.test(content)) return undefined;
  const path = HEAD.exec(content)?.[1];
  if (path === undefined) return undefined;
  const end = content.lastIndexOf(END);
  return { path, words: end < 0 ? content.slice(content.indexOf('\n\n') + 2) : content.slice(end + END.length) };
}

/** What the words ask for, in this chapter alone. */
export function jobIntents({ path, words }: JobChapter): readonly Intent[] {
  return findIntents(words).flatMap((intent) => (intent.kind === 'replace' ? [{ ...intent, ref: { by: 'path', path }, all: true }] : []));
}
