import * as z from 'zod';
import type { Usage } from '../ports/models';

/** Where what was learned is kept, on this machine. What `get` gives may be anything. */
export interface ScaleMemory {
  get(): unknown;
  set(kept: unknown): void;
}

/**
 * How the tokens of each model compare with ours (o200k_base), learned from what its service counts. A model is named by whoever asks,
 * the same way each time (`scaleKey`).
 */
export interface TokenScale {
  /** The model's tokens for one of ours; 1 while nothing is known. */
  factor(model: string): number;
  /** True once enough calls have been seen for estimates to be called exact enough. */
  learned(model: string): boolean;
  /** One call: what we counted of what was sent, and what the service says. Ignored without figures. */
  learn(model: string, estimated: number, usage: Usage | undefined): void;
}

/** No tokenizer differs more from ours. What is counted as less leaves something out, such as what was cached, and is not believed. */
const LEAST = 0.4;
const MOST = 2.5;
/** Weight of the newest call. */
const NEWEST = 0.3;
const LEARNED_AFTER = 3;
/** Below so many tokens what a service adds of its own counts for more than the tokenizer. */
const LEAST_ESTIMATE = 100;
/** Models remembered; the one that was asked longest ago goes first. */
const MOST_KEPT = 100;

const keptSchema = z.object({ model: z.string(), factor: z.number().min(LEAST).max(MOST), calls: z.number().int().positive() });
type Kept = Readonly<z.infer<typeof keptSchema>>;

export function createTokenScale(memory?: ScaleMemory): TokenScale {
  const stored = memory?.get();
  const known = new Map<string, Kept>(
    (Array.isArray(stored) ? stored : []).flatMap((one: unknown) => {
      const kept = keptSchema.safeParse(one);
      return kept.success ? [[kept.data.model, kept.data] as const] : [];
    }),
  );

  return {
    factor: (model) => known.get(model)?.factor ?? 1,
    learned: (model) => (known.get(model)?.calls ?? 0) >= LEARNED_AFTER,
    learn(model, estimated, usage) {
      const ratio = ratioOf(estimated, usage);
      if (ratio === undefined) return;
      const before = known.get(model);
      known.delete(model);
      if (known.size >= MOST_KEPT) known.delete(known.keys().next().value as string);
      // The first few weigh alike, so that the very first is not believed for long.
      const weight = Math.max(NEWEST, 1 / ((before?.calls ?? 0) + 1));
      const factor = before === undefined ? ratio : before.factor + weight * (ratio - before.factor);
      known.set(model, { model, factor, calls: Math.min(LEARNED_AFTER, (before?.calls ?? 0) + 1) });
      memory?.set([...known.values()]);
    },
  };
}

function ratioOf(estimated: number, usage: Usage | undefined): number | undefined {
  if (usage === undefined || estimated < LEAST_ESTIMATE) return undefined;
  const { input, cached = 0 } = usage;
  // What was cached is part of the input, unless it is more: then the service leaves it out there.
  const counted = cached > input ? input + cached : input;
  // What was counted on this side may be as rough as characters by four, which no Chinese text fits in: it only ever makes room smaller.
  const ratio = usage.estimated === true ? Math.max(1, counted / estimated) : counted / estimated;
  return Number.isFinite(ratio) && ratio >= LEAST ? Math.min(MOST, ratio) : undefined;
}

interface Sized {
  readonly id?: string;
  readonly name: string;
  readonly window: number;
  readonly maxOutput: number;
}

/** The name of a client's model for the scale. */
export const scaleKey = ({ id, name }: Pick<Sized, 'id' | 'name'>): string => id ?? name;

/** A model's sizes in tokens as we count them. */
export function inOurTokens(client: Sized, scale: Pick<TokenScale, 'factor'>): Pick<Sized, 'window' | 'maxOutput'> {
  const factor = scale.factor(scaleKey(client));
  return { window: Math.floor(client.window / factor), maxOutput: Math.ceil(client.maxOutput / factor) };
}
