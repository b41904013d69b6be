import type { ModelMessage, ModelRequest } from '../ports/models';
import type { Lessons } from './lessons';
import type { ModelProfile, ToolProtocol } from './profile';
import { NO_MORE_CALLS, toldTools, withWrittenCalls, writtenResult } from './text-tools';

type Fields = Record<string, unknown>;

/** Says nothing; some templates want a word of the assistant's there. */
const BRIDGE: ModelMessage = { role: 'assistant', content: '…' };

/** How tools go to this endpoint, by the profile and what it has taught. */
export const protocolOf = (profile: ModelProfile, lessons: Lessons): ToolProtocol =>
  profile.tools === 'native' && lessons.noTools === true ? 'none' : profile.tools;

/**
 * The messages as this endpoint takes them. Message by message but for what is merged, so that a request's messages are the beginning
 * of the next one's.
 */
export function wireMessages(request: ModelRequest, profile: ModelProfile, lessons: Lessons): readonly Readonly<Fields>[] {
  const protocol = protocolOf(profile, lessons);
  const said = protocol === 'native' ? request.messages : inWords(request, protocol);
  const shaped = withSystem(said, lessons);
  const merged = lessons.mergeRoles === true ? mergedRoles(shaped) : shaped;
  const bridged = lessons.bridge === true ? merged.flatMap((message, at) => (message.role === 'user' && merged[at - 1]?.role === 'tool' ? [BRIDGE, message] : [message])) : merged;
  return bridged.map((message, at) => wireMessage(message, at === 0 && lessons.system === 'developer', profile, lessons));
}

/** Tools, calls and results told in words; where there is no way to call any, the calls are left out and what came of them is not. */
function inWords({ messages, tools = [], toolChoice }: ModelRequest, protocol: 'text' | 'none'): readonly ModelMessage[] {
  const told = protocol === 'none' || tools.length === 0 ? undefined : toldTools(tools);
  const said = messages.flatMap((message): readonly ModelMessage[] => {
    if (message.role === 'tool') return [{ role: 'user', content: writtenResult(message.name, message.content) }];
    if (message.role !== 'assistant' || message.calls === undefined) return [message];
    const content = protocol === 'none' ? message.content : withWrittenCalls(message.content, message.calls);
    return content === '' ? [] : [{ role: 'assistant', content }];
  });
  if (told === undefined) return said;
  const [first, ...rest] = said;
  const led: readonly ModelMessage[] = first?.role === 'system' ? [{ role: 'system', content: `${first.content}\n\n${told}` }, ...rest] : [{ role: 'system', content: told }, ...said];
  return toolChoice === 'none' ? [...led, { role: 'user', content: NO_MORE_CALLS }] : led;
}

function withSystem(messages: readonly ModelMessage[], { system, oneSystem }: Lessons): readonly ModelMessage[] {
  const one = oneSystem === true || system === 'user' ? messages.map((message, at): ModelMessage => (at > 0 && message.role === 'system' ? { role: 'user', content: message.content } : message)) : messages;
  const [first, ...rest] = one;
  if (system !== 'user' || first?.role !== 'system') return one;
  const [next] = rest;
  return next?.role === 'user' ? [joined(first, next, 'user'), ...rest.slice(1)] : [{ role: 'user', content: first.content }, ...rest];
}

/** Results of tools stay by themselves, and so does what stands before them. */
function mergedRoles(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const merged: ModelMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last === undefined || last.role !== message.role || message.role === 'tool') merged.push(message);
    else if (message.role !== 'assistant') merged.splice(-1, 1, joined(last, message, message.role));
    else if (last.role === 'assistant' && last.calls === undefined) merged.splice(-1, 1, { ...message, content: between(last.content, message.content) });
    else merged.push(message);
  }
  return merged;
}

const between = (before: string, after: string): string => [before, after].filter((part) => part !== '').join('\n\n');

const joined = (before: ModelMessage, after: ModelMessage, role: 'system' | 'user'): ModelMessage => ({ role, content: between(before.content, after.content) });

function wireMessage(message: ModelMessage, asDeveloper: boolean, profile: ModelProfile, lessons: Lessons): Readonly<Fields> {
  switch (message.role) {
    case 'system':
      return { role: asDeveloper ? 'developer' : 'system', content: message.content };
    case 'user':
      return { role: 'user', content: message.content };
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.content };
    case 'assistant': {
      const calls = message.calls ?? [];
      if (calls.length === 0) return { role: 'assistant', content: message.content };
      const reasoning = replayedReasoning(message.reasoning, profile, lessons);
      return {
        role: 'assistant',
        ...contentBesideCalls(message.content, lessons),
        ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
        tool_calls: calls.map((call) => ({ id: call.callId, type: 'function', function: { name: call.name, arguments: call.args } })),
      };
    }
  }
}

function replayedReasoning(stored: string | undefined, profile: ModelProfile, lessons: Lessons): string | undefined {
  const rule = profile.reasoningReplay === 'auto' ? lessons.reasoning : profile.reasoningReplay;
  if (rule === 'never') return undefined;
  return rule === 'calls' ? (stored ?? '') : stored;
}

function contentBesideCalls(content: string, lessons: Lessons): Readonly<Fields> {
  if (content !== '') return { content };
  switch (lessons.emptyContent ?? 'null') {
    case 'null':
      return { content: null };
    case 'empty':
      return { content: '' };
    case 'absent':
      return {};
  }
}
