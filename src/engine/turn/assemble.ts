import type { ModelClient, Usage } from '../ports/models';
import type { Result } from '../ports/result';
import { ok, refuse } from '../ports/result';
import type { BuiltMessage, PromptBlock } from '../prompt/blocks';
import { historyMessages } from '../prompt/history';
import { fixedTokens, messageTokens } from '../prompt/measure';
import type { EntryOf } from '../session/entries';
import { hiddenOn } from '../session/history';
import type { ModelSize } from '../summary/plan';
import { callLimit, fittingFromEnd } from '../summary/plan';
import { compactedBranch } from '../summary/summary-at';
import { inOurTokens, scaleKey } from '../text/token-scale';
import type { ToolSet } from '../tools/registry';
import type { CompactionInput } from './compaction';
import { guardedCompaction, openTurns, oweSummary, sizedTurns } from './compaction';
import { loadContexts, namedBlocks } from './state-block';

export interface AssemblerInput extends CompactionInput {
  readonly client: ModelClient;
  readonly system: BuiltMessage;
  readonly tools: ToolSet;
}

/** Makes the messages of each call of a turn, and sees to it that they fit into the model's window. */
export interface Assembler {
  /**
   * The messages of the next call. Too long for the window: earlier turns are summarised first, or, if that fails and nothing else
   * helps, the oldest are left out, which is told. Refuses `model.context-overflow` when the last turn alone is too long.
   */
  next(): Promise<Result<readonly BuiltMessage[]>>;
  /** The same once more, shorter, after the service found the call too long; `undefined`: it cannot be made shorter, or that has been tried. */
  shorter(): Promise<Result<readonly BuiltMessage[]> | undefined>;
  /** What the service counted for the messages made last. */
  learn(usage: Usage | undefined): void;
}

export function createAssembler(input: AssemblerInput): Assembler {
  const { deps, log, client, emit, signal } = input;
  const leftOut = new Set<string>();
  /** Summarising has failed in this turn, or there is nothing to summarise: it is not tried again in it. */
  let gaveUp = false;
  let shortened = false;
  let lastTokens = 0;
  let known: number | undefined;

  const size = (): ModelSize => inOurTokens(client, deps.tokenScale);
  /** The same for the whole turn, so counted once. */
  const fixed = async (): Promise<number> => (known ??= await fixedTokens(input.system.message, input.tools.specs, deps.countTokens));

  const build = async (): Promise<readonly BuiltMessage[]> => {
    const said = await history(input, leftOut);
    lastTokens = (await fixed()) + (await messageTokens(said.map(({ message }) => message), deps.countTokens));
    return [input.system, ...said];
  };

  /** Whether earlier turns are in a summary now. */
  const compact = async (forced: boolean): Promise<boolean> => {
    if (gaveUp) return false;
    const done = await guardedCompaction(input, { size: size(), fixed: await fixed(), forced });
    if (done.ok) return true;
    gaveUp = true;
    if (!signal.aborted && done.error.code !== 'summary.nothing') await oweSummary(input, done.error);
    return false;
  };

  const leaveOut = async (budget: (turns: number) => number): Promise<boolean> => {
    const turns = (await sizedTurns(input, openTurns(log))).filter(({ id }) => !leftOut.has(id));
    const all = turns.reduce((sum, { tokens }) => sum + tokens, 0);
    const dropped = turns.slice(0, turns.length - fittingFromEnd(turns, budget(all)));
    for (const { id } of dropped) leftOut.add(id);
    if (dropped.length > 0) emit({ type: 'notice', error: { code: 'summary.left-out', args: { count: leftOut.size } } });
    return dropped.length > 0;
  };

  return {
    async next() {
      let messages = await build();
      if (lastTokens <= callLimit(size())) return ok(messages);
      if (await compact(false)) messages = await build();
      const { window, maxOutput } = size();
      const most = window - Math.min(maxOutput, Math.floor(window / 2));
      if (lastTokens > most && !signal.aborted) {
        const others = lastTokens;
        if (await leaveOut((turns) => Math.floor(most * 0.9) - (others - turns))) messages = await build();
      }
      return lastTokens > window && !signal.aborted ? refuse('model.context-overflow') : ok(messages);
    },

    async shorter() {
      if (shortened) return undefined;
      shortened = true;
      if (!(await compact(true)) && (signal.aborted || !(await leaveOut((turns) => Math.floor(turns / 2))))) return undefined;
      return ok(await build());
    },

    learn(usage) {
      deps.tokenScale.learn(scaleKey(client), lastTokens, usage);
    },
  };
}

async function history({ deps, log, contexts }: AssemblerInput, leftOut: ReadonlySet<string>): Promise<readonly BuiltMessage[]> {
  const { summary, entries } = compactedBranch(log.entries);
  await loadContexts(deps, entries, contexts);
  const context = log.entries.findLast((entry): entry is EntryOf<'context'> => entry.type === 'context');
  const blocks = context === undefined ? undefined : await namedBlocks(deps, context, contexts.get(context.data.sha));
  const { texts } = deps.assets();
  return historyMessages(entries, {
    contextText: (sha) => contexts.get(sha),
    noReply: texts.noReply,
    hidden: new Set([...hiddenOn(log.entries), ...leftOut]),
    ...(context === undefined || blocks === undefined ? {} : { currentContext: { entryId: context.id, blocks } }),
    ...(summary === undefined ? {} : { lead: summaryBlock(summary, texts.summary) }),
  });
}

/** One block without blank lines, so that nobody takes its end for the author's words. */
function summaryBlock({ id, data }: EntryOf<'summary'>, title: string): PromptBlock {
  return { kind: 'summary', title, source: id, text: `${title}\n${data.text.replace(/\n\s*\n/g, '\n')}` };
}
