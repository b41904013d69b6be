import { describe, expect, test } from 'vitest';
import { isRemark, rowsFor } from '../../../../src/extension/features/models/rows';

const names = [{ label: 'model-x', description: 'in use now' }, { label: 'other' }];
const typed = (text: string): { label: string } => ({ label: text });
const labels = (value: string, source: Parameters<typeof rowsFor>[1]): readonly string[] => rowsFor(value, source).map((row) => row.label);

describe('the rows of a step', () => {
  test('begin with what is typed, whatever else matches', () => {
    expect(labels('model', { items: names, typed })).toEqual(['model', 'model-x', 'other']);
    expect(labels(' m ', { items: names, typed })).toEqual(['m', 'model-x', 'other']);
    expect(rowsFor('m', { items: names, typed })[0]).toMatchObject({ alwaysShow: true });
  });

  test('have a name once, first when it is typed', () => {
    expect(rowsFor('other', { items: names, typed })).toEqual([{ label: 'other', alwaysShow: true }, names[0]]);
  });

  test('are the items alone while nothing is typed', () => {
    expect(labels('  ', { items: names, typed, wrong: () => ({ label: 'no', detail: '' }) })).toEqual(['model-x', 'other']);
  });

  test('say what is wrong with words that stand for nothing and are no part of a name', () => {
    const source = { items: names, typed: () => undefined, wrong: (text: string) => ({ label: 'This cannot be used', detail: text }) };
    const [row] = rowsFor('not an address', source);
    expect(row).toMatchObject({ label: '$(info) This cannot be used', detail: 'not an address', alwaysShow: true });
    expect(row !== undefined && isRemark(row)).toBe(true);
    expect(labels('oth', source)).toEqual(['model-x', 'other']);
  });

  test('keep a remark below them whatever is typed', () => {
    const note = { label: 'No list', detail: 'because' };
    expect(labels('', { items: [], note })).toEqual(['$(info) No list']);
    expect(labels('m', { items: [], typed, note })).toEqual(['m', '$(info) No list']);
  });
});
