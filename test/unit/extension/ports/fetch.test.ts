import { afterEach, expect, test, vi } from 'vitest';
import { hostFetch } from '../../../../src/extension/ports/fetch';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('the fetch that the host puts in place later is the one that is called', async () => {
  const called: unknown[] = [];
  vi.stubGlobal('fetch', async (input: unknown, init: unknown) => {
    called.push(input, init);
    return new Response('patched');
  });
  const response = await hostFetch('http://127.0.0.1:9/', { method: 'POST' });
  expect(await response.text()).toBe('patched');
  expect(called).toEqual(['http://127.0.0.1:9/', { method: 'POST' }]);
});
