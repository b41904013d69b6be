import * as z from 'zod';
import { chatMention, type ChatMention } from '../../src/protocol/mentions';
import type { VsCodeApi } from '../shared/vscode-api';

/** What the view remembers by itself over a reload: where one was, what was unfolded, the words in the box. Never content of the conversation. */
const viewState = z.object({
  sessionId: z.string().optional(),
  /** Words in the box that are not sent, by conversation; `''`: the new one, not written yet. */
  drafts: z.record(z.string(), z.string()).catch({}),
  /** What those words point at, by conversation. */
  draftMentions: z.record(z.string(), z.array(chatMention)).catch({}),
  /** Row at the top of the view and how far its upper edge lies above the view's, px; absent while following. */
  place: z.object({ id: z.string(), offset: z.number() }).optional().catch(undefined),
  expanded: z.array(z.string()).catch([]),
});
type State = z.infer<typeof viewState>;
export type Place = NonNullable<State['place']>;

/** More unfolded cards than this are forgotten, oldest first. */
const maxExpanded = 200;

export interface ViewState {
  readonly place: Place | undefined;
  readonly sessionId: string | undefined;
  isExpanded(id: string): boolean;
  setExpanded(id: string, expanded: boolean): void;
  /** What stood in the box in this conversation; nothing when it was empty. */
  draft(sessionId: string | undefined): string | undefined;
  /** What those words pointed at. */
  draftMentions(sessionId: string | undefined): readonly ChatMention[];
  setDraft(sessionId: string | undefined, text: string, mentions?: readonly ChatMention[]): void;
  setPlace(sessionId: string | undefined, place: Place | undefined): void;
}

/** A state of another version, or none, starts empty. */
export function createViewState(api: Pick<VsCodeApi, 'getState' | 'setState'>): ViewState {
  const stored = viewState.safeParse(api.getState());
  let state: State = stored.success ? stored.data : { drafts: {}, draftMentions: {}, expanded: [] };
  const expanded = new Set(state.expanded);
  const save = (change: Partial<State>): void => {
    state = { ...state, ...change };
    api.setState(state);
  };
  return {
    get place() {
      return state.place;
    },
    get sessionId() {
      return state.sessionId;
    },
    isExpanded: (id) => expanded.has(id),
    setExpanded: (id, open) => {
      expanded.delete(id);
      if (open) expanded.add(id);
      for (const oldest of expanded) {
        if (expanded.size <= maxExpanded) break;
        expanded.delete(oldest);
      }
      save({ expanded: [...expanded] });
    },
    draft: (id) => state.drafts[id ?? ''],
    draftMentions: (id) => state.draftMentions[id ?? ''] ?? [],
    setDraft: (id, text, mentions = []) => {
      const { [id ?? '']: _, ...others } = state.drafts;
      const { [id ?? '']: __, ...pointing } = state.draftMentions;
      save({
        drafts: text === '' ? others : { ...others, [id ?? '']: text },
        draftMentions: mentions.length === 0 ? pointing : { ...pointing, [id ?? '']: [...mentions] },
      });
    },
    setPlace: (sessionId, place) => { save({ sessionId, place }); },
  };
}
