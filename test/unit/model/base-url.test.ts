import { describe, expect, it } from 'vitest';
import { completeBaseUrl, isLocalAddress, otherAddress, typedForm } from '../../../src/engine/model/base-url';

describe('completing an address', () => {
  it.each([
    // services, as their pages write them
    ['https://api.openai.com/v1', 'https://api.openai.com/v1/chat/completions'],
    ['https://api.deepseek.com', 'https://api.deepseek.com/v1/chat/completions'],
    ['https://dashscope.aliyuncs.com/compatible-mode/v1', 'https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions'],
    ['https://api.moonshot.cn/v1', 'https://api.moonshot.cn/v1/chat/completions'],
    ['https://open.bigmodel.cn/api/paas/v4', 'https://open.bigmodel.cn/api/paas/v4/chat/completions'],
    ['https://ark.cn-beijing.volces.com/api/v3', 'https://ark.cn-beijing.volces.com/api/v3/chat/completions'],
    ['https://openrouter.ai/api/v1', 'https://openrouter.ai/api/v1/chat/completions'],
    ['http://127.0.0.1:11434/v1', 'http://127.0.0.1:11434/v1/chat/completions'],
    // as people type them
    ['  https://api.deepseek.com/ ', 'https://api.deepseek.com/v1/chat/completions'],
    ['https://open.bigmodel.cn/api/paas/v4/', 'https://open.bigmodel.cn/api/paas/v4/chat/completions'],
    ['https://gateway.example/openai', 'https://gateway.example/openai/chat/completions'],
    ['https://api.example/v1/chat/completions', 'https://api.example/v1/chat/completions'],
    ['https://api.example/chat/completions', 'https://api.example/chat/completions'],
    ['api.example.com', 'https://api.example.com/v1/chat/completions'],
    ['localhost:1234', 'http://localhost:1234/v1/chat/completions'],
    ['192.168.1.7:8080/v1', 'http://192.168.1.7:8080/v1/chat/completions'],
    ['[::1]:8080', 'http://[::1]:8080/v1/chat/completions'],
    ['https://x.example/v1?api-version=2', 'https://x.example/v1/chat/completions?api-version=2'],
  ])('%s asks %s', (typed, asked) => {
    expect(completeBaseUrl(typed)).toMatchObject({ ok: true, value: { chatUrl: asked } });
  });

  it('refuses nothing at all and what is no web address', () => {
    expect(completeBaseUrl('  ')).toEqual({ ok: false, error: { code: 'model.not-configured' } });
    for (const typed of ['https://', 'not an address']) {
      expect(completeBaseUrl(typed)).toEqual({ ok: false, error: { code: 'model.bad-settings', args: { field: 'baseUrl', value: typed } } });
    }
  });

  it.each([
    ['ftp://x.example', 'ftp'],
    ['file:///etc/passwd', 'file'],
    ['htp:/foo', 'htp'],
    ['HTTPX://api.example', 'httpx'],
    ['mailto:a@b.example', 'mailto'],
  ])('refuses %s for its scheme, and names it', (typed, scheme) => {
    expect(completeBaseUrl(typed)).toEqual({ ok: false, error: { code: 'model.bad-settings', args: { field: 'baseUrl', value: typed, scheme } } });
  });
});

describe('the other form of an address', () => {
  it.each([
    ['https://gateway.example/openai', 'https://gateway.example/openai/v1'],
    ['https://gateway.example/openai/v1', 'https://gateway.example/openai'],
    ['https://api.example', 'https://api.example/chat/completions'],
    ['https://api.example/v4?key=1', 'https://api.example/chat/completions?key=1'],
  ])('of %s is typed %s and means what it says', (typed, other) => {
    const completed = completeBaseUrl(typed);
    if (!completed.ok) throw new Error('refused');
    const changed = otherAddress(completed.value);
    expect(typedForm(changed)).toBe(other);
    expect(completeBaseUrl(typedForm(changed))).toEqual({ ok: true, value: changed });
  });
});

it.each([
  ['http://127.0.0.1:11434/v1', true],
  ['localhost:1234', true],
  ['http://nas.local/v1', true],
  ['http://172.20.0.3', true],
  ['http://172.32.0.3', false],
  ['https://api.deepseek.com', false],
  ['https://localhost.example.com', false],
])('%s is local: %s', (address, local) => {
  expect(isLocalAddress(address)).toBe(local);
});
