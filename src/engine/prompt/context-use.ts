import type { TraceBlock, TraceLine } from './trace-schema';

/** What a call was made of, in the order in which it is sent. */
const contextParts = ['rules', 'project-rules', 'material', 'facts', 'tools', 'history', 'state', 'words'] as const;
export type ContextPart = (typeof contextParts)[number];

export interface ContextUse {
  /** Time of the call, ms since the epoch. */
  readonly ts: number;
  readonly model: string;
  /** Tokens of each part that has any, as we count them; the endpoint may count a little otherwise. */
  readonly parts: readonly { readonly part: ContextPart; readonly tokens: number }[];
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

/** The blocks of a call by part. Pure. */
export function contextUse(call: TraceLine, toolTokens: number): ContextUse {
  const tokens = new Map<ContextPart, number>([['tools', toolTokens]]);
  for (const block of call.blocks) tokens.set(partOf(block), (tokens.get(partOf(block)) ?? 0) + block.tokens);
  return {
    ts: call.ts,
    model: call.model,
    parts: contextParts.flatMap((part) => {
      const count = tokens.get(part) ?? 0;
      return count === 0 ? [] : [{ part, tokens: count }];
    }),
  };
}
