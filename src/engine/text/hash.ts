import * as crypto from 'node:crypto';

/** SHA-256 as 64 lower-case hex digits. A string is hashed as its UTF-8 bytes. */
export function sha256Hex(data: Uint8Array | string): string {
  // In one call where Node has it (20.12): for texts as short as chapters the setting up costs as much as the hashing.
  if (typeof crypto.hash === 'function') return crypto.hash('sha256', data, 'hex');
  const hash = crypto.createHash('sha256');
  if (typeof data === 'string') hash.update(data, 'utf8');
  else hash.update(data);
  return hash.digest('hex');
}
