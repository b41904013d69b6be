import type { TraceBlock, TraceLine } from './trace-schema';

/** What a call was made of, in the order in which it is sent. */
const contextParts = ['rules', 'project-rules', 'material', 'facts', 'tools', 'history', 'state', 'words'] as const;
export type ContextPart = (typeof contextParts)[number];

export interface ContextUse {
  /** Time of the call, ms since the epoch. */
  readonly ts: number;
  readonly model: string;
  /** Tokens of each part that has any, as we count them, times what is known of the model's own; the endpoint may count a little otherwise. */
  readonly parts: readonly { readonly part: ContextPart; readonly tokens: number }[];
  /** That much is known of the model's own tokens that the counts agree with its service's. */
  readonly calibrated?: true;
}

function partOf(block: TraceBlock): ContextPart {
  switch (block.kind) {
    case 'rules':
    case 'project-rules':
    case 'facts':
    case 'history':
    case 'words':
      return block.kind;
    default:
      // Other parts of the system message are material; what else stands before the author's words is the state.
      return block.role === 'system' ? 'material' : 'state';
  }
}

/** The blocks of a call by part. `scale`: the model's tokens for one of ours, and whether that is known well. Pure. */
export function contextUse(call: TraceLine, toolTokens: number, scale = { factor: 1, learned: false }): ContextUse {
  const tokens = new Map<ContextPart, number>([['tools', toolTokens]]);
  for (const block of call.blocks) tokens.set(partOf(block), (tokens.get(partOf(block)) ?? 0) + block.tokens);
  return {
    ts: call.ts,
    model: call.model,
    ...(scale.learned ? { calibrated: true as const } : {}),
    parts: contextParts.flatMap((part) => {
      const count = tokens.get(part) ?? 0;
      return count === 0 ? [] : [{ part, tokens: Math.round(count * scale.factor) }];
    }),
  };
}
