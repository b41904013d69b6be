import type { EngineError, Result } from '../ports/result';
import { refuse } from '../ports/result';
import type { LiveText } from '../ports/documents';
import { RULES_FILE } from '../project/rules';
import type { Receipt, ToolContext } from './tool';

/** The form of a path as models write it: `./`, a trailing `/` and outer spaces are forgiven. */
export function tidyPath(path: string): string {
  const trimmed = path.trim();
  let from = 0;
  while (trimmed.startsWith('./', from)) from += 2;
  let to = trimmed.length;
  while (to > from && trimmed[to - 1] === '/') to -= 1;
  return trimmed.slice(from, to);
}

/** A path the agent may look at: inside the project, nowhere below a dot-folder. Refuses as `ProjectRules.normalise`, `path.forbidden`, and `workspace.untrusted`. */
export function readablePath(path: string, context: Pick<ToolContext, 'rules' | 'trusted'>): Result<string> {
  const normal = context.rules.normalise(tidyPath(path));
  if (!normal.ok) return normal;
  if (normal.value.split('/').some((part) => part.startsWith('.'))) return refuse('path.forbidden', { path: normal.value });
  if (normal.value === RULES_FILE && !context.trusted) return refuse('workspace.untrusted', { path: normal.value });
  return normal;
}

/** A path the agent may change, as checkpoints will know it: by its name, and by where links on its way lead (`fresh`: what it is to be called). `AGENTS.md` asks the user first; a no is `tool.refused`. */
export async function writablePath(path: string, context: ToolContext, fresh = false): Promise<Result<string>> {
  const normal = context.rules.normalise(tidyPath(path));
  if (!normal.ok) return normal;
  const writable = context.rules.writable(normal.value);
  if (!writable.ok) return writable;
  const located = await context.journal.locate(writable.value, fresh);
  if (!located.ok || normal.value !== RULES_FILE) return located;
  if (!context.trusted) return refuse('workspace.untrusted', { path: normal.value });
  const agreed = await context.ui.confirm({ kind: 'write-rules', path: normal.value, askId: `${context.callId}:confirm` }, context.signal);
  if (context.signal.aborted) return refuse('turn.aborted');
  return agreed ? normal : refuse('tool.refused', { path: normal.value, by: 'user' });
}

/** Reads a live text and remembers that the agent saw it. A missing file names files with a like name. */
export async function readSeen(
  path: string,
  context: ToolContext,
): Promise<Result<LiveText, EngineError & { readonly receipt?: Receipt }>> {
  const live = await context.documents.read(path);
  if (live.ok) {
    context.seen.note(live.value.path, live.value.text);
    return live;
  }
  return live.error.code === 'doc.not-found' ? notFound(path, live.error, context) : live;
}

/** The refusal of a missing file, with up to five paths whose name contains the one asked for, or the other way round. */
export async function notFound(
  path: string,
  error: EngineError,
  context: ToolContext,
): Promise<Result<never, EngineError & { readonly receipt?: Receipt }>> {
  const wanted = nameOf(path);
  const files = await coveredFiles(context.rules.roots, context);
  const near = files.filter((file) => nameOf(file).includes(wanted) || wanted.includes(nameOf(file))).slice(0, 5);
  return { ok: false, error: { ...error, args: { path }, ...(near.length === 0 ? {} : { receipt: { near } }) } };
}

function nameOf(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.[^.]+$/, '');
}

/** Paths of the covered files below folders, unordered. */
export async function coveredFiles(folders: readonly string[], context: ToolContext): Promise<readonly string[]> {
  const lists = await Promise.all(folders.map((folder) => context.documents.list(folder)));
  return [...new Set(lists.flat().map(({ path }) => path))].filter((path) => context.rules.covered(path));
}
