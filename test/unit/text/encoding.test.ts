import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { decodeBytes } from '../../../src/engine/text/encoding';

const simplified = '雨下了一夜，他没有走。“你来做什么？”她问。\n\n他说不出话来，只看着檐下的水线，一滴一滴落进青石的缝里。\n';
const traditional = '雨下了一夜，他沒有走。「你來做什麼？」她問。\n\n他說不出話來，只看著簷下的水線，一滴一滴落進青石的縫裡。\n';
const bom = '\uFEFF';
const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
const utf16 = (text: string, label: 'utf16le' | 'utf16-be'): Buffer => iconv.encode(text, label, { addBOM: false });

describe('finding the encoding of a text', () => {
  it.each<[string, Uint8Array, string, string]>([
    ['UTF-8', Buffer.from(simplified), 'utf8', simplified],
    ['plain ASCII', Buffer.from('Rain.\n'), 'utf8', 'Rain.\n'],
    ['an empty file', Buffer.alloc(0), 'utf8', ''],
    ['UTF-8 with BOM', Buffer.from(bom + simplified), 'utf8bom', simplified],
    ['GBK', iconv.encode(simplified, 'gbk'), 'gb18030', simplified],
    ['GBK with CRLF', iconv.encode(crlf(simplified), 'gbk'), 'gb18030', crlf(simplified)],
    ['GB18030 with four-byte characters', iconv.encode(`${simplified}𠮷😀€`, 'gb18030'), 'gb18030', `${simplified}𠮷😀€`],
    ['GBK of traditional words', iconv.encode('雨下了一夜，他沒有走。', 'gbk'), 'gb18030', '雨下了一夜，他沒有走。'],
    ['a short text in GBK', iconv.encode('雨夜', 'gbk'), 'gb18030', '雨夜'],
    ['GBK words in an English text', iconv.encode('He said 你好 and left.\n', 'gbk'), 'gb18030', 'He said 你好 and left.\n'],
    ['Big5', iconv.encode(traditional, 'big5'), 'big5hkscs', traditional],
    ['Big5 with CRLF', iconv.encode(crlf(traditional), 'big5'), 'big5hkscs', crlf(traditional)],
    ['UTF-16 LE with BOM', utf16(bom + simplified, 'utf16le'), 'utf16le', simplified],
    ['UTF-16 BE with BOM', utf16(bom + simplified, 'utf16-be'), 'utf16be', simplified],
    ['UTF-16 LE without BOM', utf16(simplified, 'utf16le'), 'utf16le', simplified],
    ['UTF-16 BE without BOM', utf16(traditional, 'utf16-be'), 'utf16be', traditional],
    ['English in UTF-16 LE without BOM', utf16('Rain fell.\r\n', 'utf16le'), 'utf16le', 'Rain fell.\r\n'],
  ])('knows %s', (_, bytes, encoding, text) => {
    expect(decodeBytes(bytes)).toEqual({ ok: true, value: { text, encoding } });
  });

  it.each<[string, Uint8Array]>([
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')],
    ['UTF-8 cut in a character behind a BOM', Buffer.from('efbbbfe99b', 'hex')],
    ['UTF-16 with a lone surrogate', Buffer.from('fffe00d84100', 'hex')],
    ['Latin-1', Buffer.from('caf\u00e9 \u00e9', 'latin1')],
    ['zeros', Buffer.alloc(64)],
  ])('refuses %s', (_, bytes) => {
    expect(decodeBytes(bytes)).toMatchObject({ ok: false, error: { code: 'doc.undecodable' } });
  });
});
