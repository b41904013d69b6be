import type { TokenPrice } from '../ports/models';

export interface EstimateInput {
  /** Tokens of each chapter's text. */
  readonly chapters: readonly number[];
  /** Tokens that every call begins with: rules, tools, what the turn is for, the author's words. */
  readonly standing: number;
  /** Places in each chapter, when they could be counted. */
  readonly places?: readonly number[];
  /** What came from a cache is not known beforehand: all input is counted at its full price. */
  readonly price?: TokenPrice | undefined;
}

export interface JobEstimate {
  readonly chapters: number;
  readonly calls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Only where there is a price. */
  readonly cost?: { readonly amount: number; readonly currency: string };
}

/** One call that changes, and one that says what was changed. */
const CALLS = 2;
/** The closing sentence, and what an answer has around its edits. */
const WORDS_OUT = 120;
/** Old and new words of one edit, with enough around them to be found. */
const PLACE_OUT = 60;
/** Where places cannot be counted: this part of a chapter is written anew. */
const SHARE_OUT = 0.25;

/** What a job will take, roughly: pure, from counts. The chapter is in both calls; what the first one wrote is in the second. */
export function estimateJob({ chapters, standing, places, price }: EstimateInput): JobEstimate {
  let tokensIn = 0;
  let tokensOut = 0;
  for (const [at, tokens] of chapters.entries()) {
    const count = places?.[at];
    const edits = count === undefined ? Math.ceil(tokens * SHARE_OUT) : count * PLACE_OUT;
    tokensIn += CALLS * (standing + tokens) + edits;
    tokensOut += edits + WORDS_OUT;
  }
  const cost = price === undefined ? {} : { cost: { amount: (tokensIn * price.input + tokensOut * price.output) / 1_000_000, currency: price.currency } };
  return { chapters: chapters.length, calls: chapters.length * CALLS, tokensIn, tokensOut, ...cost };
}
