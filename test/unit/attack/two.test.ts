import { expect, it } from 'vitest';
import { invertEdit, reanchor } from '../../../src/engine/text/reanchor';
import { minimalChanges } from '../../../src/engine/text/diff';
import { applyChanges } from '../../../src/engine/text/text-change';
import { similarity, profileOf } from '../../../src/engine/text/similarity';

it('fuzz: what is done already', () => {
  const words = ['雨下了三天。', '门开了。', '又下了一夜。', '信到了。', '\n\n', '\n', '灯亮。', '他说：“走。”'];
  let seed = 1;
  const rnd = (n: number): number => { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return seed % n; };
  const make = (n: number): string => Array.from({ length: n }, () => words[rnd(words.length)]).join('');
  let bad = 0, badR = 0;
  for (let i = 0; i < 6000; i++) {
    const before = make(1 + rnd(6));
    const at = rnd(before.length + 1);
    const cut = rnd(2) ? 0 : rnd(4);
    const after = before.slice(0, at) + make(rnd(3)) + before.slice(at + cut);
    const r = invertEdit(before, after, before);
    if (applyChanges(before, r.changes) !== before) { if (bad++ < 5) console.log('invert', JSON.stringify([before, after, applyChanges(before, r.changes), r.conflicts])); }
    const q = reanchor(before, after, minimalChanges(before, after));
    if (applyChanges(after, q.changes) !== after) { if (badR++ < 5) console.log('reanchor', JSON.stringify([before, after, applyChanges(after, q.changes)])); }
  }
  console.log({ bad, badR });
  // an author who deleted more: paragraph added by agent deleted plus own sentence before
  const r = invertEdit('# 雨夜\n\n雨下了三天。\n', '# 雨夜\n\n雨下了三天。\n\n又下了一夜。\n', '# 来信\n\n信到了。\n');
  console.log(JSON.stringify(r), similarity(profileOf('# 雨夜\n\n雨下了三天。\n\n又下了一夜。\n'), profileOf('# 来信\n\n信到了。\n')));
  expect(bad + badR).toBe(0);
});
