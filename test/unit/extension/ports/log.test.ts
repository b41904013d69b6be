import { expect, test } from 'vitest';
import { createLog } from '../../../../src/extension/ports/log';

function channel(): { readonly lines: string[] } & Parameters<typeof createLog>[0] {
  const lines: string[] = [];
  const at = (level: string) => (message: string): void => void lines.push(`${level}: ${message}`);
  return { lines, trace: at('trace'), debug: at('debug'), info: at('info'), warn: at('warn'), error: (message) => at('error')(String(message)) };
}

test('each level goes to its own, with the data as JSON behind the message', () => {
  const out = channel();
  const log = createLog(out);
  log.trace('a');
  log.debug('b', { n: 1 });
  log.info('c', { path: '正文/001.md' });
  log.warn('d');
  log.error('e', { size: 5n });
  expect(out.lines).toEqual(['trace: a', 'debug: b {"n":1}', 'info: c {"path":"正文/001.md"}', 'warn: d', 'error: e {"size":"5"}']);
});

test('an error in the data is written with its stack', () => {
  const out = channel();
  createLog(out).error('failed', { error: new RangeError('too far') });
  expect(out.lines[0]).toMatch(/^error: failed \{"error":"RangeError: too far\\n {4}at /);
});

test('data that refers to itself does not break the log', () => {
  const out = channel();
  const loop: Record<string, unknown> = {};
  loop['self'] = loop;
  createLog(out).info('odd', loop);
  expect(out.lines[0]).toMatch(/^info: odd \(data cannot be shown: /);
});
