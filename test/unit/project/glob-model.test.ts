import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileGlob } from '../../../src/engine/project/glob';

/** The meaning of a glob as a regular expression: right, and slow for some globs. */
function asRegex(glob: string): RegExp | undefined {
  const trimmed = glob.replace(/^\.?\//, '').replace(/\/+$/, '');
  if (trimmed === '') return undefined;
  const anchored = trimmed.includes('/') || /^\.?\//.test(glob);
  const body = trimmed
    .split(/(\*\*\/|\/\*\*$|\*\*|\*|\?)/)
    .map((piece) => ({ '**/': '(?:[^/]+/)*', '/**': '/.+', '**': '.*', '*': '[^/]*', '?': '[^/]' })[piece] ?? piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('');
  return new RegExp(`^${anchored ? '' : '(?:.*/)?'}${body}(?:/.*)?$`, 'u');
}

it('means what its regular expression means', () => {
  const piece = fc.constantFrom('a', 'b', '雨', '.', '*', '?', '/', '**', '**/', '/**');
  const part = fc.array(fc.constantFrom('a', 'b', '雨', '.'), { minLength: 1, maxLength: 3 }).map((chars) => chars.join(''));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), fc.array(part, { minLength: 1, maxLength: 4 }), (pieces, parts) => {
      const glob = pieces.join('');
      const path = parts.join('/');
      expect([glob, path, compileGlob(glob)(path)]).toEqual([glob, path, asRegex(glob)?.test(path) ?? false]);
    }),
    { numRuns: 3_000 },
  );
});
