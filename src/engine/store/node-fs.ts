import type { BigIntStats, Dirent } from 'node:fs';
import { isMissing } from './failures';

/** An open file, as `FileHandle` of `node:fs/promises` is one. */
export interface OpenFile {
  stat(): Promise<{ readonly size: number }>;
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
  readFile(): Promise<Buffer>;
  /** Where the file was opened to, or at its end. */
  write(bytes: Uint8Array, offset: number, length: number): Promise<{ readonly bytesWritten: number }>;
  sync(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** The part of `node:fs/promises` the store stands on; tests put failures in between. */
export interface NodeFs {
  open(path: string, flags: string, mode?: number): Promise<OpenFile>;
  lstat(path: string, options: { readonly bigint: true }): Promise<BigIntStats>;
  /** The first folder that was made. */
  mkdir(path: string, options: { readonly recursive: true }): Promise<string | undefined>;
  readdir(path: string, options: { readonly withFileTypes: true }): Promise<Dirent[]>;
  realpath(path: string): Promise<string>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { readonly force: true }): Promise<void>;
}

/** The stat of an entry itself, links not followed; `undefined` when there is none. */
export async function lstatOrMissing(fs: Pick<NodeFs, 'lstat'>, absolute: string): Promise<BigIntStats | undefined> {
  try {
    return await fs.lstat(absolute, { bigint: true });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
