import * as z from 'zod';
import type { Clock } from '../ports/clock';
import type { Documents, ListedFile } from '../ports/documents';
import type { Files } from '../ports/files';
import type { Log } from '../ports/log';
import { caught, EngineFailure, ok } from '../ports/result';
import type { Project } from '../project/project';
import { mapLimited } from '../store/limited';
import { readCache } from '../store/read-cache';
import { chapterTarget } from '../text/chapter-target';
import { countWords } from '../text/count-words';
import { decodeBytes } from '../text/encoding';
import { readFrontMatter } from '../text/front-matter';
import { sortNatural } from '../text/natural-order';
import { findNotes } from '../text/notes';
import { headingOf, titleFromFileName } from '../text/titles';
import type { Chapter, Manuscript } from './manuscript';

const CACHE = '.liyuan/cache/chapters.json';
const VERSION = 3;
const AT_ONCE = 8;
/** A file that had changed this shortly before it was counted may have changed again unseen, in milliseconds. */
const RACY_MS = 2_000;

const cacheSchema = z.object({
  v: z.literal(VERSION),
  /** path → size, mtime, when it was counted (both ms), what was found. */
  files: z.record(
    z.string(),
    z.tuple([
      z.number(),
      z.number(),
      z.number(),
      z.object({
        words: z.number(),
        title: z.string(),
        heading: z.string().exactOptional(),
        status: z.string().exactOptional(),
        target: z.number().exactOptional(),
        notes: z.number().exactOptional(),
      }),
    ]),
  ),
});

/** What a chapter's text says. */
type Counted = Pick<Chapter, 'words' | 'title' | 'heading' | 'status' | 'target' | 'notes'>;

interface CountedFile {
  readonly size: number;
  readonly mtime: number;
  readonly at: number;
  readonly counted: Counted;
}

/**
 * The chapters of a project (formats.md, Chapters): every `.md` and `.txt` below the manuscript folder, no part of its path starting with a
 * dot. Unsaved words count. A file that is no text counts 0 and is titled by its name. Refuses `store.*` when the folder cannot be read.
 */
