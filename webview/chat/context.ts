import type { chatRequests, ChatStatus } from '../../src/protocol/chat';
import type { RequestOf, ResponseOf } from '../../src/protocol/envelope';
import type { ChatStringKey } from '../../src/protocol/chat-strings';
import type { Translator } from '../shared/strings';
import type { ViewState } from './view-state';

type Requests = typeof chatRequests;

/** What a person can do here. A refusal is shown to the user; the promise then gives `undefined`. */
export type Act = <N extends keyof Requests & string>(name: N, body: RequestOf<Requests, N>) => Promise<ResponseOf<Requests, N> | undefined>;

/** What every part of the view needs. A new object when the language arrives; otherwise one for the life of the page. */
export interface ChatContext {
  readonly words: Translator<ChatStringKey>;
  readonly act: Act;
  readonly view: ViewState;
  /** Puts words into the input box as if typed there, and focuses it. */
  readonly compose: (text: string) => void;
}

/** What rows need to know of the rest; changes rarely, so that rows are rarely rendered again. */
export interface RowEnvironment {
  readonly context: ChatContext;
  /** A turn runs or is being ended: nothing may be taken back now. */
  readonly busy: boolean;
  readonly readOnly: boolean;
  /** The turn that stands last. */
  readonly lastTurn: string | undefined;
}

export function isBusy(status: ChatStatus): boolean {
  return status.phase !== 'idle' && status.phase !== 'side';
}
