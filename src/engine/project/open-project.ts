import type { Files } from '../ports/files';
import type { Ids } from '../ports/ids';
import type { Log } from '../ports/log';
import { caught, EngineFailure, ok, refuse, type Result } from '../ports/result';
import { createQueue } from '../store/queue';
import { DEFAULT_FOLDERS, formatProjectFile, parseProjectFile, PROJECT_FILE, PROJECT_VERSION, type ProjectFile } from './config';
import { ensureLayout, ensureMachine, readMachine } from './layout';
import type { Project, ProjectConfig, ProjectRules } from './project';
import { createProjectRules } from './rules';

export interface ProjectDeps {
  readonly files: Files;
  readonly ids: Ids;
  readonly log: Log;
  /** Nothing is written: no layout, no machine id, and `update` refuses. */
  readonly readOnly?: boolean;
}

async function readConfig(files: Files): Promise<ReturnType<typeof parseProjectFile>> {
  const bytes = await files.read(PROJECT_FILE);
  if (bytes === undefined) return refuse('project.none', { path: PROJECT_FILE });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    return refuse('project.bad-json', { path: PROJECT_FILE, key: '', reason: 'not UTF-8' }, error);
  }
  return parseProjectFile(text);
}

/** Prepares `.liyuan/` and this machine's id; a folder that cannot be written still opens, with an id for this time only. */
async function prepare({ files, ids, log, readOnly }: ProjectDeps): Promise<{ machine: string; writable: boolean }> {
  if (readOnly !== true) {
    try {
      await ensureLayout(files);
      return { machine: await ensureMachine(files, ids), writable: true };
    } catch (error) {
      if (!(error instanceof EngineFailure) || error.error.code !== 'store.read-only') throw error;
      log.warn('the project folder cannot be written', { ...error.error.args });
    }
  }
  return { machine: (await readMachine(files)) ?? ids.next(), writable: false };
}

/**
 * Opens the project of a folder. Refuses `project.none` (no `project.json`), `project.bad-json`, `project.conflict`
 * (a merge conflict in it, both sides named), `store.*`. Missing parts of the layout are made.
 */
export function openProject(deps: ProjectDeps): Promise<Result<Project>> {
  const { files, log } = deps;
  return caught(async () => {
    const first = await readConfig(files);
    if (!first.ok) return first;
    let config: ProjectFile = first.value.config;
    let rules = createProjectRules(config);
    const newer = config.v > PROJECT_VERSION;
    if (newer) log.warn('project.json is of a newer version: nothing is written', { v: config.v });
    const { machine, writable } = await prepare(newer ? { ...deps, readOnly: true } : deps);
    const queue = createQueue();

    /** Follows `update`, so that whoever holds the rules has today's. */
    const liveRules: ProjectRules = {
      normalise: (path) => rules.normalise(path),
      covered: (path) => rules.covered(path),
      writable: (path) => rules.writable(path),
      get roots() {
        return rules.roots;
      },
      get files() {
        return rules.files;
      },
      get maxBytes() {
        return rules.maxBytes;
      },
    };
    const update: Project['update'] = (change) =>
      queue.run(() =>
        caught(async () => {
          if (!writable && !newer) return refuse('store.read-only', { path: PROJECT_FILE });
          const now = await readConfig(files);
          if (!now.ok) return now;
          if (now.value.config.v > PROJECT_VERSION) return refuse('store.newer-version', { path: PROJECT_FILE, v: now.value.config.v });
          const text = formatProjectFile({ v: PROJECT_VERSION, ...now.value.raw, ...merged(now.value.raw, change) });
          const checked = parseProjectFile(text);
          if (!checked.ok) return checked;
          await files.writeAtomic(PROJECT_FILE, new TextEncoder().encode(text));
          config = checked.value.config;
          rules = createProjectRules(config);
          return ok(undefined);
        }),
      );

    return ok({
      get config(): ProjectConfig {
        return config;
      },
      rules: liveRules,
      machine,
      newer,
      update,
    });
  });
}

/** The change, with unknown keys inside `folders`, `files` and `rules` kept. */
function merged(raw: Readonly<Record<string, unknown>>, change: Parameters<Project['update']>[0]): Readonly<Record<string, unknown>> {
  const isFields = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.fromEntries(Object.entries(change).map(([key, value]) => [key, isFields(value) && isFields(raw[key]) ? { ...raw[key], ...value } : value]));
}

/**
 * Turns a folder into a project: `.liyuan/` with its `project.json`, and the manuscript folder (`正文` unless named) when it is missing. No text
 * of the author is touched. A folder that is a project already is opened as it is. Refuses `project.bad-json` for a `manuscript` that no
 * project may have; then nothing was written.
 */
export function createProject(
  deps: ProjectDeps,
  { title, language, manuscript }: { readonly title: string; readonly language: ProjectConfig['language']; readonly manuscript?: string },
): Promise<Result<Project>> {
  const { files, readOnly } = deps;
  return caught(async () => {
    if ((await files.stat(PROJECT_FILE)) !== undefined) return openProject(deps);
    if (readOnly === true) return refuse('store.read-only', { path: PROJECT_FILE });
    const folders = manuscript === undefined ? DEFAULT_FOLDERS : { ...DEFAULT_FOLDERS, manuscript };
    const text = formatProjectFile({ v: PROJECT_VERSION, title, language, folders });
    const checked = parseProjectFile(text);
    if (!checked.ok) return checked;
    await ensureLayout(files);
    await files.writeAtomic(PROJECT_FILE, new TextEncoder().encode(text));
    await files.mkdir(folders.manuscript);
    return openProject(deps);
  });
}
