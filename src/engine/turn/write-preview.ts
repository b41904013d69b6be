import { Allow, MalformedJSON, PartialJSON, parse } from 'partial-json';

/** Reads what can already be read of a `write` call whose arguments are still streaming. */
export interface WritePreview {
  /** Takes a fragment of the arguments; returns what is new of the content, when there is enough of it. */
  add(fragment: string): { readonly path: string; readonly contentDelta: string } | undefined;
  /** What is still owed once the arguments are whole. */
  finish(args: string): { readonly path: string; readonly contentDelta: string } | undefined;
}

/** So many characters are gathered before the arguments are read again. */
const STEP = 64;

export function createWritePreview(): WritePreview {
  let args = '';
  let readAt = 0;
  let shown = '';

  const read = (text: string): { readonly path: string; readonly contentDelta: string } | undefined => {
    const found = parsePartial(text);
    if (found === undefined || !found.content.startsWith(shown)) return undefined;
    const content = withoutHalfCharacter(found.content);
    const contentDelta = content.slice(shown.length);
    if (contentDelta === '') return undefined;
    shown = content;
    return { path: found.path, contentDelta };
  };

  return {
    add(fragment) {
      args += fragment;
      // Longer texts cost more to read again, so they are read more rarely.
      if (args.length - readAt < Math.max(STEP, args.length >> 6)) return undefined;
      readAt = args.length;
      return read(args);
    },
    finish: (whole) => read(whole),
  };
}

function parsePartial(text: string): { readonly path: string; readonly content: string } | undefined {
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = parse(text, Allow.OBJ | Allow.STR);
  } catch (error) {
    if (error instanceof MalformedJSON || error instanceof PartialJSON || error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (typeof value !== 'object' || value === null || !('path' in value) || !('content' in value)) return undefined;
  return typeof value.path === 'string' && typeof value.content === 'string' ? { path: value.path, content: value.content } : undefined;
}

function withoutHalfCharacter(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
