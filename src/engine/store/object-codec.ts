import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';

/**
 * The file of one object: a tag byte, then the body. The tag says how to read it, so that the rule for when to deflate
 * may change without old objects becoming unreadable:
 *
 * - `00`: the raw bytes follow as they are;
 * - `01`: raw bytes as one raw deflate stream (RFC 1951, no zlib or gzip wrapper).
 *
 * Any other tag is not ours. The object's name is the SHA-256 of the raw bytes, never of the file.
 */
const PLAIN = 0;
const DEFLATED = 1;

/** Bytes up to this many are kept as they are. */
const DEFLATE_ABOVE = 512;
/** No more than this comes out of one object, in bytes. */
export const MAX_INFLATED = 64 * 1024 * 1024;

/** Deflated and inflated at once: the way through the thread pool would cost more. */
const SMALL_BYTES = 32 * 1024;

const deflate = promisify<Uint8Array, { level: number }, Buffer>(deflateRaw);
const inflate = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflateRaw);

/** The bytes of the object's file. Deflated only where that makes it smaller. */
export async function encodeObject(raw: Uint8Array): Promise<Uint8Array> {
  if (raw.length > DEFLATE_ABOVE && raw.length <= MAX_INFLATED) {
    const packed = raw.length <= SMALL_BYTES ? deflateRawSync(raw, { level: 6 }) : await deflate(raw, { level: 6 });
    if (packed.length < raw.length) return Buffer.concat([Uint8Array.of(DEFLATED), packed]);
  }
  return Buffer.concat([Uint8Array.of(PLAIN), raw]);
}

/** The raw bytes, or `undefined` when the file is not an object (cut short, damaged, unknown tag). The hash is not checked here. */
export async function decodeObject(file: Uint8Array): Promise<Uint8Array | undefined> {
  const body = file.subarray(1);
  if (file[0] === PLAIN) return body;
  if (file[0] !== DEFLATED) return undefined;
  try {
    // A deflate stream holds at most about 1,032 times its length, so that even a hostile small one stays far below the limit.
    if (body.length <= SMALL_BYTES) return inflateRawSync(body, { maxOutputLength: MAX_INFLATED });
    return await inflate(body, { maxOutputLength: MAX_INFLATED });
  } catch (error) {
    if (error instanceof Error) return undefined; // zlib's own errors: damaged or too large
    throw error;
  }
}
