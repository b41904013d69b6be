import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EngineFailure } from '../../../src/engine/ports/result';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { withTempFolder } from '../../fakes/temp-folder';

const codeOf = async (work: () => unknown): Promise<unknown> => {
  try {
    await work();
    return 'ok';
  } catch (error) {
    return error instanceof EngineFailure ? error.error : error;
  }
};

describe.runIf(process.platform !== 'win32').each([
  ['at once', {}],
  ['through the thread pool', { fs: {} }],
])('a pipe where a file is looked for, asked %s', (_, options) => {
  it('is a refusal: opening it would wait for its other end for ever', () =>
    withTempFolder(async (root) => {
      mkdirSync(join(root, '正文'));
      execFileSync('mkfifo', [join(root, '正文/001.md')]);
      const files = createNodeFiles(root, options);
      const refused = { code: 'store.io', args: { path: '正文/001.md', errno: 'ENOTSUP' } };
      expect(await codeOf(() => files.read('正文/001.md'))).toMatchObject(refused);
      expect(await codeOf(() => files.readRange('正文/001.md', 0, 3))).toMatchObject(refused);
      expect(await codeOf(() => files.readRangeSync('正文/001.md', 0, 3))).toMatchObject(refused);
      expect(await codeOf(() => files.append('正文/001.md', Buffer.from('雨'), { fsync: false }))).toMatchObject(refused);
      expect(await codeOf(() => files.fsync('正文/001.md'))).toMatchObject(refused);
      expect(await files.tree('正文')).toEqual([]);
      expect(await files.stat('正文/001.md')).toMatchObject({ kind: 'other' });
    }));
});
