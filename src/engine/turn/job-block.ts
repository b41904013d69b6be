import type { Result } from '../ports/result';
import { ok } from '../ports/result';
import { fill } from '../prompt/assets';
import type { PromptBlock } from '../prompt/blocks';
import type { EntryData } from '../session/entries';
import { inOurTokens } from '../text/token-scale';
import type { TurnDeps } from './deps';

/** The kind of task a turn of a job has: one chapter, `path`. */
export const JOB_CHAPTER = 'job-chapter';

/** Of the window at most this part is the chapter: it is sent with each call, and what is changed has to fit as well. */
const MOST_OF_WINDOW = 0.3;

/** The one chapter that a turn of a job may change; `undefined` for every other turn. */
export function jobChapterOf(user: Pick<EntryData<'user'>, 'task'> | undefined): string | undefined {
  const path = user?.task?.kind === JOB_CHAPTER ? user.task['path'] : undefined;
  return typeof path === 'string' ? path : undefined;
}

/**
 * What a turn of a job is told: which chapter, and its text, since handing it over costs one call less than having it read. A chapter
 * that would fill the window is read piece by piece. Refuses what reading the chapter refuses.
 */
export async function jobBlocks(deps: TurnDeps, path: string): Promise<Result<readonly PromptBlock[]>> {
  const { job } = deps.assets().texts;
  const live = await deps.documents.read(path);
  if (!live.ok) return live;
  const client = await deps.models.client('writing');
  if (!client.ok) return client;
  const text = live.value.text.replaceAll('\r\n', '\n');
  const fits = (await deps.countTokens(text)) <= inOurTokens(client.value, deps.tokenScale).window * MOST_OF_WINDOW;
  const lines = [`${job.title}${path}`, fill(job.text, { path }), ...(fits ? [job.given, `<chapter>\n${text}\n</chapter>`] : [job.read])];
  return ok([{ kind: 'task', title: job.title, source: path, text: lines.join('\n') }]);
}
