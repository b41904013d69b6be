import * as z from 'zod';
import type { Files } from '../ports/files';
import type { Log } from '../ports/log';
import { EngineFailure } from '../ports/result';
import { readCache } from '../store/read-cache';
import { sha256Hex } from '../text/hash';
import { entryData } from './entries';
import { asEntry, parseLine } from './entry-line';

/**
 * `.liyuan/cache/words/<name>`: what was said in a session, as plain text, one message a line, so that a search need not parse it. A JSON
 * line (`headSchema`), then the text. Rebuildable. Sessions only grow: what lies before `through` bytes is not read again.
 */
export interface SessionWords {
  /** Of `.liyuan/sessions/<name>.jsonl` as it is now; `undefined` when there is none. Rejects with `store.*`. */
  of(name: string): Promise<string | undefined>;
}

const CACHE = '.liyuan/cache/words';
const FORM = 'liyuan-words-1';
const LF = 10;
/** The end of what was read is hashed, so that another file in its place is noticed. Bytes. */
const PROBE = 4 * 1024;
/** Characters kept of one session, its newest; more are not searched. */
const MOST_CHARS = 4_000_000;
/** Characters kept in memory for all sessions. */
const MOST_HELD = 16_000_000;

const headSchema = z.object({ form: z.literal(FORM), through: z.number().int().nonnegative(), probe: z.string() });

interface Held {
  readonly through: number;
  readonly probe: string;
  readonly text: string;
}

const MARKS = ['user', 'reply', 'step'].map((type) => `"type":"${type}"`);

export function createSessionWords(deps: { readonly files: Files; readonly log: Log; readonly readOnly: boolean }): SessionWords {
  const { files, log, readOnly } = deps;
  /** Newest use last. */
  const held = new Map<string, Held>();

  const keep = (name: string, words: Held): void => {
    held.delete(name);
    held.set(name, words);
    let chars = [...held.values()].reduce((sum, { text }) => sum + text.length, 0);
    for (const [oldest, { text }] of held) {
      if (chars <= MOST_HELD || oldest === name) break;
      held.delete(oldest);
      chars -= text.length;
    }
  };

  const cached = async (name: string): Promise<Held | undefined> => {
    const known = held.get(name);
    if (known !== undefined) return known;
    const bytes = Buffer.from((await readCache({ files, log }, `${CACHE}/${name}`)) ?? new Uint8Array());
    const headEnd = bytes.indexOf(LF);
    const head = headSchema.safeParse(headEnd === -1 ? undefined : parseLine(bytes, 0, headEnd));
    return head.success ? { through: head.data.through, probe: head.data.probe, text: bytes.toString('utf8', headEnd + 1) } : undefined;
  };

  const probeOf = async (path: string, through: number): Promise<string> => {
    const length = Math.min(PROBE, through);
    const bytes = length === 0 ? new Uint8Array() : await files.readRange(path, through - length, length);
    return bytes?.length === length ? sha256Hex(bytes) : '';
  };

  const save = async (name: string, { through, probe, text }: Held): Promise<void> => {
    if (readOnly) return;
    try {
      await files.writeAtomic(`${CACHE}/${name}`, Buffer.from(`${JSON.stringify({ form: FORM, through, probe })}\n${text}`), { fsync: false });
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
      log.warn('words of a session could not be kept', { name, code: error.error.code });
    }
  };

  return {
    of: async (name) => {
      const path = `.liyuan/sessions/${name}.jsonl`;
      const stat = await files.stat(path);
      if (stat === undefined) return undefined;
      const before = await cached(name);
      const trusted = before !== undefined && before.through <= stat.size && (await probeOf(path, before.through)) === before.probe ? before : undefined;
      const from = trusted?.through ?? 0;
      if (trusted !== undefined && from === stat.size) {
        keep(name, trusted);
        return trusted.text;
      }
      const bytes = Buffer.from((await files.readRange(path, from, stat.size - from)) ?? new Uint8Array());
      // A line that is still being written is read with the next search.
      const end = bytes.lastIndexOf(LF) + 1;
      const fresh = wordsIn(bytes.subarray(0, end));
      const text = `${trusted?.text ?? ''}${fresh}`.slice(-MOST_CHARS);
      const words = { through: from + end, probe: await probeOf(path, from + end), text };
      keep(name, words);
      if (end > 0) await save(name, words);
      return text;
    },
  };
}

/** What was said in these lines, a message a line. Lines of other types are not parsed. */
function wordsIn(bytes: Buffer): string {
  const out: string[] = [];
  for (let start = 0; start < bytes.length; ) {
    const stop = bytes.indexOf(LF, start);
    const end = stop === -1 ? bytes.length : stop;
    const head = bytes.toString('latin1', start, Math.min(end, start + 300));
    const entry = MARKS.some((mark) => head.includes(mark)) ? asEntry(parseLine(bytes, start, end)) : undefined;
    const text = entry === undefined ? '' : textOf(entry);
    if (text !== '') out.push(`${text.replace(/\s+/g, ' ').trim()}\n`);
    start = end + 1;
  }
  return out.join('');
}

function textOf(entry: { readonly type: string; readonly data: unknown }): string {
  switch (entry.type) {
    case 'user':
    case 'reply':
    case 'step': {
      const data = entryData[entry.type].safeParse(entry.data);
      return data.success ? (data.data.text ?? '') : '';
    }
    default:
      return '';
  }
}
