import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { packedReadme } from '../../../scripts/lib/packed-readme.mjs';

const read = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');

it('the packed README holds both languages, and nothing that leads out of the package', () => {
  const packed = packedReadme(read('README.md'), read('README.zh-CN.md'));
  expect(packed).toContain('**Write a novel with an agent');
  expect(packed).toContain('运行 `npm start`');
  expect([...packed.matchAll(/\]\((?!https?:|#)[^)]*\)/g)].map(([link]) => link)).toEqual([]);
  expect(packed).not.toContain('![');
});
