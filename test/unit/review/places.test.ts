import { describe, expect, it } from 'vitest';
import { placesOf, undoPlace } from '../../../src/engine/review/places';
import { applyChanges } from '../../../src/engine/text/text-change';

const before = '雨下了三天。门开了。\n\n灯还亮着。\n';
const after = '雨下了五天。门开了。\n\n灯灭了。\n';

describe('the places a turn has changed', () => {
  it('are found where they stand now, and each is taken back alone', () => {
    const live = `序。\n\n${after}`;
    const places = placesOf(before, after, live);
    expect(places.map(({ start, end }) => live.slice(start, end))).toEqual(['雨下了五天。', '灯灭了。']);
    const changes = undoPlace(before, after, live, places[1]?.id ?? '');
    expect(applyChanges(live, changes ?? [])).toBe('序。\n\n雨下了五天。门开了。\n\n灯还亮着。\n');
  });

  it('are left to the author who has changed them since, or taken them back', () => {
    const live = after.replace('五天', '五天五夜');
    expect(placesOf(before, after, live).map(({ start, end }) => live.slice(start, end))).toEqual(['灯灭了。']);
    expect(placesOf(before, after, before)).toEqual([]);
    expect(undoPlace(before, after, after, 'none')).toBeUndefined();
  });
});
