import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dependenciesAreInstalled } from '../../../scripts/lib/requirements.mjs';
import { workbenchUrl } from '../../../scripts/lib/server-process.mjs';

let folder = '';
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'liyuan-scripts-'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

function put(file: string, content: unknown, mode = 0o644): void {
  const full = path.join(folder, file);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, typeof content === 'string' ? content : JSON.stringify(content), { mode });
}

describe('dependencies', () => {
  const lock = { packages: { '': {}, 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '2.0.0', optional: true } } };

  test('are installed when every package of the lock is there in its version; optional ones may be missing', () => {
    put('package-lock.json', lock);
    put('node_modules/.package-lock.json', { packages: { 'node_modules/a': { version: '1.0.0' } } });
    put('node_modules/a/package.json', {});
    expect(dependenciesAreInstalled(folder)).toBe(true);
  });

  test('are not when the version is another, the folder is gone, or nothing was ever installed', () => {
    put('package-lock.json', lock);
    expect(dependenciesAreInstalled(folder)).toBe(false);
    put('node_modules/.package-lock.json', { packages: { 'node_modules/a': { version: '0.9.0' } } });
    put('node_modules/a/package.json', {});
    expect(dependenciesAreInstalled(folder)).toBe(false);
    put('node_modules/.package-lock.json', { packages: { 'node_modules/a': { version: '1.0.0' } } });
    fs.rmSync(path.join(folder, 'node_modules/a'), { recursive: true });
    expect(dependenciesAreInstalled(folder)).toBe(false);
  });
});

describe('the address of a workbench', () => {
  test('names the folder, the development extension, the tests and the token', () => {
    const url = new URL(workbenchUrl({ authority: '127.0.0.1:8123', token: 'abc' }, { folder: '/tmp/盐渡', extension: '/x', tests: '/x/t.js' }));
    expect(url.origin).toBe('http://127.0.0.1:8123');
    expect(url.searchParams.get('folder')).toBe('/tmp/盐渡');
    expect(JSON.parse(url.searchParams.get('payload') ?? '')).toEqual([
      ['extensionDevelopmentPath', 'vscode-remote://127.0.0.1:8123/x'],
      ['extensionTestsPath', 'vscode-remote://127.0.0.1:8123/x/t.js'],
    ]);
    expect(url.searchParams.get('tkn')).toBe('abc');
  });

  test('is plain for a folder alone', () => {
    expect(workbenchUrl({ authority: '127.0.0.1:1' }, { folder: '/n' })).toBe('http://127.0.0.1:1/?folder=%2Fn');
  });
});

describe('the commands', () => {
  const fails = (args: readonly string[], env: Readonly<Record<string, string>> = {}): { readonly code: number; readonly text: string } => {
    try {
      const text = execFileSync(process.execPath, args, { env: { ...process.env, ...env }, stdio: 'pipe', encoding: 'utf8' });
      return { code: 0, text };
    } catch (error) {
      const { status, stderr } = error as { status: number; stderr: string };
      return { code: status, text: stderr };
    }
  };

  test('refuse a step, a language and a port that do not exist', () => {
    expect(fails(['scripts/test.mjs', '--only', 'unti'])).toMatchObject({ code: 2, text: expect.stringContaining('no step unti') as string });
    expect(fails(['scripts/start.mjs', '--lang', 'fr'])).toMatchObject({ code: 2, text: expect.stringContaining('en, zh-cn') as string });
    expect(fails(['scripts/start.mjs', '--port', '70000'])).toMatchObject({ code: 2, text: expect.stringContaining('not a port') as string });
  });

  test('name the one missing thing and end with 2 where it cannot be installed', () => {
    put('bin/fc-list', '#!/bin/sh\nexit 0\n', 0o755);
    const script = `import { ensureSystem } from ${JSON.stringify(path.resolve('scripts/lib/requirements.mjs'))};
import { main } from ${JSON.stringify(path.resolve('scripts/lib/run.mjs'))};
await main(() => ensureSystem(['font', 'compiler']));`;
    const { code, text } = fails(['--input-type=module', '-e', script], { PATH: path.join(folder, 'bin') });
    expect(code).toBe(2);
    expect(text).toContain('fonts-noto-cjk');
    expect(text).toContain('g++');
  });
});
