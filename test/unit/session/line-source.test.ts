import { appendFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLineSource } from '../../../src/engine/session/line-source';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { withTempFolder } from '../../fakes/temp-folder';
import { grow, textsOf, value, withSessions } from './support';

describe('the bytes of a session', () => {
  /** A megabyte whose every eight bytes name their own place. */
  const bytes = Buffer.from(Array.from({ length: 131_072 }, (_, i) => i.toString(16).padStart(8, '0')).join(''));
  const at = (offset: number, length: number): string => bytes.toString('latin1', offset, offset + length);

  it('are the same held, trimmed and read by pages, also across pages and at a growing end', () =>
    withTempFolder(async (root) => {
      await writeFile(join(root, 's'), bytes);
      const source = createLineSource(createNodeFiles(root), 's');
      const look = (): void => {
        for (const [offset, length] of [[0, 10], [262_140, 20], [262_144, 8], [500_000, 300_000], [1_048_568, 8]] as const) {
          expect(source.bytes(offset, length).toString('latin1'), `${offset}+${length}`).toBe(at(offset, length));
        }
      };
      look();
      source.hold(bytes);
      look();
      source.trim();
      look();
      source.clear();
      look();
      await appendFile(join(root, 's'), 'grown');
      expect(source.bytes(1_048_570, 11).toString()).toBe(`${at(1_048_570, 6)}grown`);
    }));

  it('are refused when the file is no longer that long', () =>
    withTempFolder(async (root) => {
      await writeFile(join(root, 's'), 'short');
      const source = createLineSource(createNodeFiles(root), 's');
      expect(() => source.bytes(2, 10)).toThrow('store.changed-outside');
      expect(() => createLineSource(createNodeFiles(root), 'none').bytes(0, 1)).toThrow('store.changed-outside');
    }));

  it('of a small session stay in memory, also when its file is cut outside', () =>
    withSessions(async ({ sessions, another, file }) => {
      const session = value(await sessions.create({ kind: 'agent', title: 't' }));
      const [a] = await grow(session, ['一']);
      await session.close();
      const again = value(await another().open(session.header.id));
      expect(textsOf(again)).toEqual(['一']);
      const third = value(await another({ readOnly: true }).open(session.header.id));
      await truncate(file(session.header.id), 5);
      expect(third.get(a!)?.data).toEqual({ text: '一' });
      await third.close();
      await again.close();
    }));
});
