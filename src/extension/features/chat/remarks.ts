import type { TurnEvent } from '../../../engine/index';

/** Work outside of turns: its refusal is a remark in the conversation, since no turn has failed. */
export async function* asRemark(events: AsyncIterable<TurnEvent>): AsyncGenerator<TurnEvent> {
  for await (const event of events) {
    if (event.type !== 'ended' || event.error === undefined) yield event;
    else {
      if (event.error.code !== 'turn.aborted') yield { type: 'notice', error: event.error };
      yield { type: 'ended', turnId: event.turnId, status: event.status };
    }
  }
}
