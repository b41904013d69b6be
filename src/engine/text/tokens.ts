import { sha256Hex } from './hash';

export interface TokenCounter {
  /** Tokens of a text by o200k_base. Loads the tables on first use. */
  count(text: string): Promise<number>;
  /** The same when the tables are there, else `undefined`. */
  countSync(text: string): number | undefined;
}

type CountTokens = (text: string) => number;

/** Longer runs without a break are counted in pieces: merging costs more than linear time within one run. */
const pieceLength = 400;
const longRun = /[^\s\p{P}]{401,}/u;
const remembered = 4_096;

let loaded: CountTokens | undefined;
let loading: Promise<CountTokens> | undefined;

function load(): Promise<CountTokens> {
  loading ??= import('gpt-tokenizer/encoding/o200k_base').then(
    ({ countTokens }) => {
      // Words such as <|endoftext|> in a novel are words.
      loaded = (text) => countTokens(text, { disallowedSpecial: new Set() });
      return loaded;
    },
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

function countPieces(text: string, count: CountTokens): number {
  if (text.length <= pieceLength || !longRun.test(text)) return count(text);
  let total = 0;
  for (const part of text.match(/[^\s\p{P}]{1,400}|[\s\p{P}]+/gu) ?? []) total += count(part);
  return total;
}

/** A counter that remembers what it has counted, a bounded number of texts. The tables are loaded once a process, when asked for. */
export function createTokenCounter(): TokenCounter {
  const known = new Map<string, number>();
  const counted = (text: string, count: CountTokens): number => {
    if (text === '') return 0;
    const key = text.length <= 64 ? text : sha256Hex(text);
    const before = known.get(key);
    if (before !== undefined) return before;
    const tokens = countPieces(text, count);
    if (known.size >= remembered) known.delete(known.keys().next().value as string);
    known.set(key, tokens);
    return tokens;
  };
  return {
    count: async (text) => counted(text, loaded ?? (await load())),
    countSync: (text) => (loaded === undefined ? undefined : counted(text, loaded)),
  };
}

const shared = createTokenCounter();

/** Tokens of a text by o200k_base, remembered. */
export function countTokens(text: string): Promise<number> {
  return shared.count(text);
}
