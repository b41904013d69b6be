import { expect, test } from 'vitest';
import { compileGlob } from '../../../src/engine/project/glob';
import { normalisePath } from '../../../src/engine/project/rules';
import { countWords } from '../../../src/engine/text/count-words';
import { titleOf } from '../../../src/engine/text/titles';
import { tidyPath } from '../../../src/engine/tools/paths';

const n = 200_000;

/** Each took time with the square of its length once: minutes at this size. */
test.each<readonly [string, () => unknown, unknown]>([
  ['a path of slashes', () => tidyPath(`正文${'/'.repeat(n)}a.md`).length, n + 6],
  ['a path that ends in slashes', () => tidyPath(`正文/${'/'.repeat(n)}`), '正文'],
  ['a path with spaces', () => normalisePath(`正文/a${' '.repeat(n)}b.md`).ok, false],
  ['comments that never end', () => countWords('<!--'.repeat(n)), 0],
  ['marks that hang on what follows', () => countWords(`${'… '.repeat(n)}雨`), n + 1],
  ['a heading with spaces', () => titleOf('x.md', `# 雨${' '.repeat(n)}夜`).length, n + 2],
  ['stars in a glob', () => compileGlob(`${'*a'.repeat(30)}b`)(`正文/${'a'.repeat(5_000)}.md`), false],
  ['folders in a glob', () => compileGlob(`${'**/'.repeat(12)}x`)(`${'a/'.repeat(1_000)}y`), false],
])('takes no time that grows faster than it: %s', (_, work, result) => {
  const began = performance.now();
  expect(work()).toBe(result);
  expect(performance.now() - began).toBeLessThan(2_000);
});
