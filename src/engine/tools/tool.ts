import type * as z from 'zod';
import type { Documents } from '../ports/documents';
import type { EngineError, Result } from '../ports/result';
import type { Ui } from '../ports/ui';
import type { TurnJournal } from '../manuscript/checkpoints';
import type { Manuscript } from '../manuscript/manuscript';
import type { ProjectRules } from '../project/project';
import type { ForbiddenMatcher } from '../text/forbidden-words';
import type { RegexSearch } from './regex-search';

/**
 * The texts as the agent last saw or left them in this turn, by path. `write` replaces a whole file only if it still is
 * what the agent saw, so that words the author typed meanwhile are never overwritten unseen.
 */
export interface SeenTexts {
  get(path: string): string | undefined;
  note(path: string, text: string): void;
  forget(path: string): void;
}

/** What a tool may touch while it runs. */
export interface ToolContext {
  readonly documents: Documents;
  readonly manuscript: Manuscript;
  readonly rules: ProjectRules;
  readonly journal: TurnJournal;
  readonly ui: Pick<Ui, 'ask' | 'confirm'>;
  /** `AGENTS.md` may be read, and changed after a confirmation. */
  readonly trusted: boolean;
  /** What the agent has seen of the texts in this turn. */
  readonly seen: SeenTexts;
  readonly regexSearch: RegexSearch;
  /** The author's forbidden words, when they are used. */
  readonly forbidden?: ForbiddenMatcher | undefined;
  readonly callId: string;
  /** Characters one result may have; the rest is to be read by range. */
  readonly resultLimit: number;
  readonly signal: AbortSignal;
  /** What changes a file is proposed to the author, not done: receipts say so. */
  readonly proposes?: boolean;
}

/** What a receipt of a change adds when it is only proposed. */
export const proposedReceipt = ({ proposes }: Pick<ToolContext, 'proposes'>): Receipt => (proposes === true ? { proposed: true } : {});

/** A receipt: data for the model, never an order. Serialised as JSON. */
export type Receipt = Readonly<Record<string, unknown>>;

export interface ToolOutcome {
  readonly receipt: Receipt;
  /** The call ends the turn with no further model call. */
  readonly ends?: boolean;
  /** `ask` only: what the user decided. */
  readonly choice?: { readonly question: string; readonly options: readonly string[]; readonly answer?: string; readonly stopped?: boolean };
}

/** One tool: its zod schema is the only definition of its arguments. */
export interface Tool<S extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly schema: S;
  /** Reads of one batch may run together. */
  readonly reads: boolean;
  /** Other spellings that models use, turned into the schema's form before it is checked. */
  prepare?(args: unknown): unknown;
  run(args: z.infer<S>, context: ToolContext): Promise<Result<ToolOutcome, EngineError & { readonly receipt?: Receipt }>>;
}
