import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashesIn, hashesInFile } from '../../../src/engine/manuscript/hashes-in';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { withTempFolder } from '../../fakes/temp-folder';

const a = 'a1'.repeat(32);
const b = '0f'.repeat(32);
const found = (text: string): string[] => {
  const shas: string[] = [];
  hashesIn(Buffer.from(text), (sha) => shas.push(sha));
  return shas;
};

describe('hashes in the bytes of a log', () => {
  it('are found wherever they stand', () => {
    expect(found(`{"sha":"${a}","text":"雨下了一夜"}\n${b}`)).toEqual([a, b]);
    expect(found(a)).toEqual([a]);
    expect(found('')).toEqual([]);
    expect(found(a.slice(1))).toEqual([]);
  });

  it('are not upper case, and in a longer run of digits every 64 count', () => {
    expect(found(a.toUpperCase())).toEqual([]);
    expect(found(`${a}0`)).toEqual([a, `${a.slice(1)}0`]);
  });

  it('are the same as a slow search finds, in any text', () => {
    const piece = fc.oneof(fc.constantFrom(a, b, '雨', '"', 'g', 'deadbeef', 'a'.repeat(63), 'b'.repeat(65)));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const slow = Array.from({ length: text.length }, (_, at) => text.slice(at, at + 64)).filter((part) => /^[0-9a-f]{64}$/.test(part));
        expect(found(text)).toEqual(slow);
      }),
      { numRuns: 500 },
    );
  });

  it('are found in a file where two pieces of it meet', () =>
    withTempFolder(async (root) => {
      await writeFile(join(root, 'x.jsonl'), `{"a":"${a}"}\n{"b":"${b}"}\n`);
      const files = createNodeFiles(root);
      for (const size of [1, 7, 64, 70, 1_000]) {
        const shas = new Set<string>();
        await hashesInFile(files, 'x.jsonl', (sha) => shas.add(sha), size);
        expect([...shas], String(size)).toEqual([a, b]);
      }
      await hashesInFile(files, 'gone.jsonl', () => expect.unreachable());
    }));
});
