import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { errorTable } from '../../../../src/engine/ports/errors';
import type { EngineError, ErrorCode } from '../../../../src/engine/index';
import { errorTexts } from '../../../../src/extension/l10n/error-texts';
import { localiseError, localiseRetry } from '../../../../src/extension/l10n/localise-error';
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

  test('name both files that have one name but for case', () => {
    const error: EngineError = { code: 'path.clash', args: { path: '正文/Ch1.md', other: '正文/ch1.md' } };
    expect(localiseError(error, fillMessage)).toBe('正文/Ch1.md and 正文/ch1.md have the same name but for case or letter form. Rename one of them.');
    expect(localiseError(error, zh)).toBe('正文/Ch1.md 和 正文/ch1.md 只差大小写或字形，请给其中一个改名。');
  });

  test('repeat what the service itself said', () => {
    expect(localiseError({ code: 'model.auth', args: { status: 401, detail: 'Invalid API key' } }, fillMessage)).toBe(
      'The model’s service refused the key. Check the key and its permissions. (Invalid API key)',
    );
  });

  test('fill in what they name', () => {
    expect(localiseError({ code: 'model.bad-settings', args: { field: 'temperature', value: '9' } }, fillMessage)).toBe(
      'The model setting “temperature” has a value that cannot be used.',
    );
  });

  test.each<readonly [EngineError, string, string]>([
    [
      { code: 'model.network', args: { host: '127.0.0.1:7799' } },
      '127.0.0.1:7799 cannot be reached. Check the network, the proxy settings and the address.',
      '连不上 127.0.0.1:7799。请检查网络连接、网络代理设置和服务地址。',
    ],
    [
      { code: 'model.network', args: { reason: 'broke-off', host: 'api.example' } },
      'The connection to api.example broke in the middle of the answer. What had arrived is kept.',
      '回答到一半，与 api.example 的连接断了。已经收到的内容保留着。',
    ],
    [
      { code: 'model.not-found', args: { reason: 'page', host: 'api.example', url: 'https://api.example/chat/completions' } },
      'api.example gave a web page instead of an answer. The address is probably wrong; perhaps /v1 is missing.',
      'api.example 给的是网页，不是模型的回答。地址多半不对，也许少了 /v1。',
    ],
    [
      { code: 'model.bad-settings', args: { field: 'baseUrl', value: 'htp:/foo', scheme: 'htp' } },
      'The model’s address begins with “htp:”. It must begin with https:// or http://.',
      '模型地址以「htp:」开头，而它应当以 https:// 或 http:// 开头。',
    ],
    [
      { code: 'model.bad-settings', args: { field: 'baseUrl', value: 'not an address' } },
      'The model’s address is not a web address. It should look like https://api.example.com/v1.',
      '模型地址不是网址。应当形如 https://api.example.com/v1。',
    ],
    [{ code: 'model.bad-stream', args: { detail: 'empty' } }, 'The service’s answer was empty.', '服务的回答是空的。'],
  ])('say what the arguments know: %j', (error, english, chinese) => {
    expect(localiseError(error, fillMessage)).toBe(english);
    expect(localiseError(error, zh)).toBe(chinese);
  });

  test('are one sentence without advice while a call is tried again', () => {
    expect(localiseRetry({ code: 'model.server', args: { status: 500 } }, 3_200, 2, fillMessage)).toBe('The service had an internal error; trying again in 4 s (attempt 2).');
    expect(localiseRetry({ code: 'model.network', args: { host: 'api.example' } }, 1_000, 1, zh)).toBe('连不上 api.example，1 秒后重试（第 1 次）。');
    expect(localiseRetry({ code: 'model.rate-limit', args: { status: 429, detail: 'RPM 3' } }, 1_000, 1, zh)).toBe('服务要求放慢速度（RPM 3），1 秒后重试（第 1 次）。');
  });

  test('never show the original failure', () => {
    expect(localiseError({ code: 'store.io', cause: 'Error: EIO\n    at secret.js:1' }, fillMessage)).not.toMatch(/secret/);
  });
});
