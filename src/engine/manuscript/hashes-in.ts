import type { Files } from '../ports/files';

const LENGTH = 64;
const CHUNK_BYTES = 1024 * 1024;

/** 1 for the bytes of lower-case hex digits. */
const isHex = new Uint8Array(256);
for (const digit of '0123456789abcdef') isHex[digit.charCodeAt(0)] = 1;

/**
 * Gives every run of 64 lower-case hex digits to `found`, wherever it stands: in a longer run, each 64 of it. Looks at one byte in 64 of
 * what is no hash, so that bodies of text are not read into strings.
 */
export function hashesIn(bytes: Uint8Array, found: (sha: string) => void): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (at + LENGTH <= bytes.length) {
    // From the far end back to the first byte that is none: no hash can begin before it.
    let back = at + LENGTH - 1;
    while (back >= at && isHex[bytes[back] as number] === 1) back -= 1;
    if (back >= at) {
      at = back + 1;
      continue;
    }
    found(text.toString('latin1', at, at + LENGTH));
    at += 1;
  }
}

/** The same over a file, read piece by piece. A file that is gone holds none. Rejects with `EngineFailure`. */
export async function hashesInFile(files: Files, path: string, found: (sha: string) => void, chunkBytes = CHUNK_BYTES): Promise<void> {
  for (let offset = 0; ; offset += chunkBytes) {
    // The pieces overlap, so that no hash is cut in two.
    const chunk = await files.readRange(path, offset, chunkBytes + LENGTH - 1);
    if (chunk === undefined) return;
    hashesIn(chunk, found);
    if (chunk.length < chunkBytes + LENGTH - 1) return;
  }
}
