import type { MentionCandidate, ChatMention } from '../../src/protocol/mentions';
import type { SlashCommand } from '../../src/protocol/slash-commands';
import { commandsFor, typedAt, type CommandState, type Typed } from './completion';
import type { CompletionRow } from './completion-list';
import type { ChatContext } from './context';

type Choice = { readonly kind: 'mention'; readonly mention: ChatMention } | { readonly kind: 'command'; readonly command: SlashCommand };

/** What the list offers for what is typed. Knows nothing of how it is drawn. */
export interface Completer {
  readonly rows: readonly CompletionRow[];
  readonly active: number;
  /** The box has changed, or its caret has moved. */
  look(text: string, caret: number): void;
  move(by: number): void;
  close(): void;
  /** What stands at a place of the list (default: the active one), with the part of the text that it takes the place of. */
  choose(at?: number): (Choice & { readonly typed: Typed }) | undefined;
}

export interface CompleterDeps {
  readonly context: () => ChatContext;
  readonly state: () => CommandState;
  readonly changed: () => void;
}

export function createCompleter({ context, state, changed }: CompleterDeps): Completer {
  let typed: Typed | undefined;
  let rows: readonly CompletionRow[] = [];
  let choices: readonly Choice[] = [];
  let active = 0;
  /** The sign at which the user has closed the list. */
  let closedAt: number | undefined;
  let asked = 0;

  const show = (next: readonly CompletionRow[], offered: readonly Choice[]): void => {
    rows = next;
    choices = offered;
    active = 0;
    changed();
  };
  const hide = (): void => {
    typed = undefined;
    asked += 1;
    if (rows.length > 0) show([], []);
  };

  function commands(query: string): void {
    const found = commandsFor(query, state());
    const chinese = context().words.locale.startsWith('zh');
    show(
      found.map(({ id, icon, en, zh, says }) => ({ icon, sign: `/${id}`, title: chinese ? zh : en, detail: chinese ? says.zh : says.en })),
      found.map((command) => ({ kind: 'command', command })),
    );
  }

  async function mentions(query: string, fresh: boolean): Promise<void> {
    asked += 1;
    const own = asked;
    const answer = await context().act('mentions', { query, fresh });
    // Only the newest question counts, and only while it is still asked.
    if (own !== asked || answer === undefined) return;
    show(answer.items.map(rowOf), answer.items.map(({ mention }) => ({ kind: 'mention', mention })));
  }

  return {
    get rows() {
      return rows;
    },
    get active() {
      return active;
    },
    look: (text, caret) => {
      const next = typedAt(text, caret);
      if (next === undefined || next.start !== closedAt) closedAt = undefined;
      if (next === undefined || next.start === closedAt) {
        hide();
        return;
      }
      const before = typed;
      if (before?.kind === next.kind && before.start === next.start && before.query === next.query) return;
      typed = next;
      if (next.kind === 'command') commands(next.query);
      else void mentions(next.query, before?.kind !== 'mention' || before.start !== next.start);
    },
    move: (by) => {
      if (rows.length === 0) return;
      active = (active + by + rows.length) % rows.length;
      changed();
    },
    close: () => {
      closedAt = typed?.start;
      hide();
    },
    choose: (at = active) => {
      const choice = choices[at];
      return choice === undefined || typed === undefined ? undefined : { ...choice, typed };
    },
  };
}

const rowOf = ({ group, icon, title, detail }: MentionCandidate): CompletionRow => ({ group, icon, title, detail });
