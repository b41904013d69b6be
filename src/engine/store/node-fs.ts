import type { BigIntStats } from 'node:fs';
import type * as fs from 'node:fs/promises';
import { isMissing } from './failures';

/** The part of `node:fs/promises` the store stands on; tests put failures in between. */
export type NodeFs = Pick<
  typeof fs,
  'lstat' | 'mkdir' | 'open' | 'readdir' | 'readFile' | 'realpath' | 'rename' | 'rm' | 'stat'
>;

/** The stat of an entry itself, links not followed; `undefined` when there is none. */
export async function lstatOrMissing(fs: Pick<NodeFs, 'lstat'>, absolute: string): Promise<BigIntStats | undefined> {
  try {
    return await fs.lstat(absolute, { bigint: true });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
