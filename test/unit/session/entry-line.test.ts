import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asEntry, createPrefixReader, formatEntry, parseLine } from '../../../src/engine/session/entry-line';

const read = (text: string): unknown => {
  const bytes = Buffer.from(text);
  return createPrefixReader()(bytes, 0, bytes.length);
};

describe('the prefix of a line', () => {
  it('gives the stub without its payload', () => {
    expect(read('{"id":"a","parentId":null,"ts":12,"type":"user","data":{"text":"雨"}}')).toEqual({ id: 'a', parentId: null, ts: 12, type: 'user' });
    expect(read('{"id":"b","parentId":"a","ts":0,"type":"x","data":1}')).toEqual({ id: 'b', parentId: 'a', ts: 0, type: 'x' });
  });

  it.each([
    '{"parentId":null,"id":"a","ts":1,"type":"user","data":{}}',
    '{"id": "a","parentId":null,"ts":1,"type":"user","data":{}}',
    '{"id":"a","parentId":null,"ts":1.5,"type":"user","data":{}}',
    '{"id":"a","parentId":null,"ts":-1,"type":"user","data":{}}',
    '{"id":"a","parentId":null,"ts":,"type":"user","data":{}}',
    '{"id":"a","parentId":null,"ts":1,"type":"user"}',
    '{"id":"","parentId":null,"ts":1,"type":"user","data":{}}',
    '{"id":"雨","parentId":null,"ts":1,"type":"user","data":{}}',
    '{"id":"a\\u0041","parentId":null,"ts":1,"type":"user","data":{}}',
    '{"id":"a","parentId":null,"ts":1,"type":"user","data":{"text":"cut',
    '{"id":"a","parentId":null,"ts":1,"type":"us',
    '{"id":"a"}',
    '}',
  ])('leaves %j to the parser', (text) => {
    expect(read(text)).toBeUndefined();
  });

  it('says what the parser says of every line we write', () => {
    const entry = fc.record({
      id: fc.string({ minLength: 1, maxLength: 40 }),
      parentId: fc.option(fc.string({ maxLength: 40 }), { nil: null }),
      ts: fc.nat(2_000_000_000_000),
      type: fc.string({ minLength: 1, maxLength: 12 }),
      data: fc.jsonValue(),
    });
    const prefix = createPrefixReader();
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 5 }), (entries) => {
        for (const one of entries) {
          const bytes = Buffer.from(`noise\n${formatEntry(one)}`);
          const whole = asEntry(parseLine(bytes, 6, bytes.length))!;
          const stub = prefix(bytes, 6, bytes.length);
          if (stub !== undefined) expect({ ...stub, data: whole.data }).toEqual(whole);
          expect(whole).toMatchObject({ id: one.id, parentId: one.parentId, ts: one.ts, type: one.type });
        }
      }),
    );
  });

  it('reads every line of plain ids without the parser, whatever the parent was before', () => {
    const id = fc.uuid({ version: 7 });
    const prefix = createPrefixReader();
    fc.assert(
      fc.property(id, fc.option(id, { nil: null }), fc.nat(), (one, parentId, ts) => {
        const entry = { id: one, parentId, ts, type: 'reply' };
        const bytes = Buffer.from(formatEntry({ ...entry, data: { text: '"}}' } }));
        expect(prefix(bytes, 0, bytes.length)).toEqual(entry);
      }),
    );
  });
});
