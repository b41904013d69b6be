import type { Mention } from '../session/mentions';
import type { NewEntry } from '../session/entries';
import type { TurnDeps } from './deps';
import type { TurnEvent } from './events';
import { mentionBlock } from './mention-block';
import type { TurnLog } from './turn-log';
import type { QueuedWords, WordQueue } from './word-queue';

export interface SteeringInput {
  readonly deps: TurnDeps;
  readonly queue: WordQueue;
  readonly log: TurnLog;
  readonly emit: (event: TurnEvent) => void;
}

/**
 * Puts the words that steer behind the tool results of this turn, on the disk before the model is sent them. `false`: the session cannot
 * be written any more. A queue that cannot be read leaves them where they are; the turn goes on without them.
 */
export async function deliverSteering({ deps, queue, log, emit }: SteeringInput): Promise<boolean> {
  let written = true;
  let delivered: readonly string[] = [];
  const said = await queue.say(
    log.session,
    ({ steer }) => steer,
    async (words) => {
      written = await log.append(await Promise.all(words.map((one) => steerEntry(deps, one))), true);
      if (written) delivered = words.map(({ id }) => id);
      return written;
    },
  );
  if (!said.ok) deps.log.warn('turn: words that steer cannot be taken out of the queue', { code: said.error.code });
  if (delivered.length > 0) emit({ type: 'steered', ids: delivered });
  return written;
}

async function steerEntry(deps: TurnDeps, { id, text, mentions }: QueuedWords): Promise<NewEntry> {
  const block = await mentionBlock(deps, mentions);
  const [sha] = block === undefined ? [] : await deps.objects.putAll([new TextEncoder().encode(block.text)]);
  return { type: 'steer', id, data: { text, ...withMentions(mentions), ...(sha === undefined ? {} : { sha }) } };
}

/** Mentions as an entry holds them. */
export function withMentions(mentions: readonly Mention[]): { readonly attachments?: Mention[] } {
  return mentions.length === 0 ? {} : { attachments: [...mentions] };
}
