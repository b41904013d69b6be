import { describe, expect, test } from 'vitest';
import { identityQuery, parseIdentity } from '../../../../src/extension/diffs/object-uris';

describe('addresses of stored texts', () => {
  const sha = 'a'.repeat(64);
  test.each([
    [{ kind: 'object', sha }, `sha=${sha}`],
    [{ kind: 'nothing' }, 'nothing'],
  ] as const)('say which one it is: %o', (identity, query) => {
    expect(identityQuery(identity)).toBe(query);
    expect(parseIdentity(query)).toEqual(identity);
  });

  test('that are not ours are refused', () => {
    expect([parseIdentity('sha=xyz'), parseIdentity('')]).toEqual([undefined, undefined]);
  });
});
