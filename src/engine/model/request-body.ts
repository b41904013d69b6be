import type { ModelRequest, ToolSpec } from '../ports/models';
import { sha256Hex } from '../text/hash';
import type { Lessons } from './lessons';
import type { ModelProfile } from './profile';
import { protocolOf, wireMessages } from './wire-messages';

type Fields = Record<string, unknown>;

/**
 * The body of a chat request. Keys come in a fixed order (model, tools, messages, then the rest), so that two requests with
 * the same tools share their bytes as far as their messages do.
 */
export function requestBody(profile: ModelProfile, request: ModelRequest, lessons: Lessons): Readonly<Fields> {
  const withoutTools =
    protocolOf(profile, lessons) !== 'native' || request.tools === undefined || request.tools.length === 0 || (request.toolChoice === 'none' && lessons.noToolChoice === true);
  return {
    model: profile.model,
    ...(withoutTools ? {} : { tools: request.tools?.map(wireTool) }),
    messages: wireMessages(request, profile, lessons),
    ...(withoutTools || request.toolChoice !== 'none' ? {} : { tool_choice: 'none' }),
    ...requestParams(profile, lessons),
  };
}

/** The fields beside model, messages and tools. Sampling fields appear only when set and not refused before. */
export function requestParams(profile: ModelProfile, lessons: Lessons): Readonly<Fields> {
  const fields: Fields = {
    stream: lessons.noStream !== true,
    stream_options: lessons.noStreamOptions === true || lessons.noStream === true ? undefined : { include_usage: true },
    [lessons.maxTokensField ?? 'max_tokens']: profile.maxOutput,
    temperature: profile.temperature,
    top_p: profile.topP,
    frequency_penalty: profile.frequencyPenalty,
    presence_penalty: profile.presencePenalty,
    seed: profile.seed,
    stop: profile.stop,
    reasoning_effort: profile.reasoningEffort,
    ...profile.extraBody,
  };
  const refused = new Set(lessons.refused);
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== undefined && !refused.has(name)));
}

/**
 * The same for a trace, which is committed and synced: of the further fields of a profile, whose values may hold anything, their names
 * and what tells two values apart.
 */
export function tracedParams(profile: ModelProfile, lessons: Lessons): Readonly<Fields> {
  const extra = Object.entries(profile.extraBody ?? {}).map(([name, value]) => [name, `sha256:${sha256Hex(JSON.stringify(value) ?? '')}`] as const);
  const further = new Set(extra.map(([name]) => name));
  const own = Object.entries(requestParams(profile, lessons)).filter(([name]) => !further.has(name));
  const told = profile.tools === 'native' ? {} : { toolProtocol: profile.tools };
  return { ...Object.fromEntries(own), ...told, ...(extra.length === 0 ? {} : { extraBody: Object.fromEntries(extra) }) };
}

function wireTool(tool: ToolSpec): Fields {
  return { type: 'function', function: { name: tool.name, description: tool.description, parameters: tool.parameters } };
}
