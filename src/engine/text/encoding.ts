import { refuse, type Result, ok } from '../ports/result';

/** VS Code's encoding ids, as far as chapters are concerned. */
export type TextEncodingId = 'utf8' | 'utf8bom' | 'gb18030' | 'big5hkscs' | 'utf16le' | 'utf16be';

export interface DecodedText {
  /** Without BOM. Line ends as in the bytes. */
  readonly text: string;
  readonly encoding: TextEncodingId;
}

const labels: Readonly<Record<TextEncodingId, string>> = {
  utf8: 'utf-8',
  utf8bom: 'utf-8',
  gb18030: 'gb18030',
  big5hkscs: 'big5',
  utf16le: 'utf-16le',
  utf16be: 'utf-16be',
};

const decoders = new Map<TextEncodingId, InstanceType<typeof TextDecoder>>();

/** Strict decoding with a known encoding, a BOM of that encoding left out; `undefined` when the bytes do not fit it. */
export function decodeAs(bytes: Uint8Array, encoding: TextEncodingId): string | undefined {
  const decoder = decoders.get(encoding) ?? new TextDecoder(labels[encoding], { fatal: true });
  decoders.set(encoding, decoder);
  try {
    return decoder.decode(bytes);
  } catch (error) {
    // The only failure the decoder knows: bytes that are not of this encoding. It is not used again after one.
    decoders.delete(encoding);
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** The encoding that a BOM names. */
function fromBom(bytes: Uint8Array): TextEncodingId | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf8bom';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf16be';
  return undefined;
}

// Control characters that no text file has.
// eslint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/;

/** Share of two-byte characters that are among the frequent ones of an encoding: its first level of Han and its marks. */
function frequentShare(bytes: Uint8Array, firstLevel: readonly [number, number]): number {
  let pairs = 0;
  let frequent = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at] as number;
    if (lead < 0x81) continue;
    const trail = bytes[at + 1] ?? 0;
    at += 1;
    // Four-byte GB18030: rare characters.
    if (trail >= 0x30 && trail <= 0x39) at += 2;
    pairs += 1;
    const marks = lead >= 0xa1 && lead <= 0xa3;
    if ((marks || (lead >= firstLevel[0] && lead <= firstLevel[1])) && trailOk(trail, firstLevel)) frequent += 1;
  }
  return pairs === 0 ? 0 : frequent / pairs;
}

/** GB2312 has trail bytes from A1 only; Big5 uses 40 to 7E as well. */
const trailOk = (trail: number, firstLevel: readonly [number, number]): boolean =>
  firstLevel === gbFirstLevel ? trail >= 0xa1 : (trail >= 0x40 && trail <= 0x7e) || trail >= 0xa1;

const gbFirstLevel = [0xb0, 0xd7] as const;
const big5FirstLevel = [0xa4, 0xc6] as const;

/** Share of characters that prose in UTF-16 is made of. */
function proseShare(text: string): number {
  let good = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 9 || code === 10 || code === 13 || (code >= 0x20 && code < 0x7f)) good += 1;
    else if ((code >= 0x2010 && code <= 0x2026) || (code >= 0x3000 && code <= 0x30ff)) good += 1;
    else if ((code >= 0x4e00 && code <= 0x9fff) || (code >= 0xff00 && code <= 0xffee) || (code >= 0xac00 && code <= 0xd7a3)) good += 1;
    else if (code >= 0xd800 && code <= 0xdfff) good += 1;
  }
  return text.length === 0 ? 0 : good / text.length;
}

function asUtf16(bytes: Uint8Array): DecodedText | undefined {
  if (bytes.length < 2 || bytes.length % 2 !== 0) return undefined;
  let best: (DecodedText & { readonly share: number }) | undefined;
  for (const encoding of ['utf16le', 'utf16be'] as const) {
    const text = decodeAs(bytes, encoding);
    if (text === undefined || control.test(text)) continue;
    const share = proseShare(text);
    if (share >= 0.9 && share > (best?.share ?? 0)) best = { text, encoding, share };
  }
  return best === undefined ? undefined : { text: best.text, encoding: best.encoding };
}

/**
 * Finds the encoding of a text file from its bytes and decodes it: a BOM counts first, then strict UTF-8, then GB18030 or
 * Big5 (whichever finds more of its frequent characters), then UTF-16 without a BOM. Nothing is ever replaced: bytes that
 * fit none are refused with `doc.undecodable`.
 */
export function decodeBytes(bytes: Uint8Array): Result<DecodedText> {
  const named = fromBom(bytes);
  if (named !== undefined) {
    const text = decodeAs(bytes, named);
    return text === undefined ? refuse('doc.undecodable', { encoding: named }) : ok({ text, encoding: named });
  }
  const utf8 = decodeAs(bytes, 'utf8');
  if (utf8 !== undefined && !utf8.includes('\0')) return ok({ text: utf8, encoding: 'utf8' });
  if (utf8 === undefined) {
    const legacy = asLegacy(bytes);
    if (legacy !== undefined) return ok(legacy);
  }
  const wide = asUtf16(bytes);
  return wide === undefined ? refuse('doc.undecodable') : ok(wide);
}

function asLegacy(bytes: Uint8Array): DecodedText | undefined {
  const candidates = [
    { encoding: 'gb18030', share: frequentShare(bytes, gbFirstLevel) },
    { encoding: 'big5hkscs', share: frequentShare(bytes, big5FirstLevel) },
  ] as const;
  let best: (DecodedText & { readonly share: number }) | undefined;
  for (const { encoding, share } of candidates) {
    const text = decodeAs(bytes, encoding);
    if (text === undefined || control.test(text)) continue;
    if (best === undefined || share > best.share) best = { text, encoding, share };
  }
  return best === undefined ? undefined : { text: best.text, encoding: best.encoding };
}
