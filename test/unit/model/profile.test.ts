import { describe, expect, it } from 'vitest';
import { needsKey, profileFromSettings } from '../../../src/engine/model/profile';

describe('a profile from the settings', () => {
  it('takes what is set and leaves out what is empty', () => {
    expect(profileFromSettings({ baseUrl: 'https://api.example', name: ' deepseek-chat ', temperature: null, topP: '', headers: {}, maxOutput: 4000, apiKey: ' k\n' })).toEqual({
      ok: true,
      value: { baseUrl: 'https://api.example', model: 'deepseek-chat', apiKey: 'k', maxOutput: 4000, window: 65_536, reasoningReplay: 'auto', tools: 'native', idleTimeoutMs: 120_000 },
    });
  });

  it('a temperature of 0 is set', () => {
    expect(profileFromSettings({ baseUrl: 'https://api.example', name: 'm', temperature: 0 })).toMatchObject({ ok: true, value: { temperature: 0 } });
  });

  it.each([{}, { baseUrl: '', name: 'm' }, { baseUrl: 'https://api.example', name: ' ' }, { name: 'm' }])('is not configured: %j', (raw) => {
    expect(profileFromSettings(raw)).toEqual({ ok: false, error: { code: 'model.not-configured' } });
  });

  it.each([
    [{ temperature: 'hot' }, 'temperature', '"hot"'],
    [{ window: -1 }, 'window', '-1'],
    [{ headers: { 'X-Ü': '1' } }, 'headers', '***'],
    [{ headers: { 'X-A': '中' } }, 'headers', '***'],
    [{ apiKey: '我的密钥' }, 'apiKey', '***'],
    [{ baseUrl: 'ftp://x' }, 'baseUrl', 'ftp://x'],
    [{ name: 7 }, 'name', '7'],
  ])('names the setting that is wrong in %j, never a secret', (raw, field, value) => {
    expect(profileFromSettings({ baseUrl: 'https://api.example', name: 'm', ...raw })).toMatchObject({ ok: false, error: { code: 'model.bad-settings', args: { field, value } } });
  });

  it('needs a key unless the address is near', () => {
    expect(needsKey({ baseUrl: 'https://api.deepseek.com' })).toBe(true);
    expect(needsKey({ baseUrl: 'localhost:11434' })).toBe(false);
  });
});
