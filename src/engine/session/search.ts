import type { Files } from '../ports/files';
import type { Log } from '../ports/log';
import { EngineFailure } from '../ports/result';
import { mapLimited } from '../store/limited';
import { createSessionWords } from './session-words';

/** A session in which the wanted words stand. */
export interface SessionHit {
  /** The name of its file without the ending; its id, unless it is a copy that a cloud drive left. */
  readonly id: string;
  /** How often, up to 999. */
  readonly count: number;
  /** Around the newest place. `match` as it is written there. */
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

export interface SessionSearch {
  /**
   * Sessions whose words (the author's, the agent's replies and what it said between steps; on every branch) contain these, whatever the
   * case of their letters; blank words are in none. At most `most`. A session that cannot be read is logged and left out. Empty when aborted.
   */
  find(words: string, options: { readonly signal: AbortSignal; readonly most?: number }): Promise<readonly SessionHit[]>;
}

const FOLDER = '.liyuan/sessions';
const AT_ONCE = 8;
const MOST = 200;
const MOST_COUNT = 999;
/** Characters shown on either side of a place. */
const AROUND = 40;

export function createSessionSearch(deps: { readonly files: Files; readonly log: Log; readonly readOnly: boolean }): SessionSearch {
  const { files, log } = deps;
  const words = createSessionWords(deps);

  async function look(id: string, wanted: string): Promise<SessionHit | undefined> {
    try {
      const text = await words.of(id);
      return text === undefined ? undefined : hitIn(id, text, wanted);
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
      log.warn('words of a session cannot be read', { id, code: error.error.code });
      return undefined;
    }
  }

  return {
    find: async (text, { signal, most = MOST }) => {
      const wanted = text.trim().toLowerCase();
      if (wanted === '') return [];
      const names = (await files.list(FOLDER)).filter(({ name, kind }) => kind === 'file' && name.endsWith('.jsonl'));
      const ids = names.map(({ name }) => name.slice(0, -'.jsonl'.length)).sort().reverse();
      const found: SessionHit[] = [];
      await mapLimited(ids, AT_ONCE, async (id) => {
        if (signal.aborted || found.length >= most) return;
        const hit = await look(id, wanted);
        if (hit !== undefined && found.length < most) found.push(hit);
      });
      return signal.aborted ? [] : found;
    },
  };
}

function hitIn(id: string, text: string, wanted: string): SessionHit | undefined {
  const low = lowered(text);
  let count = 0;
  let last = -1;
  for (let at = low.indexOf(wanted); at !== -1 && count < MOST_COUNT; at = low.indexOf(wanted, at + wanted.length)) {
    count += 1;
    last = at;
  }
  if (count === 0) return undefined;
  const start = Math.max(text.lastIndexOf('\n', last) + 1, last - AROUND);
  const lineEnd = text.indexOf('\n', last);
  const end = Math.min(lineEnd === -1 ? text.length : lineEnd, last + wanted.length + AROUND);
  const to = last + wanted.length;
  return { id, count, before: whole(text.slice(start, last)), match: text.slice(last, to), after: whole(text.slice(to, end)) };
}

/** In small letters, as long as before: where a letter grows (`İ`), the text is searched as it stands, so that places stay right. */
function lowered(text: string): string {
  const low = text.toLowerCase();
  return low.length === text.length ? low : text;
}

/** Without half a character at either end. */
const whole = (text: string): string => text.replace(/^[\udc00-\udfff]/, '').replace(/[\ud800-\udbff]$/, '');
