import * as z from 'zod';
import type { Files } from '../ports/files';
import type { Ids } from '../ports/ids';
import type { Log } from '../ports/log';
import type { Result } from '../ports/result';
import { caught, EngineFailure, ok, refuse } from '../ports/result';
import type { Mention } from '../session/mentions';
import { keptMentions, mentionSchema } from '../session/mentions';
import type { Session } from '../session/session';
import { createQueue } from '../store/queue';
import { parsedJson, versionOf } from '../text/json';
import type { TurnGate } from './gate';

/** `steer`: meant for the turn that runs, after the tools that are under way. */
const queuedWords = z.looseObject({ id: z.string(), text: z.string(), mentions: z.array(mentionSchema).optional(), steer: z.boolean().optional() });
const QUEUE_VERSION = 1;
const queueFile = z.looseObject({ v: z.literal(QUEUE_VERSION), words: z.array(queuedWords) });

/** Words that wait. Their id becomes the id of the entry that holds them once they are said, so that nothing is said twice. */
export interface QueuedWords {
  readonly id: string;
  readonly text: string;
  readonly mentions: readonly Mention[];
  readonly steer: boolean;
}

export interface NewWords {
  readonly text: string;
  readonly mentions?: readonly Mention[];
}

export type QueueChange =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'remove' }
  | { readonly kind: 'front' }
  /** For the running turn; where none runs, the same as `front`. */
  | { readonly kind: 'steer' }
  /** No longer for the running turn: it waits as the others do. */
  | { readonly kind: 'wait' };

type At = Pick<Session, 'header' | 'stub' | 'readOnly'>;

/**
 * What the user has typed while a turn ran, by session, on this machine (`.liyuan/local/queue/<sessionId>.json`): first what steers, then
 * what is sent after, in order. Words whose entry has been written are in it no more, whatever a crash has left. Every change resolves
 * to the list after it, durable. Refuses `session.read-only` and `store.*`; a list of a newer version is left as it is (`store.newer-version`).
 */
export interface WordQueue {
  list(session: At): Promise<Result<readonly QueuedWords[]>>;
  /** At the end; with `steer` behind the words that steer already, if a turn runs. */
  add(session: At, words: NewWords, steer?: boolean): Promise<Result<readonly QueuedWords[]>>;
  /** Words that are gone already are passed over. */
  change(session: At, id: string, change: QueueChange): Promise<Result<readonly QueuedWords[]>>;
  /** Says the words that `which` chooses: nothing else touches the queue until `say` has answered; with `true` they leave it. */
  say(session: At, which: (words: QueuedWords) => boolean, say: (words: readonly QueuedWords[]) => Promise<boolean>): Promise<Result<void>>;
  /** What was to steer and did not come to it waits at the front. */
  endSteering(session: At): Promise<Result<void>>;
}

export interface WordQueueDeps {
  readonly files: Files;
  readonly ids: Ids;
  readonly log: Log;
  readonly gate: TurnGate;
}

export function createWordQueue({ files, ids, log, gate }: WordQueueDeps): WordQueue {
  const queue = createQueue();
  const pathOf = ({ header }: At): string => `.liyuan/local/queue/${header.id}.json`;

  async function read(session: At): Promise<readonly QueuedWords[]> {
    const path = pathOf(session);
    const bytes = await files.read(path);
    if (bytes === undefined) return [];
    const value = parsedJson(new TextDecoder().decode(bytes));
    const v = versionOf(value);
    if (v > QUEUE_VERSION) throw new EngineFailure({ code: 'store.newer-version', args: { path, v } });
    const parsed = queueFile.safeParse(value);
    if (!parsed.success) {
      // Never overwritten: it is put aside, under a name that says what it was.
      const aside = path.replace(/\.json$/, `.${ids.next()}.unreadable`);
      if (!session.readOnly) await files.rename(path, aside);
      log.warn('words that waited cannot be read', { path, aside });
      return [];
    }
    return parsed.data.words
      .filter(({ id }) => session.stub(id) === undefined)
      .map(({ id, text, mentions = [], steer = false }) => ({ id, text, mentions, steer }));
  }

  async function write(session: At, words: readonly QueuedWords[]): Promise<void> {
    if (words.length === 0) return files.remove(pathOf(session));
    const kept = words.map(({ id, text, mentions, steer }) => ({
      id,
      text,
      ...(mentions.length === 0 ? {} : { mentions: [...mentions] }),
      ...(steer ? { steer } : {}),
    }));
    await files.writeAtomic(pathOf(session), new TextEncoder().encode(JSON.stringify({ v: QUEUE_VERSION, words: kept })), { fsync: true });
  }

  const guarded = <T>(f: () => Promise<Result<T>>): Promise<Result<T>> => queue.run(() => caught(f));

  const changed = (session: At, f: (words: readonly QueuedWords[]) => readonly QueuedWords[]): Promise<Result<readonly QueuedWords[]>> =>
    guarded(async () => {
      if (session.readOnly) return refuse('session.read-only');
      const before = await read(session);
      const after = f(before);
      if (after !== before) await write(session, after);
      return ok(after);
    });

  return {
    list: (session) => guarded(async () => ok(await read(session))),
    add: (session, { text, mentions = [] }, steer = false) =>
      changed(session, (words) => {
        const added = { id: ids.next(), text, mentions: keptMentions(mentions), steer: steer && gate.busy(session.header.id) };
        return steer ? placed(words, added) : [...words, added];
      }),
    change: (session, id, change) => changed(session, (words) => changedWords(words, id, change, gate.busy(session.header.id))),
    say: (session, which, say) =>
      guarded(async () => {
        const words = await read(session);
        const chosen = words.filter(which);
        if (chosen.length === 0 || !(await say(chosen))) return ok(undefined);
        await write(session, words.filter((one) => !which(one)));
        return ok(undefined);
      }),
    endSteering: async (session) => {
      const ended = await changed(session, (words) => (words.some(({ steer }) => steer) ? words.map((one) => ({ ...one, steer: false })) : words));
      return ended.ok ? ok(undefined) : ended;
    },
  };
}

/** Behind what steers, before what waits. */
function placed(words: readonly QueuedWords[], one: QueuedWords): readonly QueuedWords[] {
  return [...words.filter(({ steer }) => steer), one, ...words.filter(({ steer }) => !steer)];
}

function changedWords(words: readonly QueuedWords[], id: string, change: QueueChange, busy: boolean): readonly QueuedWords[] {
  const one = words.find((each) => each.id === id);
  if (one === undefined) return words;
  const others = words.filter((each) => each !== one);
  switch (change.kind) {
    case 'text':
      return change.text.trim() === '' ? others : words.map((each) => (each === one ? { ...one, text: change.text } : each));
    case 'remove':
      return others;
    case 'front':
    case 'wait':
      return placed(others, { ...one, steer: false });
    case 'steer':
      return placed(others, { ...one, steer: busy });
  }
}
