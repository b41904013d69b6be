import { describe, expect, test } from 'vitest';
import { baseName, pathIn } from '../../../../src/extension/project/paths';

describe('the path of a document in a project', () => {
  const root = { scheme: 'file', path: '/书/盐渡来信' };

  test('is relative to the root, in NFC', () => {
    expect(pathIn(root, { scheme: 'file', path: '/书/盐渡来信/正文/cafe\u0301.md' })).toBe('正文/caf\u00e9.md');
    expect(pathIn({ scheme: 'file', path: '/' }, { scheme: 'file', path: '/正文/一.md' })).toBe('正文/一.md');
  });

  test.each([
    ['in a folder whose name only begins like the root’s', { scheme: 'file', path: '/书/盐渡来信2/正文/一.md' }],
    ['above it', { scheme: 'file', path: '/书/一.md' }],
    ['of another kind under the same path', { scheme: 'git', path: '/书/盐渡来信/正文/一.md' }],
  ])('is none for a document %s', (_, uri) => {
    expect(pathIn(root, uri)).toBeUndefined();
  });

  test('ends in its own name', () => {
    expect([baseName('正文/第一卷/001.md'), baseName('一.md')]).toEqual(['001.md', '一.md']);
  });
});
