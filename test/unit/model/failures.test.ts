import { describe, expect, it } from 'vitest';
import { failureFrom } from '../../../src/engine/model/failures';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const codeOf = (status: number | undefined, body: unknown, hasKey = true): string =>
  failureFrom({ ...(status === undefined ? {} : { status }), body: typeof body === 'string' ? body : JSON.stringify(body) }, NOW, hasKey).error.code;
const error = (message: string, code?: string | number): unknown => ({ error: { message, ...(code === undefined ? {} : { code }) } });

describe('what a refusal means', () => {
  it.each([
    [400, error('invalid schema'), 'model.bad-request'],
    [400, error("This model's maximum context length is 8192 tokens", 'context_length_exceeded'), 'model.context-overflow'],
    [400, error('Range of input length should be [1, 30720]'), 'model.context-overflow'],
    [400, error('the request exceeds the available context size. try increasing the context size'), 'model.context-overflow'],
    [400, error('Invalid request: Your request exceeded model token limit: 8192'), 'model.context-overflow'],
    [400, error('Prompt 超长', '1261'), 'model.context-overflow'],
    [413, 'Request Entity Too Large', 'model.context-overflow'],
    [422, error('Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096; too many tokens'), 'model.context-overflow'],
    [500, error('input is too long for the context window'), 'model.context-overflow'],
    [400, error('Content Exists Risk'), 'model.content-filter'],
    [400, error('Input data may contain inappropriate content.', 'data_inspection_failed'), 'model.content-filter'],
    [400, error('系统检测到输入或生成内容可能包含不安全或敏感内容', '1301'), 'model.content-filter'],
    [400, error('Model Not Exist'), 'model.not-found'],
    [404, error('The model `x` does not exist', 'model_not_found'), 'model.not-found'],
    [404, '404 page not found', 'model.not-found'],
    [405, '', 'model.not-found'],
    [401, error('Incorrect API key'), 'model.auth'],
    [403, error('Country not supported'), 'model.auth'],
    [402, error('Insufficient Balance'), 'model.quota'],
    [429, error('You exceeded your current quota', 'insufficient_quota'), 'model.quota'],
    [429, error('账户已欠费', '1113'), 'model.quota'],
    [400, error('Access denied, please make sure your account is in good standing.', 'Arrearage'), 'model.quota'],
    [429, error('Rate limit reached'), 'model.rate-limit'],
    [429, error('The engine is currently overloaded'), 'model.overloaded'],
    [503, '', 'model.overloaded'],
    [529, '', 'model.overloaded'],
    [500, '', 'model.server'],
    [502, '<html>', 'model.server'],
    [504, '', 'model.server'],
    [408, '', 'model.server'],
    [418, '', 'model.bad-request'],
    [undefined, error('x', 429), 'model.rate-limit'],
    [undefined, { message: 'Too many requests' }, 'model.rate-limit'],
    [undefined, { message: 'something broke' }, 'model.server'],
    [undefined, { code: '503', message: 'no' }, 'model.overloaded'],
  ])('%s with %j is %s', (status, body, code) => {
    expect(codeOf(status, body)).toBe(code);
  });

  it('without a key, 401 and 403 say that one is missing', () => {
    expect(codeOf(401, '', false)).toBe('model.no-key');
    expect(codeOf(403, '', false)).toBe('model.no-key');
  });

  it.each([
    ['{"error":{"message":"one"}}', 'one'],
    ['{"error":"two"}', 'two'],
    ['{"message":"three"}', 'three'],
    ['{"detail":"four"}', 'four'],
    ['[{"error":{"message":"five"}}]', 'five'],
    ['{"error":{"msg":"six"}}', 'six'],
    ['plain', 'plain'],
  ])('finds the message in %s', (body, detail) => {
    expect(failureFrom({ status: 400, body }, NOW, true).error.args).toEqual({ status: 400, detail });
  });

  it('never passes a web page on as the service’s words, and says that one came where that means a wrong address', () => {
    const page = '<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head><body>nginx</body></html>';
    const argsOf = (status: number, body: string): unknown => failureFrom({ status, body }, NOW, true).error.args;
    expect(argsOf(404, page)).toEqual({ status: 404, reason: 'page' });
    expect(argsOf(400, `\n ${page}`)).toEqual({ status: 400, reason: 'page' });
    expect(argsOf(502, '<html><h1>Bad Gateway</h1></html>')).toEqual({ status: 502 });
    expect(argsOf(401, page)).toEqual({ status: 401 });
    expect(argsOf(404, JSON.stringify({ error: { message: page } }))).toEqual({ status: 404, reason: 'page' });
    expect(argsOf(400, 'a < b')).toEqual({ status: 400, detail: 'a < b' });
  });

  it('cuts long messages', () => {
    expect(String(failureFrom({ status: 400, body: 'x'.repeat(9_999) }, NOW, true).error.args?.['detail'])).toHaveLength(300);
  });
});

describe('how long to wait', () => {
  it.each([
    [{ retryAfter: '2' }, 2_000],
    [{ retryAfter: '0.5' }, 500],
    [{ retryAfter: 'Thu, 01 Jan 2026 00:01:00 GMT' }, 60_000],
    [{ retryAfter: 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    [{ retryAfterMs: '250', retryAfter: '9' }, 250],
    [{ retryAfter: 'soon' }, undefined],
    [{ retryAfter: '-1' }, undefined],
    [{ retryAfter: '' }, undefined],
    [{}, undefined],
  ])('%j is %s ms', (headers, ms) => {
    expect(failureFrom({ status: 429, body: '', ...headers }, NOW, true).retryAfterMs).toBe(ms);
  });
});
