import { RULES_FILE } from '../project/rules';
import { agentSystem } from '../prompt/agent-prompt';
import type { BuiltMessage } from '../prompt/blocks';
import type { TurnDeps } from './deps';

/** The system message as a turn that begins now has it. */
export async function systemOf(deps: TurnDeps): Promise<BuiltMessage> {
  const rules = deps.trusted() ? await deps.documents.read(RULES_FILE) : undefined;
  if (rules?.ok === false && rules.error.code !== 'doc.not-found') deps.log.warn('turn: AGENTS.md cannot be read', { code: rules.error.code });
  return agentSystem({
    assets: deps.assets(),
    config: deps.project.config,
    ...(rules?.ok === true ? { projectRules: rules.value.text } : {}),
  });
}
