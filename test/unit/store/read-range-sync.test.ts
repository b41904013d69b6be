import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { withTempFolder } from '../../fakes/temp-folder';

describe('reading a range at once', () => {
  it('gives the bytes, fewer at the end, and undefined for what is not there', () =>
    withTempFolder(async (root) => {
      const files = createNodeFiles(root);
      await writeFile(join(root, 'a'), '0123456789');
      const text = (offset: number, length: number): string => Buffer.from(files.readRangeSync('a', offset, length)!).toString();
      expect([text(2, 3), text(8, 99), text(50, 1), text(0, 0)]).toEqual(['234', '89', '', '']);
      expect(files.readRangeSync('none', 0, 1)).toBeUndefined();
    }));

  it('stays inside the root', () =>
    withTempFolder(async (root) => {
      const files = createNodeFiles(root);
      await symlink('/etc/hostname', join(root, 'out'));
      expect(() => files.readRangeSync('out', 0, 5)).toThrow('path.outside');
      expect(() => files.readRangeSync('../x', 0, 5)).toThrow('path.outside');
    }));

});
