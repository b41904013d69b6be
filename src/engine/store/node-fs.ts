import type * as fs from 'node:fs/promises';

/** The part of `node:fs/promises` the store stands on; tests put failures in between. */
export type NodeFs = Pick<
  typeof fs,
  'lstat' | 'mkdir' | 'open' | 'readdir' | 'readFile' | 'realpath' | 'rename' | 'rm' | 'stat'
>;
