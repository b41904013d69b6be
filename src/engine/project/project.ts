import type { Result } from '../ports/result';

/** `project.json`, unknown keys kept when it is rewritten. */
export interface ProjectConfig {
  readonly v: number;
  readonly title: string;
  readonly language: 'zh' | 'en';
  /** Folder names: the manuscript, and other text the author keeps. */
  readonly folders: { readonly manuscript: string; readonly texts: readonly string[] };
  /** Where the style notes and the forbidden words are, when not under their usual names in a folder of texts. */
  readonly files?: { readonly style?: string | undefined; readonly forbidden?: string | undefined } | undefined;
  /** Rules that are there and not used: `false`. */
  readonly rules?: { readonly agents?: boolean | undefined; readonly style?: boolean | undefined; readonly forbidden?: boolean | undefined } | undefined;
}

/** Which paths the agent may write; the same set is covered by checkpoints (formats.md, Paths). */
export interface ProjectRules {
  /** Normalises to NFC with `/` and checks the form of a path from outside; refuses `path.outside`, `path.forbidden-name`, `path.too-long`. */
  normalise(path: string): Result<string>;
  /** `.md .txt .json .yaml` under the named folders, never under a dot-folder, and `AGENTS.md` beside them; not denied. */
  covered(path: string): boolean;
  /** Refuses `path.not-writable`, and `path.too-long` for what could not be opened on every system. */
  writable(path: string): Result<string>;
  /** Folders that are searched for covered files. */
  readonly roots: readonly string[];
  /** Covered files outside of them. */
  readonly files: readonly string[];
  readonly maxBytes: number;
}

export interface Project {
  readonly config: ProjectConfig;
  readonly rules: ProjectRules;
  /** A newer version wrote it: it is read, and nothing is written. */
  readonly newer: boolean;
  /** This machine's id, from `local/`. */
  readonly machine: string;
  /** Atomic rewrite, one key a line, unknown keys kept. */
  update(change: Partial<Pick<ProjectConfig, 'title' | 'language' | 'folders' | 'files' | 'rules'>>): Promise<Result<void>>;
}
