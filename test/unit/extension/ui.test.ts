import { describe, expect, test } from 'vitest';
import { createAsks } from '../../../src/extension/asks';
import { fillMessage } from '../../../src/extension/l10n/translate';
import { createUi } from '../../../src/extension/ui';

describe('permission to change the rules', () => {
  const ask = (answer: Parameters<ReturnType<typeof createAsks>['answer']>[1] | 'abort'): Promise<boolean> => {
    const asks = createAsks();
    const controller = new AbortController();
    const agreed = createUi(asks, fillMessage).confirm({ kind: 'write-rules', path: 'AGENTS.md', askId: 'c:confirm' }, controller.signal);
    if (answer === 'abort') controller.abort();
    else asks.answer('c:confirm', answer);
    return agreed;
  };

  test('is given by its option alone', async () => {
    expect(await ask({ kind: 'answer', text: 'Allow this change', by: 'option' })).toBe(true);
    expect(await ask({ kind: 'answer', text: 'Leave it as it is', by: 'option' })).toBe(false);
    expect(await ask({ kind: 'answer', text: 'Allow this change', by: 'text' })).toBe(false);
    expect(await ask({ kind: 'stopped' })).toBe(false);
    expect(await ask('abort')).toBe(false);
  });
});
