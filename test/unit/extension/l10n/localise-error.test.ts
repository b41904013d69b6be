import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { errorTable } from '../../../../src/engine/ports/errors';
import type { ErrorCode } from '../../../../src/engine/index';
import { errorTexts } from '../../../../src/extension/l10n/error-texts';
import { localiseError } from '../../../../src/extension/l10n/localise-error';
import { fillMessage } from '../../../../src/extension/l10n/translate';

const bundle = JSON.parse(readFileSync('l10n/bundle.l10n.zh-cn.json', 'utf8')) as Readonly<Record<string, string>>;
const zh = (message: string, args = {}): string => fillMessage(bundle[message] ?? `MISSING ${message}`, args);
const codes = Object.keys(errorTable) as readonly ErrorCode[];

describe('refusals in words', () => {
  test('exist for every code, in English and in Chinese', () => {
    for (const code of codes) {
      expect(errorTexts[code], code).toMatch(/\w.*\.$/);
      expect(localiseError({ code }, zh), code).toMatch(/[。\p{Script=Han}]$/u);
      expect(localiseError({ code }, zh), code).not.toMatch(/MISSING/);
    }
    expect(Object.keys(errorTexts).sort()).toEqual([...codes].sort());
  });

  test('name the file they are about', () => {
    expect(localiseError({ code: 'doc.exists', args: { path: '正文/1.md' } }, fillMessage)).toBe('正文/1.md: A file with this name already exists.');
    expect(localiseError({ code: 'doc.exists', args: { path: '正文/1.md' } }, zh)).toBe('正文/1.md：已有同名文件。');
  });

  test('repeat what the service itself said', () => {
    expect(localiseError({ code: 'model.auth', args: { status: 401, detail: 'Invalid API key' } }, fillMessage)).toBe(
      'The model’s service refused the key. Check the key and what it may be used for. (Invalid API key)',
    );
  });

  test('fill in what they name', () => {
    expect(localiseError({ code: 'model.bad-settings', args: { field: 'temperature', value: '9' } }, fillMessage)).toBe(
      'The model setting “temperature” has a value that cannot be used.',
    );
  });

  test('never show the original failure', () => {
    expect(localiseError({ code: 'store.io', cause: 'Error: EIO\n    at secret.js:1' }, fillMessage)).not.toMatch(/secret/);
  });
});
