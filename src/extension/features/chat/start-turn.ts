import type { Conversation } from '../../conversation';
import type { Desk } from './desk';

/** Turns that other features start, in the conversation that is shown. */
export function conversationOf(desk: Desk, mayWrite: () => boolean): Conversation {
  return {
    async run(input, watch) {
      const opened = await desk.open();
      if (!opened.ok) return opened;
      if (!mayWrite()) return { ok: false, error: { code: 'session.read-only' } };
      const chat = await desk.sessionFor(input.text);
      if (!chat.ok) return chat;
      const one = chat.value;
      if (!one.run(input, watch)) return { ok: false, error: { code: 'session.busy' } };
      return { ok: true, value: { sessionId: one.session.header.id, stop: () => { one.stop(); }, ended: one.idle() } };
    },
    async refresh(sessionId) {
      const chat = desk.current();
      if (chat?.session.header.id === sessionId) await chat.reload();
    },
  };
}
