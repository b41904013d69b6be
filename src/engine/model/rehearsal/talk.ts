import type { PhraseName, Phrases } from './phrases';
import { fillPhrase } from './phrases';

/** A call the rehearsal model wants made. */
export interface PlannedCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A tool's answer as parsed JSON; `{}` when it is none. */
export type Receipt = Readonly<Record<string, unknown>>;

/** A piece of work that asks for calls and is handed their receipts, in order. Run again from its start in each round. */
export type Work<T = void> = Generator<readonly PlannedCall[], T, readonly Receipt[]>;

/** What a piece of work speaks with. */
export interface Speaker {
  readonly phrases: Phrases;
  /** Adds a line to what is said before the next calls, or at the end. */
  say(name: PhraseName, values?: Readonly<Record<string, string | number>>): void;
  phrase(name: PhraseName, values?: Readonly<Record<string, string | number>>): string;
}

export interface SpeakerWithLines extends Speaker {
  /** Takes what was said since the last time. */
  take(): string;
}

export function createSpeaker(phrases: Phrases): SpeakerWithLines {
  let lines: string[] = [];
  const phrase: Speaker['phrase'] = (name, values = {}) => fillPhrase(phrases[name], values);
  return {
    phrases,
    phrase,
    say(name, values) {
      lines.push(phrase(name, values));
    },
    take() {
      const text = lines.join('\n');
      lines = [];
      return text;
    },
  };
}

/** One call and its receipt. */
export function* call(name: string, args: Readonly<Record<string, unknown>>): Work<Receipt> {
  const [receipt] = yield [{ name, args }];
  return receipt ?? {};
}

/** Thrown inside a piece of work that cannot go on, with what the tool said. */
export class WorkAbandoned extends Error {
  constructor(readonly reason: string) {
    super(reason);
    this.name = 'WorkAbandoned';
  }
}

/** One call whose answer the work cannot do without. */
export function* need(name: string, args: Readonly<Record<string, unknown>>): Work<Receipt> {
  const receipt = yield* call(name, args);
  const error = errorIn(receipt);
  if (error !== undefined) throw new WorkAbandoned(error);
  return receipt;
}

/** The error a receipt reports, in one line. */
export function errorIn(receipt: Receipt): string | undefined {
  const { error } = receipt;
  if (error === undefined) return undefined;
  const name = typeof error === 'string' ? error : JSON.stringify(error);
  const details = Object.entries(receipt).filter(([key, value]) => key !== 'error' && key !== 'path' && (typeof value === 'string' || typeof value === 'number'));
  return details.length === 0 ? name : `${name} (${details.map(([key, value]) => `${key}: ${String(value).slice(0, 80)}`).join(', ')})`;
}

export function textIn(receipt: Receipt, key: string): string {
  const value = receipt[key];
  return typeof value === 'string' ? value : '';
}

export function numberIn(receipt: Receipt, key: string): number {
  const value = receipt[key];
  return typeof value === 'number' ? value : 0;
}

export function listIn(receipt: Receipt, key: string): readonly Receipt[] {
  const value = receipt[key];
  return Array.isArray(value) ? value.filter((item): item is Receipt => typeof item === 'object' && item !== null) : [];
}
