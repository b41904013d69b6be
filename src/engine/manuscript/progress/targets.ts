import type { Documents } from '../../ports/documents';
import type { Files } from '../../ports/files';
import { mapLimited } from '../../store/limited';
import { decodeBytes } from '../../text/encoding';
import { readFrontMatter } from '../../text/front-matter';

/** Front matter ends within so many bytes, or the chapter has no target. */
const HEAD_BYTES = 4_096;
const AT_ONCE = 16;

/** `target` of a chapter's front matter, 字; a number above 0, also written as words would (`3,000`, `3000 字`). */
export function targetIn(text: string): number | undefined {
  const value = readFrontMatter(text)?.data?.['target'];
  const digits = typeof value === 'string' ? /^\s*(\d[\d,，_]*)\s*字?\s*$/.exec(value)?.[1]?.replace(/[,，_]/g, '') : undefined;
  const target = typeof value === 'number' ? value : Number(digits ?? NaN);
  return Number.isFinite(target) && target >= 1 ? Math.round(target) : undefined;
}

/** Remembers targets by what a file's time was. */
export function createTargets({ documents, files }: { readonly documents: Pick<Documents, 'read'>; readonly files: Pick<Files, 'readRange'> }): (
  chapters: readonly { readonly path: string; readonly mtime: number; readonly dirty?: boolean }[],
) => Promise<ReadonlyMap<string, number>> {
  const seen = new Map<string, { readonly mtime: number; readonly target: number | undefined }>();

  const read = async (path: string, dirty: boolean): Promise<number | undefined> => {
    if (dirty) {
      const live = await documents.read(path);
      return live.ok ? targetIn(live.value.text) : undefined;
    }
    const bytes = await files.readRange(path, 0, HEAD_BYTES);
    // Most have none: three bytes tell.
    if (bytes === undefined || bytes.length === 0) return undefined;
    const decoded = decodeBytes(wholeLines(bytes));
    return decoded.ok && /^\uFEFF?---/.test(decoded.value.text) ? targetIn(decoded.value.text) : undefined;
  };

  return async (chapters) => {
    await mapLimited([...chapters], AT_ONCE, async ({ path, mtime, dirty = false }) => {
      if (!dirty && seen.get(path)?.mtime === mtime) return;
      seen.set(path, { mtime: dirty ? -1 : mtime, target: await read(path, dirty) });
    });
    return new Map(chapters.flatMap(({ path }) => {
      const target = seen.get(path)?.target;
      return target === undefined ? [] : [[path, target] as const];
    }));
  };
}

/** What was cut off in the middle of a character would not be a text any more. UTF-16 cannot be cut so at an even place. */
function wholeLines(bytes: Uint8Array): Uint8Array {
  if (bytes.length < HEAD_BYTES || bytes[0] === 0xff || bytes[0] === 0xfe) return bytes;
  const end = bytes.lastIndexOf(0x0a);
  return end === -1 ? bytes : bytes.subarray(0, end + 1);
}
