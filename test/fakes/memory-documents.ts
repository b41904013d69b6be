import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import iconv from 'iconv-lite';
import type {
  AppliedFile,
  DocumentEvent,
  Documents,
  FileChanges,
  ListedFile,
  LiveText,
} from '../../src/engine/ports/documents';
import { ok, refuse, type EngineError, type Result } from '../../src/engine/ports/result';
import { decodeBytes } from '../../src/engine/text/encoding';
import { sha256Hex } from '../../src/engine/text/hash';
import { onDiskPath } from './folding-disk';

type Operation = 'read' | 'bytes' | 'apply' | 'create' | 'rename' | 'delete' | 'put';

/** Runs before an operation (on the path it is about, the first of a batch); an error it gives back is the refusal. */
type Hook = (path: string) => EngineError | undefined | void | Promise<EngineError | undefined | void>;

export interface MemoryDocuments extends Documents {
  /** Opens a file in an editor, so that it has a buffer; shown in `encoding` (as iconv-lite knows it), where the author chose one. */
  open(path: string, encoding?: string): Promise<void>;
  /** The author replaces the only occurrence of `old` in the (opened) buffer; `old === ''` types at the end. Leaves it unsaved. */
  type(path: string, old: string, text: string): Promise<void>;
  /** The author saves; save participants run. */
  save(path: string): Promise<void>;
  /** What the author sees: the buffer's text or the file's. */
  text(path: string): Promise<string>;
  isDirty(path: string): boolean;
  /** Adds a save participant (formatter, trimming): text in, text out. */
  onSave(participant: (path: string, text: string) => string): void;
  /** Adds a hook before each `operation`; the returned function removes it. */
  before(operation: Operation, hook: Hook): () => void;
  /** Refuses the next `times` calls of `apply`, as when the editor answers no. */
  rejectApply(times?: number): void;
  /** How often each operation was called. */
  readonly calls: Readonly<Record<Operation, number>>;
}

interface OpenBuffer {
  text: string;
  version: number;
  dirty: boolean;
  readonly encoding: string;
  /** SHA-256 of the file when the buffer was last the same. */
  from?: string;
}

const encode = (text: string, encoding: string): Uint8Array => {
  switch (encoding) {
    case 'utf8':
      return Buffer.from(text, 'utf8');
    case 'utf8bom':
      return Buffer.from(`\uFEFF${text}`, 'utf8');
    case 'utf16le':
    case 'utf16be':
      return iconv.encode(`\uFEFF${text}`, encoding === 'utf16le' ? 'utf16le' : 'utf16-be', { addBOM: false });
    default:
      return iconv.encode(text, encoding);
  }
};

const holds = (text: string, encoding: string): boolean =>
  encoding.startsWith('utf') || iconv.decode(Buffer.from(encode(text, encoding)), encoding) === text;

const decode = (bytes: Uint8Array, encoding: string): string => iconv.decode(Buffer.from(bytes), encoding);

/** The first character that `encoding` does not hold; half a surrogate pair as `U+D83D`. */
const firstLost = (text: string, encoding: string): string | undefined => {
  const half = /\p{Surrogate}/u.exec(text)?.[0];
  if (half !== undefined) return `U+${half.charCodeAt(0).toString(16).toUpperCase()}`;
  return [...text].find((char) => !holds(char, encoding));
};

/** As the port does it: bytes of an open document are of the encoding it is shown in, where they fit that. */
const textIn = (bytes: Uint8Array, shown: string | undefined): Result<{ readonly text: string; readonly encoding: string }> => {
  if (shown !== undefined && !shown.startsWith('utf')) {
    const text = decode(bytes, shown);
    if (!text.includes('\ufffd') && sha256Hex(encode(text, shown)) === sha256Hex(bytes)) return ok({ text, encoding: shown });
  }
  return decodeBytes(bytes);
};

const eolOf = (text: string): '\n' | '\r\n' => (/^[^\n]*\r\n/.test(text) ? '\r\n' : '\n');

/**
 * The Documents port over a real folder, with open buffers in memory: dirty words, encodings, save participants, an author who
 * types between a read and an apply, and refusals on demand.
 */
