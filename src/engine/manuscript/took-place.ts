import { ok, type Result } from '../ports/result';
import type { JournalEdit } from './checkpoints';

/** A file as it stood some time after an edit was announced. */
export interface Witness {
  readonly sha: string | null;
  /** `undefined` where its bytes are no text. */
  text(): Promise<Result<string | undefined>>;
}

/**
 * Whether an edit of a text that was announced, and of which nobody knows that it was carried out, has left its traces in what stood there afterwards.
 * One that has left none is never taken out of a file: what came back would be words that nobody wrote there. `recorded`: what the edit
 * recorded, as a text.
 */
export async function tookPlace(
  edit: JournalEdit,
  seen: Witness,
  recorded: (sha: string, path: string) => Promise<Result<string | undefined>>,
): Promise<Result<boolean>> {
  if (seen.sha === edit.after) return ok(true);
  if (seen.sha === edit.before || seen.sha === null || edit.after === null) return ok(false);
  const standing = await seen.text();
  const made = await recorded(edit.after, edit.path);
  const old = edit.before === null ? ok('') : await recorded(edit.before, edit.path);
  // Its texts are gone: it counts, and its file as a whole.
  if (!standing.ok || !made.ok || !old.ok || made.value === undefined || old.value === undefined || standing.value === undefined) return ok(true);
  return ok(hasTraces(old.value, made.value, standing.value));
}

const linesOf = (text: string): ReadonlySet<string> => new Set(text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== ''));

/** By whole lines: a new one that stands; where the edit only took lines away, none of these and one of the others. */
function hasTraces(before: string, after: string, now: string): boolean {
  const [old, made, standing] = [linesOf(before), linesOf(after), linesOf(now)];
  const added = [...made].filter((line) => !old.has(line));
  if (added.length > 0) return added.some((line) => standing.has(line));
  const removed = [...old].filter((line) => !made.has(line));
  return !removed.some((line) => standing.has(line)) && [...made].some((line) => standing.has(line));
}
