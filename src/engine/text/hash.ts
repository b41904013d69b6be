import { createHash } from 'node:crypto';

/** SHA-256 as 64 lower-case hex digits. A string is hashed as its UTF-8 bytes. */
export function sha256Hex(data: Uint8Array | string): string {
  const hash = createHash('sha256');
  if (typeof data === 'string') hash.update(data, 'utf8');
  else hash.update(data);
  return hash.digest('hex');
}