export function createMemoryDocuments(options: { readonly root: string; readonly maxBytes?: number; readonly foldsCase?: boolean }): MemoryDocuments {
  const { root, maxBytes = 5 * 1024 * 1024, foldsCase = false } = options;
  const buffers = new Map<string, OpenBuffer>();
  const participants: ((path: string, text: string) => string)[] = [];
  const hooks: { operation: Operation; hook: Hook }[] = [];
  const listeners = new Set<(event: DocumentEvent) => void>();
  const calls: Record<Operation, number> = { read: 0, bytes: 0, apply: 0, create: 0, rename: 0, delete: 0, put: 0 };
  let rejections = 0;
  let versions = 0;

  const absolute = (path: string): string => onDiskPath(root, path, foldsCase);
  /** The path as the port calls it. */
  const keyOf = (path: string): string => (foldsCase ? relative(root, absolute(path)).split(sep).join('/').normalize('NFC') : path);
  const tell = (event: DocumentEvent): void => listeners.forEach((listener) => listener(event));
  const outside = (path: string): boolean => path.startsWith('/') || path.split('/').includes('..');

  const enter = async (operation: Operation, path: string): Promise<EngineError | undefined> => {
    calls[operation] += 1;
    if (outside(path)) return { code: 'path.outside', args: { path } };
    for (const entry of [...hooks]) {
      if (entry.operation !== operation) continue;
      const error = await entry.hook(path);
      if (error !== undefined) return error;
    }
    return undefined;
  };

  const onDisk = async (path: string): Promise<Uint8Array | undefined> => {
    try {
      return await readFile(absolute(path));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
      throw error;
    }
  };

  const write = async (path: string, bytes: Uint8Array): Promise<void> => {
    try {
      await writeFile(absolute(path), bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await mkdir(dirname(absolute(path)), { recursive: true });
      await writeFile(absolute(path), bytes);
    }
  };

  const live = async (asked: string): Promise<Result<LiveText>> => {
    const path = keyOf(asked);
    const buffer = buffers.get(keyOf(path));
    if (buffer !== undefined) {
      const { text, version, dirty, encoding } = buffer;
      return ok({ path, text, version: `buffer:${version}`, dirty, encoding, eol: eolOf(text) });
    }
    const bytes = await onDisk(path);
    if (bytes === undefined) return refuse('doc.not-found', { path });
    if (bytes.length > maxBytes) return refuse('doc.too-large', { path, size: bytes.length, limit: maxBytes });
    const decoded = decodeBytes(bytes);
    if (!decoded.ok) return refuse('doc.undecodable', { path });
    const { text, encoding } = decoded.value;
    return ok({ path, text, version: `disk:${sha256Hex(bytes)}`, dirty: false, encoding, eol: eolOf(text) });
  };

  const required = async (path: string): Promise<LiveText> => {
    const read = await live(path);
    if (!read.ok) throw new Error(`${path}: ${read.error.code}`);
    return read.value;
  };

  const opened = async (path: string): Promise<OpenBuffer> => {
    const known = buffers.get(keyOf(path));
    if (known !== undefined) return known;
    const { text, encoding } = await required(path);
    const buffer: OpenBuffer = { text, encoding, version: (versions += 1), dirty: false };
    buffers.set(keyOf(path), buffer);
    return buffer;
  };

  const saveText = async (path: string, text: string, encoding: string): Promise<string> => {
    const final = participants.reduce((current, participant) => participant(path, current), text);
    await write(path, encode(final, encoding));
    const buffer = buffers.get(keyOf(path));
    if (buffer !== undefined) Object.assign(buffer, { text: final, dirty: false, version: (versions += 1) });
    tell({ kind: 'changed', path, source: 'disk' });
    return final;
  };

  const spliced = (text: string, changes: FileChanges['changes']): string => {
    let result = '';
    let at = 0;
    for (const change of changes) {
      if (change.start < at || change.end < change.start || change.end > text.length) throw new Error('changes are not sorted or overlap');
      result += text.slice(at, change.start) + change.text;
      at = change.end;
    }
    return result + text.slice(at);
  };

  /** SHA-256 of what the author has there. */
  const standing = async (path: string): Promise<string | null> => {
    const buffer = buffers.get(keyOf(path));
    const bytes = buffer?.dirty === true ? encode(buffer.text, buffer.encoding) : await onDisk(path);
    return bytes === undefined ? null : sha256Hex(bytes);
  };

  const documents: MemoryDocuments = {
    calls,
    async read(path) {
      const refused = await enter('read', path);
      return refused === undefined ? live(path) : { ok: false, error: refused };
    },
    async bytes(path) {
      const refused = await enter('bytes', path);
      if (refused !== undefined) return undefined;
      const buffer = buffers.get(keyOf(path));
      return buffer?.dirty === true ? encode(buffer.text, buffer.encoding) : onDisk(path);
    },
    async encode(path, text) {
      const standing = await live(path);
      if (!standing.ok) return standing;
      const { encoding } = standing.value;
      const char = firstLost(text, encoding);
      return char === undefined ? ok(new Uint8Array(encode(text, encoding))) : refuse('doc.unencodable', { path, encoding, char });
    },
    async decode(path, bytes) {
      const read = textIn(bytes, buffers.get(keyOf(path))?.encoding);
      return read.ok ? ok(read.value.text) : refuse('doc.undecodable', { path });
    },
    async beneath(path) {
      const buffer = buffers.get(keyOf(path));
      const there = buffer?.dirty === true ? await onDisk(path) : undefined;
      return there === undefined || buffer?.from === undefined || sha256Hex(there) === buffer.from ? undefined : there;
    },
    dirty: () => [...buffers].filter(([, buffer]) => buffer.dirty).map(([path]) => path),
    async list(folder) {
      const found: ListedFile[] = [];
      const visit = async (at: string): Promise<void> => {
        let entries;
        try {
          entries = await readdir(absolute(at), { withFileTypes: true });
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException;
          if (code === 'ENOENT' || code === 'ENOTDIR') return;
          throw error;
        }
        for (const entry of entries) {
          if (entry.name.startsWith('.')) continue;
          const path = at === '' ? entry.name : `${at}/${entry.name}`;
          if (entry.isDirectory()) await visit(path);
          else if (entry.isFile()) {
            const { size, mtimeMs } = await stat(absolute(path));
            found.push({ path: path.normalize('NFC'), size, mtime: mtimeMs });
          }
        }
      };
      await visit(folder);
      return found;
    },
    async apply(batch) {
      const refused = await enter('apply', batch[0]?.path ?? '');
      if (refused !== undefined) return { ok: false, error: refused };
      if (rejections > 0) {
        rejections -= 1;
        return refuse('doc.apply-rejected', { path: batch[0]?.path ?? '' });
      }
      const ready: { before: LiveText; text: string }[] = [];
      for (const { path, version, changes } of batch) {
        const before = await live(path);
        if (!before.ok) return before;
        if (before.value.version !== version) return refuse('doc.changed', { path });
        const text = spliced(before.value.text, changes);
        if (!holds(text, before.value.encoding)) return refuse('doc.unencodable', { path, encoding: before.value.encoding });
        ready.push({ before: before.value, text });
      }
      const applied: AppliedFile[] = [];
      for (const { before, text } of ready) {
        const buffer = buffers.get(before.path);
        if (before.dirty && buffer !== undefined) {
          Object.assign(buffer, { text, version: (versions += 1) });
          tell({ kind: 'changed', path: before.path, source: 'buffer' });
          applied.push({ path: before.path, text, saved: false, changedOnSave: false });
        } else {
          const final = await saveText(before.path, text, before.encoding);
          applied.push({ path: before.path, text: final, saved: true, changedOnSave: final !== text });
        }
      }
      return ok(applied);
    },
    async create(path, text) {
      const refused = await enter('create', path);
      if (refused !== undefined) return { ok: false, error: refused };
      if ((await onDisk(path)) !== undefined) return refuse('doc.exists', { path });
      const name = path.split('/').at(-1) ?? '';
      const folder = path.split('/').slice(0, -1).join('/');
      const names = await readdir(absolute(folder)).catch(() => [] as string[]);
      const clash = names.find((other) => other.normalize('NFC').toLowerCase() === name.normalize('NFC').toLowerCase());
      if (clash !== undefined) return refuse('path.clash', { path, other: `${folder}/${clash}` });
      const final = participants.reduce((current, participant) => participant(path, current), text);
      await write(path, encode(final, 'utf8'));
      tell({ kind: 'created', path, source: 'disk' });
      return ok({ path, text: final, saved: true, changedOnSave: final !== text });
    },
    async rename(from, to) {
      const refused = await enter('rename', from);
      if (refused !== undefined) return { ok: false, error: refused };
      if ((await onDisk(from)) === undefined) return refuse('doc.not-found', { path: from });
      const source = absolute(from);
      const key = keyOf(from);
      if ((await onDisk(to)) !== undefined && absolute(to) !== source) return refuse('doc.exists', { path: to });
      await mkdir(dirname(absolute(to)), { recursive: true });
      await rename(source, join(dirname(absolute(to)), basename(to)));
      const buffer = buffers.get(key);
      if (buffer !== undefined) {
        buffers.delete(key);
        buffers.set(keyOf(to), buffer);
      }
      tell({ kind: 'deleted', path: from, source: 'disk' });
      tell({ kind: 'created', path: to, source: 'disk' });
      return ok(undefined);
    },
    async delete(path, over) {
      const refused = await enter('delete', path);
      if (refused !== undefined) return { ok: false, error: refused };
      if (over !== undefined && (await standing(path)) !== over) return refuse('doc.changed', { path });
      if ((await onDisk(path)) === undefined) return refuse('doc.not-found', { path });
      buffers.delete(keyOf(path));
      await rm(absolute(path));
      tell({ kind: 'deleted', path, source: 'disk' });
      return ok(undefined);
    },
    async put(path, bytes, over) {
      const refused = await enter('put', path);
      if (refused !== undefined) return { ok: false, error: refused };
      if (over !== undefined && (await standing(path)) !== over) return refuse('doc.changed', { path });
      await write(path, bytes);
      const buffer = buffers.get(keyOf(path));
      if (buffer !== undefined) {
        const decoded = textIn(bytes, buffer.encoding);
        if (decoded.ok) Object.assign(buffer, { text: decoded.value.text, dirty: false, version: (versions += 1) });
        else buffers.delete(keyOf(path));
      }
      tell({ kind: 'changed', path, source: 'disk' });
      return ok(undefined);
    },
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async open(path, encoding) {
      if (encoding === undefined) return void (await opened(path));
      const text = decode((await onDisk(path)) ?? new Uint8Array(), encoding);
      buffers.set(keyOf(path), { text, encoding, version: (versions += 1), dirty: false });
    },
    async type(path, old, text) {
      const buffer = await opened(path);
      const at = old === '' ? buffer.text.length : buffer.text.indexOf(old);
      if (at === -1) throw new Error(`${path} has no ${old}`);
      if (!buffer.dirty) {
        const file = await onDisk(path);
        if (file !== undefined) buffer.from = sha256Hex(file);
      }
      const next = buffer.text.slice(0, at) + text + buffer.text.slice(at + old.length);
      Object.assign(buffer, { text: next, dirty: true, version: (versions += 1) });
      tell({ kind: 'changed', path, source: 'buffer' });
    },
    async save(path) {
      const buffer = await opened(path);
      await saveText(path, buffer.text, buffer.encoding);
    },
    text: async (path) => (await required(path)).text,
    isDirty: (path) => buffers.get(keyOf(path))?.dirty === true,
    onSave: (participant) => void participants.push(participant),
    before(operation, hook) {
      const entry = { operation, hook };
      hooks.push(entry);
      return () => void hooks.splice(hooks.indexOf(entry), 1);
    },
    rejectApply(times = 1) {
      rejections = times;
    },
  };
  return documents;
}
