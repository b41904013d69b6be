import { randomBytes } from 'node:crypto';
import type { Ids } from '../../engine/index';

/**
 * UUIDv7 (RFC 9562): 48 bits of milliseconds, then a 12-bit counter in `rand_a` so that ids of one process ascend
 * even within a millisecond and when the wall clock is set back, then 62 random bits.
 */
export function createIds(now: () => number = Date.now): Ids {
  let last = 0;
  let counter = 0;
  return {
    next() {
      const at = Math.floor(now());
      if (at > last) {
        last = at;
        // Half the room is left for counting up.
        counter = randomBytes(2).readUInt16BE() & 0x7ff;
      } else if (++counter > 0xfff) {
        last += 1;
        counter = 0;
      }
      const bytes = randomBytes(16);
      bytes.writeUIntBE(last, 0, 6);
      bytes.writeUInt16BE(0x7000 | counter, 6);
      bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
      const hex = bytes.toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    },
  };
}
