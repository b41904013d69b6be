import type { ErrorCode } from '../../../engine/index';
import { errorTexts } from '../../l10n/error-texts';
import type { Translate } from '../../l10n/translate';

/** A call in human words. */
export interface ToolWords {
  readonly title: string;
  readonly note: string;
  readonly path?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** JSON of an object, or nothing: what a model or an older version wrote may be anything. */
export function parseFields(json: string): Fields {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.filter((item): item is Fields => typeof item === 'object' && item !== null) : [];

/** Paths an `edit` is about, in order, each once; the flat form is taken too. */
function editedPaths(args: Fields): readonly string[] {
  const edits = listOf(args['edits']);
  const paths = (edits.length > 0 ? edits : [args]).map((edit) => text(edit['path'])).filter((path) => path !== '');
  return [...new Set(paths)];
}

const short = (value: string): string => (Array.from(value).length > 24 ? `${Array.from(value).slice(0, 24).join('')}…` : value);

/** The title of a call, and the file a click on it opens. Without arguments (still streaming) the title says only what it is. */
export function toolTitle(t: Translate, name: string, args: Fields): { readonly title: string; readonly path?: string } {
  const path = text(args['path']);
  const about = path === '' ? {} : { path };
  switch (name) {
    case 'list':
      return { title: path === '' ? t('List the folders') : t('List {path}', { path }) };
    case 'read':
      return { title: path === '' ? t('Read') : t('Read {path}', { path }), ...about };
    case 'grep':
      return { title: text(args['pattern']) === '' ? t('Search') : t('Search for “{pattern}”', { pattern: short(text(args['pattern'])) }) };
    case 'edit': {
      const paths = editedPaths(args);
      const [first] = paths;
      if (first === undefined) return { title: t('Edit') };
      return paths.length === 1 ? { title: t('Edit {path}', { path: first }), path: first } : { title: t('Edit {count} files', { count: paths.length }) };
    }
    case 'write':
      return { title: path === '' ? t('Write a file') : t('Write {path}', { path }), ...about };
    case 'rename': {
      const [from, to] = [text(args['from']), text(args['to'])];
      return to === '' ? { title: t('Rename') } : { title: t('Rename {from} to {to}', { from, to }), path: to };
    }
    case 'delete':
      return { title: path === '' ? t('Delete') : t('Delete {path}', { path }) };
    case 'outline':
      return { title: t('Look at the outline') };
    default:
      return { title: name, ...about };
  }
}

/** Families whose refusals a tool itself gives, before those that only pass through one: `not_found` is a file's. */
const nearest = ['path', 'doc', 'edit', 'tool', 'store', 'object', 'workspace'];
const distance = (code: ErrorCode): number => {
  const at = nearest.indexOf(code.split('.')[0] ?? '');
  return at === -1 ? nearest.length : at;
};

/** The name under which a receipt carries a code (the engine's `tools/receipts.ts`). */
const nameInReceipt = (code: ErrorCode): string => (code === 'tool.unknown' ? 'unknown_tool' : (code.split('.').at(-1) ?? code).replaceAll('-', '_'));

/** Every code there is, by that name; where several have it, the nearest. */
const namedErrors: ReadonlyMap<string, ErrorCode> = new Map(
  (Object.keys(errorTexts) as ErrorCode[]).sort((a, b) => distance(b) - distance(a)).map((code) => [nameInReceipt(code), code]),
);

function failureNote(t: Translate, receipt: Fields): string {
  const name = text(receipt['error']);
  if (name === 'interrupted') return t('Interrupted');
  const code = namedErrors.get(name);
  return code === undefined ? t('Did not succeed') : t(errorTexts[code]);
}

/** How a call ended: one that the author did not allow has not failed. */
export function toolState(result: string, ok: boolean): 'done' | 'declined' | 'failed' {
  if (ok) return 'done';
  return namedErrors.get(text(parseFields(result)['error'])) === 'tool.refused' ? 'declined' : 'failed';
}

/** One line on what came of a call, from its receipt. */
export function toolNote(t: Translate, name: string, result: string, ok: boolean): string {
  const receipt = parseFields(result);
  if (!ok || typeof receipt['error'] === 'string') return failureNote(t, receipt);
  const number = (key: string): number | undefined => (typeof receipt[key] === 'number' ? receipt[key] : undefined);
  if (receipt['proposed'] === true) {
    const places = listOf(receipt['matches']).length;
    return places === 0 ? t('Proposed') : t('Places proposed: {count}', { count: places });
  }
  switch (name) {
    case 'list':
      return t('Entries: {count}', { count: number('of') ?? listOf(receipt['entries']).length });
    case 'read': {
      const [start, end, of] = [number('start'), number('end'), number('of')];
      return start === undefined || end === undefined || of === undefined ? '' : t('Lines {start} to {end} of {of}', { start: Math.min(start, end), end, of });
    }
    case 'grep': {
      const lines = number('lines') ?? listOf(receipt['matches']).length;
      return lines === 0 ? t('Nothing found') : t('Lines found: {count}', { count: lines });
    }
    case 'edit': {
      const places = listOf(receipt['matches']).length;
      return places === 0 ? t('Changed') : t('Places changed: {count}', { count: places });
    }
    case 'write':
      return receipt['done'] === 'created' ? t('New file') : t('Written');
    case 'rename':
      return t('Renamed');
    case 'delete':
      return t('Deleted; a checkpoint keeps it');
    case 'outline': {
      const chapters = number('of') ?? listOf(receipt['chapters']).length;
      return chapters === 0 ? '' : t('Chapters: {count}', { count: chapters });
    }
    default:
      return '';
  }
}
