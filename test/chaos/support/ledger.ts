import { sha256Hex } from '../../../src/engine/text/hash';
import type { Said } from './said';

/** path → text of all covered files. */
export type State = ReadonlyMap<string, string>;

/** What a project must hold, as plainly as can be: everything that was said to be done. */
export interface Ledger {
  /** Session entries: id → text and parent. */
  readonly entries: Map<string, { readonly text: string; readonly parentId: string | null }>;
  leaf: string | null;
  title: string;
  /** Checkpoints whose files are known. */
  readonly states: Map<string, State>;
  /** All checkpoints that must be listed. */
  readonly checkpoints: Set<string>;
  /** The files as they stand. */
  live: State;
  /** path → SHA-256 of every text that was ever announced for it. */
  readonly contents: Map<string, Set<string>>;
  /** SHA-256 → text, of all that was ever announced. */
  readonly texts: Map<string, string>;
  /** Newest partial text that was done, the one announced last, and all that were announced in this life. */
  draft: { readonly done: string; readonly announced: string; readonly all: readonly string[] };
  /** Files the agent has changed since the last checkpoint that holds them, with what their journal surely has. */
  readonly uncredited: Map<string, string>;
}

export const createLedger = (): Ledger => ({
  entries: new Map(),
  leaf: null,
  title: '起',
  states: new Map(),
  checkpoints: new Set(),
  live: new Map(),
  contents: new Map(),
  texts: new Map(),
  draft: { done: '', announced: '', all: [] },
  uncredited: new Map(),
});

/** What was announced last and is not done: it may have happened, wholly or not at all. */
export type Pending = Exclude<Said, { readonly kind: 'ready' }> | undefined;

function set(live: State, path: string, text: string | null): State {
  const next = new Map(live);
  if (text === null) next.delete(path);
  else next.set(path, text);
  return new Map([...next].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The files as they stand once `pending` has happened. */
export function after(ledger: Ledger, pending: Pending): State {
  if (pending?.kind === 'write' || pending?.kind === 'edit') return set(ledger.live, pending.path, pending.text);
  if (pending?.kind === 'restore') return ledger.states.get(pending.target) ?? ledger.live;
  return ledger.live;
}

export const announce = (ledger: Ledger, path: string, text: string): void => {
  const known = ledger.contents.get(path) ?? new Set<string>();
  known.add(sha256Hex(text));
  ledger.contents.set(path, known);
  ledger.texts.set(sha256Hex(text), text);
};

/** Takes in what a worker said; what is left is pending. */
export function takeIn(ledger: Ledger, said: readonly Said[]): Pending {
  let pending: Pending;
  for (const one of said) {
    const done = pending;
    switch (one.kind) {
      case 'ready':
      case 'leaf':
      case 'title':
      case 'append':
      case 'take':
      case 'end':
      case 'restore':
        break;
      case 'write':
      case 'edit':
        if (one.text !== null) announce(ledger, one.path, one.text);
        break;
      case 'draft':
        ledger.draft = {
          done: one.text.startsWith(ledger.draft.announced) ? ledger.draft.done : '',
          announced: one.text,
          all: [...ledger.draft.all, one.text],
        };
        break;
      case 'appended':
        if (done?.kind === 'append') chain(ledger, one.ids, done.texts, done.under);
        break;
      case 'leaf-set':
        if (done?.kind === 'leaf') ledger.leaf = done.id;
        break;
      case 'title-set':
        if (done?.kind === 'title') ledger.title = done.title;
        break;
      case 'journalled':
        if (done?.kind === 'edit') ledger.uncredited.set(done.path, done.text);
        continue; // the edit itself is still pending
      case 'written':
      case 'edited':
        ledger.live = after(ledger, done);
        break;
      case 'taken':
        if (one.id !== null) committed(ledger, one.id, ledger.live);
        ledger.uncredited.clear();
        break;
      case 'ended':
        for (const id of one.ids) ledger.checkpoints.add(id);
        ledger.uncredited.clear();
        if (one.ids.length > 0) committed(ledger, one.ids.at(-1) ?? '', ledger.live);
        break;
      case 'restored':
        committed(ledger, one.pre, ledger.live);
        ledger.uncredited.clear();
        ledger.live = after(ledger, done);
        committed(ledger, one.result, ledger.live);
        break;
      case 'drafted':
        ledger.draft = { ...ledger.draft, done: ledger.draft.announced };
        break;
    }
    pending = isBegin(one) ? one : undefined;
  }
  return pending;
}

const begins: ReadonlySet<Said['kind']> = new Set(['append', 'leaf', 'title', 'write', 'edit', 'take', 'end', 'restore', 'draft']);
const isBegin = (said: Said): said is Exclude<Said, { readonly kind: 'ready' }> => begins.has(said.kind);

export function chain(ledger: Ledger, ids: readonly string[], texts: readonly string[], under: string | null): void {
  let parentId = under;
  for (const [i, id] of ids.entries()) {
    ledger.entries.set(id, { text: texts[i] ?? '', parentId });
    parentId = id;
  }
  ledger.leaf = parentId;
}

function committed(ledger: Ledger, id: string, state: State): void {
  ledger.checkpoints.add(id);
  ledger.states.set(id, state);
}