export function createManuscript(deps: {
  readonly documents: Documents;
  readonly files: Files;
  readonly project: Project;
  readonly log: Log;
  readonly clock: Clock;
  /** Never writes its cache. */
  readonly readOnly?: boolean;
}): Manuscript {
  const { documents, files, project, log, clock } = deps;
  const counted = new Map<string, CountedFile>();
  const dirtyCounts = new Map<string, { readonly version: string; readonly counted: Counted }>();
  let loaded: Promise<void> | undefined;
  let unsaved = 0;

  const load = async (): Promise<void> => {
    const bytes = await readCache({ files, log }, CACHE);
    if (bytes === undefined) return;
    try {
      const stored = cacheSchema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
      for (const [path, [size, mtime, at, found]] of Object.entries(stored.files)) counted.set(path, { size, mtime, at, counted: found });
    } catch (error) {
      if (!(error instanceof SyntaxError) && !(error instanceof z.ZodError)) throw error;
      log.debug('the cache of chapters is not readable and is made anew');
    }
  };

  const save = async (paths: ReadonlySet<string>): Promise<void> => {
    if (deps.readOnly === true || unsaved < Math.min(32, Math.max(1, paths.size))) return;
    unsaved = 0;
    for (const path of counted.keys()) if (!paths.has(path)) counted.delete(path);
    const value: z.input<typeof cacheSchema> = {
      v: VERSION,
      files: Object.fromEntries([...counted].map(([path, { size, mtime, at, counted: found }]) => [path, [size, mtime, at, found]])),
    };
    try {
      await files.writeAtomic(CACHE, Buffer.from(JSON.stringify(value)), { fsync: false });
    } catch (error) {
      // A cache: what is not written is counted again.
      if (!(error instanceof EngineFailure)) throw error;
      log.warn('the cache of chapters could not be written', { code: error.error.code });
    }
  };

  const countBytes = (path: string, bytes: Uint8Array): Counted => {
    const decoded = decodeBytes(bytes);
    if (decoded.ok) return countText(path, decoded.value.text);
    log.warn('a chapter is not a text in an encoding we know', { path });
    return { words: 0, title: titleFromFileName(path) };
  };

  const clean = async (file: ListedFile): Promise<Counted> => {
    const known = counted.get(file.path);
    if (known?.size === file.size && known.mtime === file.mtime && known.mtime <= known.at - RACY_MS) return known.counted;
    const at = clock.now();
    const bytes = await documents.bytes(file.path);
    const result = countBytes(file.path, bytes ?? new Uint8Array());
    counted.set(file.path, { size: file.size, mtime: file.mtime, at, counted: result });
    unsaved += 1;
    return result;
  };

  const dirty = async (path: string): Promise<Counted> => {
    const live = await documents.read(path);
    if (!live.ok) return countBytes(path, (await documents.bytes(path)) ?? new Uint8Array());
    const known = dirtyCounts.get(path);
    if (known?.version === live.value.version) return known.counted;
    const result = countText(path, live.value.text);
    dirtyCounts.set(path, { version: live.value.version, counted: result });
    return result;
  };

  const folderName = (): string => project.config.folders.manuscript;

  const chapterOf = async (file: ListedFile, folder: string, isDirty: boolean): Promise<Chapter> => ({
    path: file.path,
    volume: volumeOf(file.path, folder),
    ...(isDirty ? await dirty(file.path) : await clean(file)),
    mtime: file.mtime,
    dirty: isDirty,
  });

  const one = async (path: string): Promise<Chapter | undefined> => {
    loaded ??= load();
    await loaded;
    const folder = folderName();
    if (!isChapter(path, folder)) return undefined;
    const stat = await files.stat(path);
    // A name that is in another normal form on the disk is found by the list alone.
    const file =
      stat?.kind === 'file'
        ? { path, size: stat.size, mtime: Number(stat.mtimeNs) / 1e6 }
        : (await documents.list(path.slice(0, path.lastIndexOf('/')))).find((listed) => listed.path === path);
    return file === undefined ? undefined : chapterOf(file, folder, documents.dirty().some((open) => open.normalize('NFC') === path));
  };

  const chapters = async (): Promise<readonly Chapter[]> => {
    loaded ??= load();
    await loaded;
    const folder = folderName();
    const open = new Set(documents.dirty().map((path) => path.normalize('NFC')));
    for (const path of dirtyCounts.keys()) if (!open.has(path)) dirtyCounts.delete(path);
    const listed = (await documents.list(folder)).filter(({ path }) => isChapter(path, folder));
    const found = await mapLimited(listed, AT_ONCE, async (file) => {
      return chapterOf(file, folder, open.has(file.path));
    });
    await save(new Set(listed.map(({ path }) => path)));
    return sortNatural(found, ({ path }) => path.slice(folder.length + 1));
  };

  return {
    get folder() {
      return folderName();
    },
    chapters: () => caught(async () => ok(await chapters())),
    chapter: (path) => caught(async () => ok(await one(path))),
  };
}

function countText(path: string, text: string): Counted {
  const heading = headingOf(text);
  const data = readFrontMatter(text)?.data;
  const status = data?.['status'];
  const target = chapterTarget(data?.['target']);
  const notes = findNotes(text).length;
  return {
    words: countWords(text),
    title: heading ?? titleFromFileName(path),
    ...(heading === undefined ? {} : { heading }),
    ...(typeof status === 'string' && status.trim() !== '' ? { status: status.trim() } : {}),
    ...(target === undefined ? {} : { target }),
    ...(notes === 0 ? {} : { notes }),
  };
}

/** An `.md` file below the folder, no part of whose path starts with a dot. */
export function isChapter(path: string, folder: string): boolean {
  if (!path.startsWith(`${folder}/`) || !/\.(?:md|txt)$/i.test(path)) return false;
  return !path.slice(folder.length + 1).split('/').some((part) => part.startsWith('.'));
}

function volumeOf(path: string, folder: string): string {
  const inside = path.slice(folder.length + 1);
  const cut = inside.lastIndexOf('/');
  return cut === -1 ? '' : inside.slice(0, cut);
}
