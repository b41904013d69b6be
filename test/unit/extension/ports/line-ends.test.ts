import { expect, test } from 'vitest';
import { eolOf, withEol } from '../../../../src/extension/ports/documents/line-ends';

test('a text has the line end that most of its lines have', () => {
  expect(eolOf('一\n二\n', '\r\n')).toEqual({ eol: '\n', mixed: false });
  expect(eolOf('一\r\n二\r\n', '\n')).toEqual({ eol: '\r\n', mixed: false });
  expect(eolOf('一\r\n二\r\n三\n', '\n')).toEqual({ eol: '\r\n', mixed: true });
  expect(eolOf('一\r\n二\n', '\n')).toEqual({ eol: '\n', mixed: true });
  expect(eolOf('一\r二\r', '\n')).toEqual({ eol: '\r\n', mixed: true });
});

test('a text without line ends has the one it is given', () => {
  expect(eolOf('一', '\r\n')).toEqual({ eol: '\r\n', mixed: false });
  expect(eolOf('', '\n')).toEqual({ eol: '\n', mixed: false });
});

test('all kinds of line ends become one', () => {
  expect(withEol('一\r\n二\r三\n四', '\n')).toBe('一\n二\n三\n四');
  expect(withEol('一\r\n二\r三\n四', '\r\n')).toBe('一\r\n二\r\n三\r\n四');
});
