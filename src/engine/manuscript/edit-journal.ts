import * as z from 'zod';
import type { Files } from '../ports/files';
import type { Log } from '../ports/log';
import { ok, type Result } from '../ports/result';
import { createAppendLog, type AppendLog } from '../store/append-log';
import { sha256Hex } from '../text/hash';
import type { JournalEdit, TurnRef } from './checkpoints';
import { turnKey } from './log-state';

const journalLine = z.union([
  z.looseObject({
    v: z.number().int(),
    type: z.literal('edit'),
    path: z.string(),
    from: z.string().optional(),
    before: z.string().nullable(),
    after: z.string().nullable(),
    /** True since `done` lines are kept: an edit that none of them counts may not have come about. */
    announced: z.boolean().optional(),
    ts: z.number(),
  }),
  /** The first `through` edits are in a checkpoint of the agent: `checkpoint`, if that is in the log; or in none, for they came to nothing. */
  z.looseObject({ type: z.literal('credit'), through: z.number().int(), checkpoint: z.string().optional(), ts: z.number() }),
  /** The first `through` edits were carried out, or taken back because they could not be. */
  z.looseObject({ type: z.literal('done'), through: z.number().int(), ts: z.number() }),
  /** The first `through` edits were taken back. */
  z.looseObject({ type: z.literal('undone'), through: z.number().int(), ts: z.number() }),
]);
type JournalLine = z.infer<typeof journalLine>;

/** All edits of one turn, oldest first, and what has become of them. */
export interface JournalState {
  readonly edits: readonly JournalEdit[];
  /** When each was recorded, in ms. */
  readonly times: readonly number[];
  /** How many of them a checkpoint of the agent has, given the ids that are in the log. */
  credited(inLog: (checkpoint: string) => boolean): number;
  readonly undone: number;
  /** When that was noted last, in ms; 0: never. */
  readonly undoneAt: number;
  /** How many of them are known to have been carried out. */
  readonly done: number;
  /** When the last edit was recorded, in ms; 0: there is none. */
  readonly lastAt: number;
}

/** The edits of turns, `.liyuan/local/edits/<turn>.jsonl`: one file a turn, this machine's own. */
export interface EditJournals {
  read(turn: TurnRef): Promise<Result<JournalState>>;
  /** What has been read so far, without looking at the file again. */
  known(turn: TurnRef): readonly JournalEdit[];
  add(turn: TurnRef, edit: JournalEdit, ts: number): Promise<Result<void>>;
  credit(turn: TurnRef, through: number, checkpoint: string | undefined, ts: number): Promise<Result<void>>;
  undone(turn: TurnRef, through: number, ts: number): Promise<Result<void>>;
  /** All edits so far were carried out. Not durable: without it, what stands tells. */
  done(turn: TurnRef, ts: number): Promise<Result<void>>;
}

/** Name of a turn's journal, without its ending. */
export function journalName({ sessionId, userEntryId }: TurnRef): string {
  return /^[\w-]{1,80}$/.test(userEntryId) ? userEntryId : sha256Hex(`${sessionId}/${userEntryId}`).slice(0, 40);
}

const newest = (lines: readonly JournalLine[], type: 'done' | 'undone'): number =>
  lines.reduce((most, line) => (line.type === type ? Math.max(most, line.through) : most), 0);

export function createEditJournals({ files, log }: { readonly files: Files; readonly log: Log }): EditJournals {
  const logs = new Map<string, AppendLog<JournalLine>>();

  const logOf = (turn: TurnRef): AppendLog<JournalLine> => {
    const key = turnKey(turn);
    const known = logs.get(key);
    if (known !== undefined) return known;
    const made = createAppendLog<JournalLine>({
      files,
      path: `.liyuan/local/edits/${journalName(turn)}.jsonl`,
      log,
      decode: (value) => {
        const parsed = journalLine.safeParse(value);
        return parsed.success ? parsed.data : undefined;
      },
    });
    logs.set(key, made);
    return made;
  };

  const editsOf = (lines: readonly JournalLine[]): JournalEdit[] =>
    lines.flatMap((line) =>
      line.type === 'edit'
        ? [{ path: line.path, ...(line.from === undefined ? {} : { from: line.from }), before: line.before, after: line.after }]
        : [],
    );

  return {
    async read(turn) {
      const lines = await logOf(turn).refresh();
      if (!lines.ok) return lines;
      const records = [...lines.value];
      return ok({
        edits: editsOf(records),
        times: records.flatMap((line) => (line.type === 'edit' ? [line.ts] : [])),
        credited: (inLog) =>
          records.reduce(
            (most, line) =>
              line.type === 'credit' && (line.checkpoint === undefined || inLog(line.checkpoint)) ? Math.max(most, line.through) : most,
            0,
          ),
        lastAt: records.reduce((last, line) => (line.type === 'edit' ? Math.max(last, line.ts) : last), 0),
        // A journal of the first version has no such lines; in it only the last edit may not have come about.
        done: records.some((line) => line.type === 'done' || (line.type === 'edit' && line.announced === true))
          ? newest(records, 'done')
          : Math.max(0, editsOf(records).length - 1),
        undone: newest(records, 'undone'),
        undoneAt: records.reduce((last, line) => (line.type === 'undone' ? Math.max(last, line.ts) : last), 0),
      });
    },
    known: (turn) => editsOf(logOf(turn).records),
    add: (turn, edit, ts) => logOf(turn).append([{ v: 1, type: 'edit', ...edit, announced: true, ts }], { fsync: true }),
    credit: (turn, through, checkpoint, ts) =>
      logOf(turn).append([{ type: 'credit', through, ...(checkpoint === undefined ? {} : { checkpoint }), ts }], { fsync: true }),
    done: (turn, ts) => logOf(turn).append([{ type: 'done', through: editsOf(logOf(turn).records).length, ts }], { fsync: false }),
    undone: (turn, through, ts) => logOf(turn).append([{ type: 'undone', through, ts }], { fsync: true }),
  };
}
