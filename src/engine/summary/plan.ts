/** Turns kept whole by compaction have at most so many tokens together. */
const MOST_KEPT = 20_000;
const KEPT_SHARE = 0.4;
/** Room for an answer, as a share of the window, where the model's output limit asks for less. */
const RESERVE_SHARE = 0.12;
/** No output limit, however large, takes more of the window than this. */
const MOST_RESERVE_SHARE = 0.5;
/** Room kept for the summary itself, in tokens. */
const SUMMARY_ROOM = 2_000;

export interface ModelSize {
  /** Tokens. */
  readonly window: number;
  readonly maxOutput: number;
}

/** Tokens a call may have before the discussion is compacted: the window minus room for the answer, max(output limit, 12 %). */
export function callLimit({ window, maxOutput }: ModelSize): number {
  const reserve = Math.max(maxOutput, Math.ceil(window * RESERVE_SHARE));
  return window - Math.min(reserve, Math.floor(window * MOST_RESERVE_SHARE));
}

/** A turn as it is sent. */
export interface SizedTurn {
  readonly id: string;
  readonly tokens: number;
}

export interface PlanInput {
  /** Not yet covered by a summary, oldest first, the current one last. */
  readonly turns: readonly SizedTurn[];
  readonly size: ModelSize;
  /** Tokens of what is sent besides turns and summary: system message and tools. */
  readonly fixed: number;
  /** Compact although there would be room: by hand, or because the service says that there is none. Then at most half of the turns' tokens stay. */
  readonly forced: boolean;
}

/**
 * How many of the oldest turns are to be summarised. Whole turns stay from the end, the last one always, about min(20,000, 40 % of the
 * window) tokens, and never more than there is room for.
 */
export function turnsToSummarise({ turns, size, fixed, forced }: PlanInput): number {
  const all = turns.reduce((sum, { tokens }) => sum + tokens, 0);
  const room = callLimit(size) - fixed - SUMMARY_ROOM;
  const budget = Math.min(MOST_KEPT, Math.floor(size.window * KEPT_SHARE), room, ...(forced ? [Math.floor(all / 2)] : []));
  return turns.length - fittingFromEnd(turns, budget);
}

/** How many turns from the end fit into `budget` tokens; the last one always. */
export function fittingFromEnd(turns: readonly SizedTurn[], budget: number): number {
  let kept = 0;
  let sum = 0;
  for (const { tokens } of [...turns].reverse()) {
    sum += tokens;
    if (kept > 0 && sum > budget) break;
    kept += 1;
  }
  return kept;
}
