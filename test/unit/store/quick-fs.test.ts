import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createQuickFs } from '../../../src/engine/store/quick-fs';
import type { Pace } from '../../../src/engine/store/pace';
import { withTempFolder } from '../../fakes/temp-folder';

/** A disk that is always fast, or never. */
function pace(fast: boolean): Pace & { readonly at: () => number } {
  let count = 0;
  return {
    ready: async () => fast,
    fast: () => fast,
    measure: (operation) => {
      count += 1;
      return operation();
    },
    at: () => count,
  };
}

const codeOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => 'ok', (error: unknown) => (error as NodeJS.ErrnoException).code);

describe.each([
  ['on a fast disk', true],
  ['on a slow disk', false],
])('the file system %s', (_, fast) => {
  it('does and refuses the same', () =>
    withTempFolder(async (root) => {
      const changes = pace(fast);
      const looks = pace(fast);
      const fs = createQuickFs({ looks, changes });
      const at = (name: string): string => join(root, name);
      expect(await fs.mkdir(at('a/b'), { recursive: true })).toBe(at('a'));
      expect(await fs.mkdir(at('a/b'), { recursive: true })).toBeUndefined();
      const big = Buffer.alloc(200_000, '雨');
      const file = await fs.open(at('a/x'), 'wx');
      expect(await file.write(big, 0, big.length)).toMatchObject({ bytesWritten: big.length });
      expect(await file.write(Buffer.from('0123456789'), 2, 5)).toMatchObject({ bytesWritten: 5 });
      await file.sync();
      expect((await file.stat()).size).toBe(big.length + 5);
      await file.truncate(big.length + 3);
      await file.close();
      expect(await codeOf(fs.open(at('a/x'), 'wx'))).toBe('EEXIST');
      await fs.rename(at('a/x'), at('a/b/y'));
      expect(await codeOf(fs.rename(at('a/x'), at('a/z')))).toBe('ENOENT');
      expect((await fs.lstat(at('a/b/y'), { bigint: true })).size).toBe(BigInt(big.length + 3));
      expect(await codeOf(fs.lstat(at('a/x'), { bigint: true }))).toBe('ENOENT');
      expect((await fs.readdir(at('a'), { withFileTypes: true })).map((entry) => [entry.name, entry.isDirectory()])).toEqual([['b', true]]);
      const end = await fs.open(at('a/b/y'), 'r');
      const some = Buffer.alloc(8);
      expect(await end.read(some, 1, 4, big.length)).toMatchObject({ bytesRead: 3 });
      expect(some.toString('latin1', 1, 4)).toBe('234');
      expect((await end.readFile()).length).toBe(big.length + 3);
      await end.close();
      const more = await fs.open(at('a/b/y'), 'a');
      await more.write(Buffer.from('!'), 0, 1);
      await more.close();
      expect((await fs.lstat(at('a/b/y'), { bigint: true })).size).toBe(BigInt(big.length + 4));
      expect(changes.at() > 0).toBe(fast);
      expect(looks.at() > 0).toBe(fast);
    }));
});
