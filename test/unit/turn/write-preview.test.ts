import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWritePreview } from '../../../src/engine/turn/write-preview';

describe('the preview of a write', () => {
  it('joins to the content however its arguments are cut into pieces, and never shows half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.integer({ min: 1, max: 90 }), (content, size) => {
        const args = JSON.stringify({ path: '正文/a.md', content });
        const preview = createWritePreview();
        let shown = '';
        for (let at = 0; at < args.length; at += size) {
          const step = preview.add(args.slice(at, at + size));
          if (step === undefined) continue;
          expect(step.path).toBe('正文/a.md');
          shown += step.contentDelta;
          // Throws at half a surrogate pair.
          expect(() => encodeURIComponent(shown)).not.toThrow();
        }
        shown += preview.finish(args)?.contentDelta ?? '';
        expect(shown).toBe(content);
      }),
    );
  });

  it('waits for the path, and is silent about what is no JSON', () => {
    const preview = createWritePreview();
    expect(preview.add(`{"content":"${'雨'.repeat(200)}`)).toBeUndefined();
    expect(preview.add(`","path":"正文/a.md"${' '.repeat(64)}`)).toEqual({ path: '正文/a.md', contentDelta: '雨'.repeat(200) });
    expect(createWritePreview().add('雨'.repeat(100))).toBeUndefined();
    expect(createWritePreview().finish('')).toBeUndefined();
  });
});
