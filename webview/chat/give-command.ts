import type { SlashCommand } from '../../src/protocol/slash-commands';
import type { ChatContext } from './context';

/** Does what a command says: the conversation's own by its request, all others by the host. */
export function giveCommand({ id, does }: SlashCommand, { act }: ChatContext, lastTurn: string | undefined): void {
  if ('command' in does) {
    void act('command', { id });
    return;
  }
  switch (does.ask) {
    case 'newSession':
      void act('newSession', {});
      return;
    case 'stop':
      void act('stop', {});
      return;
    case 'undo':
      if (lastTurn !== undefined) void act('undoTurn', { turnId: lastTurn });
      return;
    case 'retry':
    case 'continue':
      void act('action', { action: does.ask });
      return;
    case 'rules':
      void act('command', { id });
      return;
  }
}
