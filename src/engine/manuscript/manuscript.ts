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
}

export interface Manuscript {
  /** All chapters in order. Counting is cached by what the files look like, so a call costs what has changed. */
  chapters(): Promise<Result<readonly Chapter[]>>;
  /** The manuscript folder's name, e.g. `正文`. */
  readonly folder: string;
}
