import type { LogLine } from './checkpoint-log';

type MarkLine = Extract<LogLine, { type: 'mark' }>;

/** What a person has said about a checkpoint. */
export interface Mark {
  readonly pinned: boolean;
  /** Never empty. */
  readonly name?: string;
}

/** The newest word on each part of a mark, with the time it was said. */
export interface MarkState {
  readonly pinned?: Said<boolean>;
  /** An empty name takes the name away. */
  readonly name?: Said<string>;
}

interface Said<T> {
  readonly value: T;
  readonly ts: number;
}

/** The later word stands; of two at the same time the greater value, so that the order of lines does not matter. */
function later<T extends boolean | string>(known: Said<T> | undefined, value: T | undefined, ts: number): Said<T> | undefined {
  if (value === undefined) return known;
  if (known === undefined || known.ts < ts || (known.ts === ts && known.value < value)) return { value, ts };
  return known;
}

/** Takes in one `mark` line. Pin and name are told apart: a line that says only one of them leaves the other alone. */
export function foldMark(known: MarkState | undefined, line: MarkLine): MarkState {
  const pinned = later(known?.pinned, line.pinned, line.ts);
  const name = later(known?.name, line.name, line.ts);
  return { ...(pinned === undefined ? {} : { pinned }), ...(name === undefined ? {} : { name }) };
}

/** `undefined` when the marks have all been taken back. */
export function markOf(state: MarkState | undefined): Mark | undefined {
  const pinned = state?.pinned?.value ?? false;
  const name = state?.name?.value ?? '';
  if (!pinned && name === '') return undefined;
  return { pinned, ...(name === '' ? {} : { name }) };
}

/** When the newest part of a mark was said: the next one must be later. */
export const markedAt = (state: MarkState | undefined): number => Math.max(state?.pinned?.ts ?? 0, state?.name?.ts ?? 0);
