import { expect, test } from 'vitest';
import { createKeyedQueue } from '../../../../src/extension/ports/documents/keyed-queue';

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

test('work on the same key waits, work on others does not', async () => {
  const queue = createKeyedQueue();
  const seen: string[] = [];
  const first = gate();
  const a = queue.run(['a'], async () => {
    await first.opened;
    seen.push('a1');
  });
  const ab = queue.run(['a', 'b'], async () => void seen.push('ab'));
  const b = queue.run(['b'], async () => void seen.push('b'));
  await queue.run(['c'], async () => void seen.push('c'));
  expect(seen).toEqual(['c']);
  first.open();
  await Promise.all([a, ab, b]);
  expect(seen).toEqual(['c', 'a1', 'ab', 'b']);
});

test('failed work passes its failure on and holds nobody up', async () => {
  const queue = createKeyedQueue();
  const failed = queue.run(['a'], async () => {
    throw new Error('broken');
  });
  const next = queue.run(['a'], async () => 'done');
  await expect(failed).rejects.toThrow('broken');
  await expect(next).resolves.toBe('done');
});
