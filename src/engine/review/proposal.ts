import * as z from 'zod';

/** What a proposal would do to the project: a changed text, a new file, another name (its text may change with it), a deletion. */
export type ProposalKind = 'modify' | 'create' | 'rename' | 'delete';

/** `rejected`: nothing of it was accepted. `dropped`: its turn was taken back, or the agent took it back itself. */
export type ProposalState = 'pending' | 'accepted' | 'rejected' | 'dropped';

/** What one turn did to a proposal; a side is `null` where there is no text (not there yet, deleted). */
export interface ProposalStep {
  readonly turn: string;
  readonly fromPath: string;
  readonly toPath: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** 字 added and taken away. */
export interface WordCount {
  readonly added: number;
  readonly removed: number;
}

/** One file that the agent would change, as it stands in memory. At most one of a session is pending for a file. */
export interface Proposal {
  readonly id: string;
  readonly sessionId: string;
  /** When it was first proposed, in ms. */
  readonly ts: number;
  /** Where the file would be; of a deletion, where it is. */
  readonly path: string;
  /** The file it is about; `null`: a new one. */
  readonly from: string | null;
  /** The text of that file that the proposal was made on; what has been accepted of the proposal is in it. */
  readonly base: string | null;
  /** As the agent wrote it. */
  readonly agent: string | null;
  /** As it would be accepted: with what the author has changed in it. `null`: deleted. */
  readonly text: string | null;
  /** Oldest first; the last one's turn is the proposal's. */
  readonly steps: readonly ProposalStep[];
  readonly state: ProposalState;
  /** Single changes accepted and rejected so far. */
  readonly accepted: number;
  readonly rejected: number;
  /** 字 of what has been accepted of it so far. */
  readonly done?: WordCount;
  /** 字, counted when it was decided. */
  readonly counts?: WordCount;
}

/** What the author decided, to be told to the agent once on each branch. */
export interface ReviewNote {
  readonly id: string;
  readonly ts: number;
  /** The turn whose proposal it was. */
  readonly turn: string;
  readonly path: string;
  readonly kind: 'accepted' | 'rejected' | 'tweaked';
  /** How many single changes; absent: the whole file. */
  readonly count?: number;
  /** `tweaked`: the agent's words and the author's. `rejected`: what was not wanted, in `before`. */
  readonly before?: string;
  readonly after?: string;
  /** The turns that were told of it; one that has left the branch does not count. */
  readonly told: readonly string[];
}

/** Everything of one session. */
export interface ReviewState {
  readonly sessionId: string;
  readonly proposals: readonly Proposal[];
  readonly notes: readonly ReviewNote[];
}

export const REVIEW_VERSION = 1;
export const REVIEW_FOLDER = '.liyuan/local/review';

const sha = z.string().nullable();

/** `.liyuan/local/review/<sessionId>.json`: texts are objects. Unknown keys are passed over: this machine's own, never merged. */
export const reviewFile = z.object({
  v: z.number().int(),
  session: z.string(),
  proposals: z.array(
    z.object({
      id: z.string(),
      ts: z.number(),
      path: z.string(),
      from: z.string().nullable(),
      base: sha,
      agent: sha,
      text: sha,
      steps: z.array(z.object({ turn: z.string(), fromPath: z.string(), toPath: z.string(), before: sha, after: sha })),
      state: z.enum(['pending', 'accepted', 'rejected', 'dropped']),
      accepted: z.number(),
      rejected: z.number(),
      done: z.object({ added: z.number(), removed: z.number() }).optional(),
      counts: z.object({ added: z.number(), removed: z.number() }).optional(),
    }),
  ),
  notes: z.array(
    z.object({
      id: z.string(),
      ts: z.number(),
      turn: z.string(),
      path: z.string(),
      kind: z.enum(['accepted', 'rejected', 'tweaked']),
      count: z.number().optional(),
      before: z.string().optional(),
      after: z.string().optional(),
      told: z.array(z.string()),
    }),
  ),
});
export type ReviewFile = z.infer<typeof reviewFile>;

export function kindOf({ from, path, text }: Pick<Proposal, 'from' | 'path' | 'text'>): ProposalKind {
  if (from === null) return 'create';
  if (text === null) return 'delete';
  return from === path ? 'modify' : 'rename';
}

/** The turn a proposal belongs to: the last one that worked on it. */
export const turnOf = (proposal: Pick<Proposal, 'steps'>): string => proposal.steps.at(-1)?.turn ?? '';

export const isPending = ({ state }: Pick<Proposal, 'state'>): boolean => state === 'pending';
