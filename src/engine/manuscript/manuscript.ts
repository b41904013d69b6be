import type { Result } from '../ports/result';

export interface Chapter {
  readonly path: string;
  /** Path of its volume folder, relative to the manuscript folder; '' at the top. */
  readonly volume: string;
  readonly title: string;
  /** 字 by `countWords`. */
  readonly words: number;
  /** Milliseconds since the epoch. */
  readonly mtime: number;
  readonly dirty: boolean;
  /** The `# ` heading, when there is one: the title then. */
  readonly heading?: string;
  /** `status` of the front matter, as it is written. */
  readonly status?: string;
  /** 字 that the chapter is to have: `target` of the front matter, as `text/chapter-target.ts` reads it. */
  readonly target?: number;
  /** Open notes (`text/notes.ts`); absent: none. */
  readonly notes?: number;
}

export interface Manuscript {
  /** All chapters in order. Counting is cached by what the files look like, so a call costs what has changed. */
  chapters(): Promise<Result<readonly Chapter[]>>;
  /** One chapter as it is now, looked at alone; `undefined`: no such chapter. Costs one file. */
  chapter(path: string): Promise<Result<Chapter | undefined>>;
  /** The manuscript folder's name, e.g. `正文`. */
  readonly folder: string;
}
