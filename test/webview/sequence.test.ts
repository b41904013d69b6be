import { describe, expect, it } from 'vitest';
import { createSequence } from '../../webview/shared/sequence';

describe('the place in the stream of events', () => {
  it('applies what comes next, drops what is contained already, and finds a hole', () => {
    const sequence = createSequence();
    sequence.reset('e1', 3);
    expect(sequence.judge('e1', 3)).toBe('drop');
    expect(sequence.judge('e1', 4)).toBe('apply');
    expect(sequence.judge('e1', 4)).toBe('drop');
    expect(sequence.judge('e1', 6)).toBe('gap');
    expect(sequence.judge('e1', 5)).toBe('apply');
  });

  it('drops a former epoch for good and asks about one it has never seen', () => {
    const sequence = createSequence();
    sequence.reset('e1', 0);
    sequence.reset('e2', 0);
    expect(sequence.judge('e1', 1)).toBe('drop');
    expect(sequence.isNews('e1', 9)).toBe(false);
    expect(sequence.judge('e3', 1)).toBe('gap');
    expect(sequence.isNews('e3', 0)).toBe(true);
    expect(sequence.judge('e2', 1)).toBe('apply');
  });

  it('holds everything while a snapshot is on its way, and asks again when it failed', () => {
    const sequence = createSequence();
    sequence.ask();
    expect(sequence.judge('e1', 1)).toBe('hold');
    sequence.fail();
    expect(sequence.judge('e1', 1)).toBe('gap');
  });

  it('does not take an older snapshot of the same epoch', () => {
    const sequence = createSequence();
    sequence.reset('e1', 5);
    expect(sequence.isNews('e1', 5)).toBe(false);
    expect(sequence.isNews('e1', 6)).toBe(true);
  });
});
