import type { Result } from './result';

/** The live text of one file: the open buffer's when there is one (unsaved words included), else the file's. */
export interface LiveText {
  /** NFC, `/`, relative to the project root. */
  readonly path: string;
  /** With the document's own line ends. No BOM. UTF-16 offsets everywhere. */
  readonly text: string;
  /** Changes whenever the text changes; opaque. */
  readonly version: string;
  /** The open buffer holds words that are not on disk. */
  readonly dirty: boolean;
  /** VS Code's id of the encoding the file is read in: any that it knows (`utf8`, `gb18030`, `gbk`, `shiftjis`, …). For telling; only the port reads and writes with it. */
  readonly encoding: string;
  readonly eol: '\n' | '\r\n';
}

/** Replace `[start, end)` (UTF-16 offsets into the text of `version`) by `text`. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface FileChanges {
  readonly path: string;
  /** The version the offsets refer to; checked just before applying, else `doc.changed`. */
  readonly version: string;
  /** Sorted, not overlapping. */
  readonly changes: readonly TextChange[];
}

/** What an applied batch has left: where it was saved, what the save wrote (formatters and trimming may have run), else what stands in the buffer. */
export interface AppliedFile {
  readonly path: string;
  readonly text: string;
  /** Saved because it was clean before; a file that was dirty stays dirty. */
  readonly saved: boolean;
  /** Save participants changed the text beyond what we asked. */
  readonly changedOnSave: boolean;
}

export interface ListedFile {
  readonly path: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly mtime: number;
}

export type DocumentEvent =
  | { readonly kind: 'changed' | 'created' | 'deleted'; readonly path: string; readonly source: 'disk' | 'buffer' };

/**
 * The project's text files as the author sees them. Chapters are only ever changed through this port.
 * Every method refuses paths that leave the project after resolving links (`path.outside`).
 * Text edits of one `apply` are all-or-nothing; file operations are separate steps.
 */
export interface Documents {
  /** Refuses: `doc.not-found`, `doc.too-large`, `doc.undecodable`, `doc.encoding-mismatch`. */
  read(path: string): Promise<Result<LiveText>>;
  /** The bytes that a save would write now (buffer encoded), or the file's own when it is clean. `undefined`: no such file. */
  bytes(path: string): Promise<Uint8Array | undefined>;
  /** The bytes that a save of this text into that file would write, in the file's encoding. Refuses as `read`, and `doc.unencodable` with `{path, encoding, char}`. */
  encode(path: string, text: string): Promise<Result<Uint8Array>>;
  /** The counterpart of `encode`: the text that file would show if these bytes stood in it. No such file: the encoding is found from the bytes. Refuses `doc.undecodable`. */
  decode(path: string, bytes: Uint8Array): Promise<Result<string>>;
  /**
   * The bytes of a file that another program has written under unsaved words: neither what the buffer was opened from nor what it was last
   * saved as. `undefined`: nothing of the kind. Rejects like `bytes`.
   */
  beneath(path: string): Promise<Uint8Array | undefined>;
  /** Paths (under the project) of open buffers with unsaved words. */
  dirty(): readonly string[];
  /** Recursive; paths in NFC; entries whose name starts with `.` are left out. Unordered. */
  list(folder: string): Promise<readonly ListedFile[]>;
  apply(batch: readonly FileChanges[]): Promise<Result<readonly AppliedFile[]>>;
  /** Refuses `doc.exists`, `path.forbidden-name`, `path.clash`. New files are UTF-8, LF, no BOM, parents made. */
  create(path: string, text: string): Promise<Result<AppliedFile>>;
  rename(from: string, to: string): Promise<Result<void>>;
  /** `over`: see `put`. */
  delete(path: string, over?: string): Promise<Result<void>>;
  /**
   * Puts a whole file to these exact bytes (created when missing, buffer reverted to them). For restore only. `over`: the SHA-256 of
   * what may be overwritten (`bytes` of now, unsaved words included; `null`: no file). Anything else that stands there refuses
   * `doc.changed` and is left alone; what the author types once the new text stands is kept on top of it.
   */
  put(path: string, bytes: Uint8Array, over?: string | null): Promise<Result<void>>;
  watch(listener: (event: DocumentEvent) => void): () => void;
}
