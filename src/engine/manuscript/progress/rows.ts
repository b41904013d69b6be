import * as z from 'zod';
import type { Files } from '../../ports/files';
import type { Log } from '../../ports/log';
import { EngineFailure } from '../../ports/result';
import { readCache } from '../../store/read-cache';
import type { LeftText } from './moves';

const PATH = '.liyuan/cache/progress.jsonl';
/** Of the definition of what counts, too: another number makes all rows anew. */
const VERSION = 1;
/** Bytes that carried text may have left behind in the file before it is written anew. */
const SLACK = 512 * 1024;

/** What one checkpoint wrote. `nobody`: an existing book that was brought in, a restore. `lost`: its texts are no longer there to count. */
export interface ProgressRow {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly ts: number;
  readonly who: 'user' | 'agent' | 'nobody';
  /** 字. */
  readonly words: number;
  readonly lost?: boolean;
}

const headSchema = z.object({ v: z.literal(VERSION), folder: z.string() });
const rowSchema = z.tuple([z.string(), z.number(), z.enum(['user', 'agent', 'nobody']), z.number(), z.boolean()]);
const leftSchema = z.object({ left: z.string(), texts: z.array(z.tuple([z.number(), z.string()])) });

/** `.liyuan/cache/progress.jsonl`: a head, one line a checkpoint, and texts on their way. May be missing, old or wrong at any time. */
export interface RowsCache {
  /** By checkpoint id. Changed only through `add`. */
  readonly rows: ReadonlyMap<string, ProgressRow>;
  /** Text that had left its place at a checkpoint and not arrived yet; none is known of most. */
  left(id: string): readonly LeftText[];
  /** Reads the file once; what belongs to another folder or version counts as nothing. */
  load(folder: string): Promise<void>;
  /** `carry`: at these checkpoints others will go on, so that what left is kept. */
  add(rows: readonly { readonly row: ProgressRow; readonly left: readonly LeftText[] }[], carry: ReadonlySet<string>): Promise<void>;
}

export function createRowsCache(deps: { readonly files: Files; readonly log: Log; readonly readOnly?: boolean }): RowsCache {
  const { files, log } = deps;
  const rows = new Map<string, ProgressRow>();
  const lefts = new Map<string, readonly LeftText[]>();
  let folder: string | undefined;
  /** Nothing of use is in the file: it is written anew. */
  let fresh = true;

  const take = (text: string): boolean => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      if (error instanceof SyntaxError) return false;
      throw error;
    }
    const row = rowSchema.safeParse(value);
    if (row.success) {
      const [id, ts, who, words, lost] = row.data;
      rows.set(id, { id, ts, who, words, ...(lost ? { lost } : {}) });
      return true;
    }
    const left = leftSchema.safeParse(value);
    if (left.success) lefts.set(left.data.left, left.data.texts.map(([ts, words]) => ({ ts, text: words })));
    return left.success;
  };

  const isHead = (text: string, wanted: string): boolean => {
    try {
      return headSchema.safeParse(JSON.parse(text)).data?.folder === wanted;
    } catch (error) {
      if (error instanceof SyntaxError) return false;
      throw error;
    }
  };

  const rowLine = ({ id, ts, who, words, lost }: ProgressRow): string => JSON.stringify([id, ts, who, words, lost === true]);
  const leftLine = (id: string, texts: readonly LeftText[]): string => JSON.stringify({ left: id, texts: texts.map(({ ts, text }) => [ts, text]) });

  const write = async (lines: readonly string[]): Promise<void> => {
    try {
      if (fresh) {
        const all = [JSON.stringify({ v: VERSION, folder }), ...[...rows.values()].map(rowLine), ...[...lefts].map(([id, texts]) => leftLine(id, texts))];
        await files.writeAtomic(PATH, Buffer.from(`${all.join('\n')}\n`), { fsync: false });
        fresh = false;
      } else await files.append(PATH, Buffer.from(`${lines.join('\n')}\n`), { fsync: false });
    } catch (error) {
      // A cache: what is not written is counted again.
      if (!(error instanceof EngineFailure)) throw error;
      log.warn('the cache of what was written could not be written', { code: error.error.code });
    }
  };

  return {
    rows,
    left: (id) => lefts.get(id) ?? [],
    async load(wanted) {
      if (folder === wanted) return;
      folder = wanted;
      rows.clear();
      lefts.clear();
      fresh = true;
      const bytes = await readCache({ files, log }, PATH);
      if (bytes === undefined) return;
      const [head = '', ...lines] = Buffer.from(bytes).toString('utf8').split('\n');
      if (!isHead(head, wanted)) return;
      const whole = lines.at(-1) === '';
      for (const line of lines) if (line !== '' && !take(line)) log.debug('a line of the cache of what was written is not readable');
      fresh = !whole || bytes.length > SLACK + rows.size * 120;
    },
    async add(added, carry) {
      const lines: string[] = [];
      for (const id of lefts.keys()) if (!carry.has(id)) lefts.delete(id);
      for (const { row, left } of added) {
        rows.set(row.id, row);
        lines.push(rowLine(row));
        if (!carry.has(row.id) || left.length === 0) continue;
        lefts.set(row.id, left);
        lines.push(leftLine(row.id, left));
      }
      if (lines.length > 0 && deps.readOnly !== true) await write(lines);
    },
  };
}
