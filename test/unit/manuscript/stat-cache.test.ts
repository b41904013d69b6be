import { describe, expect, it } from 'vitest';
import type { FileStat } from '../../../src/engine/ports/files';
import { createStatCache } from '../../../src/engine/manuscript/stat-cache';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { createMemoryLog } from '../../fakes/log';
import { withTempFolder } from '../../fakes/temp-folder';

const second = 1_000_000_000n;
const now = 1_800_000_000n * second;
const stat = (change: Partial<FileStat> = {}): FileStat => ({ size: 3, mtimeNs: now - 10n * second, ctimeNs: now - 10n * second, ino: 7n, kind: 'file', ...change });

describe('the stat cache', () => {
  it('believes a file that looks the same and had been still for two seconds', () =>
    withTempFolder(async (root) => {
      const cache = createStatCache({ files: createNodeFiles(root), log: createMemoryLog() });
      cache.note('a', stat(), 'sha', now);
      expect(cache.sha('a', stat())).toBe('sha');
      expect(cache.sha('b', stat())).toBeUndefined();
    }));

  it.each<[string, Partial<FileStat>]>([
    ['size', { size: 4 }],
    ['mtime', { mtimeNs: now - 9n * second }],
    ['ctime', { ctimeNs: now - 9n * second }],
    ['inode', { ino: 8n }],
  ])('does not when its %s differs', (_, change) =>
    withTempFolder(async (root) => {
      const cache = createStatCache({ files: createNodeFiles(root), log: createMemoryLog() });
      cache.note('a', stat(), 'sha', now);
      expect(cache.sha('a', stat(change))).toBeUndefined();
    }),
  );

  it.each<[string, Partial<FileStat>]>([
    ['changed one second before it was hashed', { mtimeNs: now - second }],
    ['had its time set back one second before', { ctimeNs: now - second }],
    ['has a time in the future', { mtimeNs: now + 60n * second }],
  ])('does not when the file %s', (_, change) =>
    withTempFolder(async (root) => {
      const cache = createStatCache({ files: createNodeFiles(root), log: createMemoryLog() });
      cache.note('a', stat(change), 'sha', now);
      expect(cache.sha('a', stat(change))).toBeUndefined();
    }),
  );

  it('does not when it is unknown when the file was hashed', () =>
    withTempFolder(async (root) => {
      const cache = createStatCache({ files: createNodeFiles(root), log: createMemoryLog() });
      cache.note('a', stat(), 'sha', undefined);
      expect(cache.sha('a', stat())).toBeUndefined();
    }));

  it('knows the same after it was saved and loaded, and starts anew from a damaged file', () =>
    withTempFolder(async (root) => {
      const files = createNodeFiles(root);
      const cache = createStatCache({ files, log: createMemoryLog() });
      cache.note('a', stat(), 'sha', now);
      await cache.save();
      const again = createStatCache({ files, log: createMemoryLog() });
      await again.load();
      expect(again.sha('a', stat())).toBe('sha');
      await files.writeAtomic('.liyuan/cache/stat.json', Buffer.from('{"v":1,"files":{"a":[1]}}'));
      const damaged = createStatCache({ files, log: createMemoryLog() });
      await damaged.load();
      expect(damaged.sha('a', stat())).toBeUndefined();
    }));
});
