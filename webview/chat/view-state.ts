import * as z from 'zod';
import type { VsCodeApi } from '../shared/vscode-api';

/** What the view remembers by itself over a reload: where one was and what was unfolded. Never content of the conversation. */
const viewState = z.object({
  sessionId: z.string().optional(),
  draft: z.string().catch(''),
  /** Row at the top of the view and how far its upper edge lies above the view's, px; absent while following. */
  place: z.object({ id: z.string(), offset: z.number() }).optional().catch(undefined),
  expanded: z.array(z.string()).catch([]),
});
type State = z.infer<typeof viewState>;
export type Place = NonNullable<State['place']>;

/** More unfolded cards than this are forgotten, oldest first. */
const maxExpanded = 200;

export interface ViewState {
  readonly draft: string;
  readonly place: Place | undefined;
  readonly sessionId: string | undefined;
  isExpanded(id: string): boolean;
  setExpanded(id: string, expanded: boolean): void;
  setDraft(text: string): void;
  setPlace(sessionId: string | undefined, place: Place | undefined): void;
}

/** A state of another version, or none, starts empty. */
export function createViewState(api: Pick<VsCodeApi, 'getState' | 'setState'>): ViewState {
  const stored = viewState.safeParse(api.getState());
  let state: State = stored.success ? stored.data : { draft: '', expanded: [] };
  const expanded = new Set(state.expanded);
  const save = (change: Partial<State>): void => {
    state = { ...state, ...change };
    api.setState(state);
  };
  return {
    get draft() {
      return state.draft;
    },
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
    setDraft: (draft) => { save({ draft }); },
    setPlace: (sessionId, place) => { save({ sessionId, place }); },
  };
}
