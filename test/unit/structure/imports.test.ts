import { describe, expect, test, vi } from 'vitest';
import { refusal, rooms } from '../../../scripts/lib/import-table.mjs';
import { exists, importsOf, parse, resolveImport, sourceFiles } from './source-tree';

/** A path of files that leads back to its first one, or undefined. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): readonly string[] | undefined => {
    const at = trail.indexOf(file);
    if (at >= 0) return [...trail.slice(at), file];
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next, [...trail, file]);
      if (cycle !== undefined) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

function graphOf(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return new Map(files.map((file) => [
    file,
    importsOf(parse(file)).filter((one) => !one.typeOnly).map((one) => resolveImport(file, one.name)).filter((to) => to !== undefined),
  ]));
}

// Every file of the tree is read and parsed.
vi.setConfig({ testTimeout: 60_000 });

const ours = sourceFiles('src', 'webview');

describe('the import table', () => {
  test.each([
    ['src/engine/store/a.ts', 'src/engine/session/b'],
    ['src/engine/session/a.ts', 'src/engine/manuscript/b'],
    ['src/engine/manuscript/a.ts', 'src/engine/turn/b'],
    ['src/engine/prompt/a.ts', 'src/engine/tools/b'],
    ['src/engine/tools/a.ts', 'src/engine/turn/b'],
    ['src/engine/model/a.ts', 'src/engine/session/b'],
    ['src/engine/prose/a.ts', 'src/engine/lore/b'],
    ['src/engine/publish/a.ts', 'src/engine/turn/b'],
    ['src/engine/ledger/a.ts', 'src/engine/prompt/b'],
    ['src/engine/text/a.ts', 'src/engine/index'],
    ['src/engine/turn/a.ts', 'src/extension/host'],
    ['src/engine/turn/a.ts', 'src/protocol/chat'],
    ['src/engine/turn/a.ts', 'webview/shared/ime'],
    ['src/engine/unheard-of/a.ts', 'src/engine/text/b'],
    ['src/protocol/chat.ts', 'src/engine/index'],
    ['src/extension/features/chat/a.ts', 'src/engine/session/session'],
    ['src/extension/features/chat/a.ts', 'webview/shared/ime'],
    ['src/extension/features/history/a.ts', 'src/extension/features/chat/b'],
    ['src/extension/features/chat/a.ts', 'src/extension/features/diff/register'],
    ['src/extension/host.ts', 'src/extension/features/models/b'],
    ['src/extension/diffs/a.ts', 'src/extension/features/diff/b'],
    ['webview/chat/a.ts', 'src/engine/index'],
    ['webview/chat/a.ts', 'src/extension/host'],
    ['webview/chat/a.ts', 'webview/stage/b'],
    ['webview/shared/a.ts', 'webview/chat/b'],
  ])('refuses %s -> %s', (from, to) => {
    expect(refusal(from, to)).toMatch(/./);
  });

  test.each([
    ['src/engine/turn/a.ts', 'vscode'],
    ['src/protocol/a.ts', 'lit'],
    ['webview/chat/a.ts', 'vscode'],
    ['webview/chat/a.ts', 'node:fs'],
    ['src/engine/text/a.ts', 'lit'],
  ])('refuses the package %s -> %s', (from, to) => {
    expect(refusal(from, to, true)).toMatch(/./);
  });

  test.each([
    ['src/engine/turn/a.ts', 'src/engine/tools/b'],
    ['src/engine/turn/a.ts', 'src/engine/turn/b'],
    ['src/engine/compose.ts', 'src/engine/turn/b'],
    ['src/engine/publish/a.ts', 'src/engine/prose/b'],
    ['src/extension/features/chat/a.ts', 'src/engine/index'],
    ['src/extension/features/chat/a.ts', 'src/protocol/chat'],
    ['src/extension/features/chat/a.ts', 'src/extension/features/chat/b'],
    ['src/extension/features/chat/a.ts', 'src/extension/webviews/html'],
    ['src/extension/activate.ts', 'src/extension/features/chat/register'],
    ['webview/chat/a.ts', 'webview/shared/ime'],
    ['webview/chat/a.ts', 'src/protocol/chat'],
  ])('allows %s -> %s', (from, to) => {
    expect(refusal(from, to)).toBeUndefined();
  });

  test('orders the rooms without a way back up', () => {
    const graph = new Map(Object.entries(rooms).map(([room, below]) => [room, [...below]]));
    expect(findCycle(graph)).toBeUndefined();
  });

  test('is kept by every import of the tree', () => {
    const broken = ours.flatMap((file) => importsOf(parse(file)).flatMap(({ name }) => {
      const to = resolveImport(file, name);
      const why = refusal(file, to ?? name, to === undefined);
      return why === undefined ? [] : [`${file}: ${why}`];
    }));
    expect(broken).toEqual([]);
  });
});

describe('cycles', () => {
  test('are found where there are some', () => {
    expect(findCycle(new Map([['a', ['b']], ['b', ['c']], ['c', ['b']]]))).toEqual(['b', 'c', 'b']);
    expect(findCycle(new Map([['a', ['b', 'c']], ['b', ['c']], ['c', []]]))).toBeUndefined();
  });

  test('are not there between the files that run', () => {
    expect(findCycle(graphOf(ours))).toBeUndefined();
  });
});

describe('waking up', () => {
  /** What is loaded with a file, by the way to it; a package by its name. */
  function loadedWith(file: string): ReadonlyMap<string, string> {
    const found = new Map([[file, '']]);
    for (const [from] of found) {
      if (!exists(from)) continue;
      for (const { name } of importsOf(parse(from)).filter(({ typeOnly, lazy }) => !typeOnly && lazy !== true)) {
        const to = resolveImport(from, name) ?? name;
        if (!found.has(to)) found.set(to, from);
      }
    }
    return found;
  }

  test('loads nothing of the engine, and no package but VS Code and Node’s own', () => {
    const loaded = [...loadedWith('src/extension/activate.ts')];
    expect(loaded.some(([file]) => file === 'src/extension/features/chapters/register.ts')).toBe(true);
    const heavy = loaded.filter(([to]) => !to.startsWith('src/extension/') && to !== 'vscode' && !to.startsWith('node:'));
    expect(heavy.map(([to, from]) => `${from} loads ${to}`)).toEqual([]);
  });
});
