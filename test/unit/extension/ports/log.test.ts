import { expect, test } from 'vitest';
import { createFakeClock } from '../../../fakes/clock';
import { createLog } from '../../../../src/extension/ports/log';

function channel(): { readonly lines: string[] } & Parameters<typeof createLog>[0] {
  const lines: string[] = [];
  const at = (level: string) => (message: string): void => void lines.push(`${level}: ${message}`);
  return { lines, trace: at('trace'), debug: at('debug'), info: at('info'), warn: at('warn'), error: (message) => at('error')(String(message)) };
}

test('each level goes to its own, with the data as JSON behind the message', () => {
  const out = channel();
  const log = createLog(out, createFakeClock());
  log.trace('a');
  log.debug('b', { n: 1 });
  log.info('c', { path: '正文/001.md' });
  log.warn('d');
  log.error('e', { size: 5n });
  expect(out.lines).toEqual(['trace: a', 'debug: b {"n":1}', 'info: c {"path":"正文/001.md"}', 'warn: d', 'error: e {"size":"5"}']);
});

test('an error in the data is written with its stack', () => {
  const out = channel();
  createLog(out, createFakeClock()).error('failed', { error: new RangeError('too far') });
  expect(out.lines[0]).toMatch(/^error: failed \{"error":"RangeError: too far\\n {4}at /);
});

test('data that refers to itself does not break the log', () => {
  const out = channel();
  const loop: Record<string, unknown> = {};
  loop['self'] = loop;
  createLog(out, createFakeClock()).info('odd', loop);
  expect(out.lines[0]).toMatch(/^info: odd \(data cannot be shown: /);
});

test('the last 200 events are kept for a report, without those that may hold prose', () => {
  const nothing = (): void => undefined;
  const clock = createFakeClock(1000);
  const log = createLog({ trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing }, clock);
  log.trace('她推开门');
  for (let n = 0; n < 205; n += 1) {
    clock.advance(1);
    log.info('event', { n });
  }
  log.warn('last');
  const events = log.recent();
  expect(events).toHaveLength(200);
  expect(events[0]).toEqual({ ts: 1007, level: 'info', text: 'event {"n":6}' });
  expect(events.at(-1)).toEqual({ ts: 1205, level: 'warn', text: 'last' });
});
