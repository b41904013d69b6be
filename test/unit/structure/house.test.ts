import { describe, expect, test, vi } from 'vitest';
import ts from 'typescript';
import { licenceIsAccepted, packageFolder } from '../../../scripts/notices.mjs';
import { nodesOf, parse, readJson, readText, sourceFiles } from './source-tree';

// Every file of the tree is read and parsed.
vi.setConfig({ testTimeout: 60_000 });

interface Package {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}
const manifest = readJson<Package>('package.json');
const dependencies = { ...manifest.dependencies, ...manifest.devDependencies };
const shipped = sourceFiles('src', 'webview');

describe('dependencies', () => {
  test('are pinned to one version', () => {
    expect(Object.entries(dependencies).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  test('each have a line that says what they are for', () => {
    const page = readText('docs/dependencies.md');
    expect(Object.keys(dependencies).filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
    const described = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1] ?? '');
    const ownLocks = Object.keys(readJson<Package>('scripts/vscode-server/package.json').dependencies);
    expect(described.filter((name) => dependencies[name] === undefined && !ownLocks.includes(name))).toEqual([]);
  });

  test.each(['package-lock.json', 'scripts/vscode-server/package-lock.json'])('are locked in %s without the address of a registry', (file) => {
    expect(readText(file)).not.toMatch(/"resolved"|https?:\/\/[^"]*\.tgz/);
  });

  test('do not bring react', () => {
    const { packages } = readJson<{ readonly packages: Readonly<Record<string, unknown>> }>('package-lock.json');
    expect(Object.keys(packages).filter((place) => /(^|\/)node_modules\/(react|react-dom)$/.test(place))).toEqual([]);
  });

  test('are read as SPDX expressions, and by the folder they stand in', () => {
    expect(licenceIsAccepted('(MPL-2.0 OR Apache-2.0)')).toBe(true);
    expect(licenceIsAccepted('GPL-3.0')).toBe(false);
    expect(packageFolder('node_modules/a/node_modules/@b/c/dist/x.js')).toBe('node_modules/a/node_modules/@b/c');
    expect(packageFolder('src/engine/index.ts')).toBeUndefined();
  });
});

describe('the sources', () => {
  test('have kebab-case names', () => {
    const names = sourceFiles('src', 'webview', 'test', 'bench').map((file) => file.split('/').at(-1) ?? '');
    expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.(test|e2e|bench|config))?\.ts$/.test(name))).toEqual([]);
  });

  test('stay under 400 lines a file, or say why not', () => {
    expect(shipped.filter((file) => readText(file).split('\n').length > 400 && !/Longer than 400 lines because/.test(readText(file)))).toEqual([]);
  });

  test('hold no notes about work to be done', () => {
    expect(shipped.filter((file) => /\b(TODO|FIXME|XXX|HACK)\b/.test(readText(file)))).toEqual([]);
  });

  test('say what they promise, in every file of the engine that exports something', () => {
    const silent = sourceFiles('src/engine').flatMap((file) => undocumented(file));
    expect(silent).toEqual([]);
  });

  test('drop no error that was caught', () => {
    expect(shipped.filter((file) => nodesOf(parse(file)).some((node) => ts.isCatchClause(node) && node.block.statements.length === 0))).toEqual([]);
  });
});

/** Files that export something and have not one doc comment. */
function undocumented(file: string): readonly string[] {
  const source = parse(file);
  const exports = source.statements.some((statement) =>
    ts.canHaveModifiers(statement) && (ts.getModifiers(statement) ?? []).some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword));
  return exports && !source.text.includes('/**') ? [file] : [];
}

describe('the change log', () => {
  test('speaks of the version that is built', () => {
    expect(readText('CHANGELOG.md')).toContain(`## ${manifest.version}`);
  });
});
