import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { mutations } from '../../../scripts/lib/quirk-mutations.mjs';
import { streams } from '../../conformance/streams/all';

const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const read = (path: string): string => readFileSync(at(path), 'utf8');

interface Mutation {
  readonly quirk: string;
  readonly file: string;
  readonly text: string;
  readonly by: string;
  readonly named: string;
  readonly test: string;
}
const all: readonly Mutation[] = mutations;

/** Rows of the table: quirk, and where it is handled. */
const rows = [...read('test/conformance/quirks.md').matchAll(/^\| (.+?) \| .+ \| (.+?) \|$/gm)]
  .map(([, quirk = '', where = '']) => ({ quirk: quirk.replace(/`<think>`/g, '<think>'), where }))
  .filter(({ quirk }) => quirk !== 'quirk' && quirk !== '---');

it('every quirk in the table has streams of its own or names the test that shows it, and every stream has a row', () => {
  const labels = new Set(streams.map(({ quirk }) => quirk));
  const without = rows.filter(({ quirk }) => !labels.has(quirk) && !['Retry-After', 'silence', 'a call without end', 'context overflow'].includes(quirk));
  expect(without).toEqual([]);
  const known = new Set(rows.map(({ quirk }) => quirk));
  expect([...labels].filter((quirk) => !known.has(quirk))).toEqual([]);
  expect(rows.length).toBeGreaterThan(60);
});

it('every quirk that is handled here can have its handling taken out', () => {
  const taken = new Set(all.map(({ quirk }) => quirk));
  expect(rows.filter(({ quirk, where }) => where !== 'library' && !taken.has(quirk))).toEqual([]);
  expect(all.filter(({ quirk }) => !rows.some((row) => row.quirk === quirk))).toEqual([]);
});

it.each(all.map((one) => [`${one.quirk}: ${one.named}`, one] as const))('what handles a quirk is where it is said to be: %s', (_name, { file, text, by, named, test }) => {
  expect(read(file).split(text)).toHaveLength(2);
  expect(by).not.toBe(text);
  const titles = test.endsWith('/streams.test.ts') ? streams.map(({ name }) => name).join('\n') : read(test);
  expect(titles).toContain(named);
});
