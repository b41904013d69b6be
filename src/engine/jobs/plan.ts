import type { Documents } from '../ports/documents';
import type { TokenPrice } from '../ports/models';
import type { Result } from '../ports/result';
import { ok, refuse } from '../ports/result';
import { estimateJob, type JobEstimate } from './estimate';
import { literalOf } from './literal';

/** What a job would take, before anything is sent. */
export interface JobPlan {
  /** Of all chapters that were chosen. */
  readonly all: JobEstimate;
  /** Set when the instruction replaces words and nothing else: the chapters that have them, and what those alone would take. */
  readonly literal?: { readonly words: string; readonly paths: readonly string[]; readonly places: number; readonly estimate: JobEstimate };
}

export interface PlanDeps {
  readonly documents: Pick<Documents, 'read'>;
  readonly countTokens: (text: string) => Promise<number>;
  /** Tokens of what every call begins with, without the author's words. */
  readonly standing: () => Promise<number>;
  /** Of the model that writes. */
  readonly price?: () => Promise<TokenPrice | undefined>;
  /** The model's tokens for one of those; 1 when absent. */
  readonly tokenFactor?: () => Promise<number>;
}

/** Reads the chapters as they stand in the editor and counts. Refuses `turn.aborted`, and what reading refuses. */
export async function planJob(deps: PlanDeps, instruction: string, paths: readonly string[], signal: AbortSignal): Promise<Result<JobPlan>> {
  const factor = (await deps.tokenFactor?.()) ?? 1;
  const standing = Math.round(factor * ((await deps.standing()) + (await deps.countTokens(instruction))));
  const price = await deps.price?.();
  const words = literalOf(instruction);
  const tokens: number[] = [];
  const places: number[] = [];
  for (const path of paths) {
    if (signal.aborted) return refuse('turn.aborted');
    const live = await deps.documents.read(path);
    if (!live.ok) return live;
    tokens.push(Math.round(factor * (await deps.countTokens(live.value.text))));
    places.push(words === undefined ? 0 : live.value.text.split(words).length - 1);
  }
  if (words === undefined) return ok({ all: estimateJob({ chapters: tokens, standing, price }) });
  const have = paths.flatMap((path, at) => ((places[at] ?? 0) > 0 ? [{ path, tokens: tokens[at] ?? 0, places: places[at] ?? 0 }] : []));
  return ok({
    all: estimateJob({ chapters: tokens, standing, places, price }),
    literal: {
      words,
      paths: have.map(({ path }) => path),
      places: have.reduce((sum, one) => sum + one.places, 0),
      estimate: estimateJob({ chapters: have.map((one) => one.tokens), standing, places: have.map((one) => one.places), price }),
    },
  });
}
