import { ok, refuse, type Result } from '../ports/result';
import { compileGlob } from './glob';
import type { ProjectConfig, ProjectRules } from './project';

/** Largest file the agent may write and checkpoints cover, in bytes. */
export const MAX_FILE_BYTES = 5 * 1024 * 1024;
/** Longest part of a path, in UTF-8 bytes. */
export const MAX_PART_BYTES = 200;
/** No system takes a longer path. */
const MAX_PATH_CHARS = 4_096;
/** Longest path inside the project that the agent may write, in UTF-8 bytes: with the project's own folder it must fit on every system. */
export const MAX_PATH_BYTES = 800;

/** The author's requirements; read only in trusted workspaces, changed only after a confirmation. */
export const RULES_FILE = 'AGENTS.md';

const TEXT = /\.(?:md|txt|json|yaml)$/i;
/** A part that is empty or starts with a dot. */
const HIDDEN = /(?:^|\/)(?:\.|\/|$)/;
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const FORBIDDEN = /[<>:"|?*\\\u0000-\u001f\u007f]/;
/** Names that Windows keeps for devices, with or without an extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;

const encoder = new TextEncoder();

/** Whether a file of this name is a text that the agent may write and checkpoints cover, as far as the name says (formats.md, Paths). */
export const isTextName = (path: string): boolean => TEXT.test(path);

function checkPart(part: string, path: string): Result<void> {
  if (encoder.encode(part).length > MAX_PART_BYTES) {
    return refuse('path.too-long', { path, name: part, limit: MAX_PART_BYTES });
  }
  if (FORBIDDEN.test(part) || /[. ]$/.test(part) || DEVICE.test(part.replace(/ +(?=\.|$)/, ''))) {
    return refuse('path.forbidden-name', { path, name: part });
  }
  return ok(undefined);
}

/** `normalise` of `ProjectRules`, for any project. The root itself is `''`. */
export function normalisePath(path: string): Result<string> {
  if (path.length > MAX_PATH_CHARS) return refuse('path.too-long', { path: `${path.slice(0, 200)}…`, limit: MAX_PATH_CHARS });
  if (/^(?:[/\\]|[A-Za-z]:)/.test(path)) return refuse('path.outside', { path });
  const parts = path
    .normalize('NFC')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) return refuse('path.outside', { path });
  for (const part of parts) {
    const checked = checkPart(part, path);
    if (!checked.ok) return checked;
  }
  return ok(parts.join('/'));
}

/** Roots without those that lie inside another. */
function outermost(folders: readonly string[]): readonly string[] {
  const distinct = [...new Set(folders)];
  return distinct.filter((folder) => !distinct.some((other) => other !== folder && folder.startsWith(`${other}/`)));
}

/** The rules that follow from a project's folders and its `deny` globs. */
export function createProjectRules(config: ProjectConfig & { readonly deny?: readonly string[] | undefined }): ProjectRules {
  const roots = outermost([config.folders.manuscript, ...config.folders.texts].map((folder) => folder.normalize('NFC')));
  const denied = (config.deny ?? []).map(compileGlob);

  const covered = (given: string): boolean => {
    const path = given.normalize('NFC');
    if (!isTextName(path) || HIDDEN.test(path)) return false;
    return (path === RULES_FILE || roots.some((root) => path.startsWith(`${root}/`))) && !denied.some((deny) => deny(path));
  };

  return {
    normalise: normalisePath,
    covered,
    writable(given) {
      const path = normalisePath(given);
      if (!path.ok) return path;
      if (encoder.encode(path.value).length > MAX_PATH_BYTES) return refuse('path.too-long', { path: path.value, limit: MAX_PATH_BYTES });
      return covered(path.value) ? path : refuse('path.not-writable', { path: path.value });
    },
    roots,
    files: [RULES_FILE].filter(covered),
    maxBytes: MAX_FILE_BYTES,
  };
}
