import { forbiddenMatcher, readWritingRules } from '../project/writing-rules';
import { agentSystem } from '../prompt/agent-prompt';
import type { BuiltMessage } from '../prompt/blocks';
import { ruleBlocks } from '../prompt/rule-blocks';
import type { ForbiddenMatcher } from '../text/forbidden-words';
import type { TurnDeps } from './deps';

/** What a turn that begins now is told once and for all, and what the program checks by it. */
export interface TurnRules {
  readonly system: BuiltMessage;
  readonly forbidden: ForbiddenMatcher | undefined;
}

export async function turnRules(deps: TurnDeps): Promise<TurnRules> {
  const rules = await readWritingRules(deps);
  const assets = deps.assets();
  return { system: agentSystem({ assets, config: deps.project.config, rules: ruleBlocks(rules, assets.texts) }), forbidden: forbiddenMatcher(rules) };
}
