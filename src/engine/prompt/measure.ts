import type { ModelMessage, ModelRequest, ToolSpec } from '../ports/models';
import { canonicalTools } from './canonical';

/** Tokens of a message's own form, beside its texts. */
const PER_MESSAGE = 4;

export type CountTokens = (text: string) => Promise<number>;

/** Tokens of messages as they are sent, by real counts of every part: texts, reasoning, calls. */
export async function messageTokens(messages: readonly ModelMessage[], count: CountTokens): Promise<number> {
  let sum = 0;
  for (const message of messages) {
    sum += PER_MESSAGE + (await count(message.content));
    if (message.role !== 'assistant') continue;
    if (message.reasoning !== undefined) sum += await count(message.reasoning);
    for (const { callId, name, args } of message.calls ?? []) sum += PER_MESSAGE + (await count(callId)) + (await count(name)) + (await count(args));
  }
  return sum;
}

export function toolTokens(tools: readonly ToolSpec[], count: CountTokens): Promise<number> {
  return tools.length === 0 ? Promise.resolve(0) : count(canonicalTools(tools));
}

/** Tokens of what each call of a turn has besides the conversation: the system message and the tools. */
export async function fixedTokens(system: ModelMessage, tools: readonly ToolSpec[], count: CountTokens): Promise<number> {
  return (await messageTokens([system], count)) + (await toolTokens(tools, count));
}

/** Tokens of a whole request. */
export async function requestTokens({ messages, tools = [] }: Pick<ModelRequest, 'messages' | 'tools'>, count: CountTokens): Promise<number> {
  return (await messageTokens(messages, count)) + (await toolTokens(tools, count));
}
