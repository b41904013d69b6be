import * as z from 'zod';

/** What an endpoint's refusals have taught about it. Plain data, so that a host may keep it. */
const lessonSchema = z.object({
  /** Reasoning beside calls: `calls` = always, `''` where none is known; `never` = left out. Unset: as stored. */
  reasoning: z.enum(['calls', 'never']).exactOptional(),
  noStreamOptions: z.boolean().exactOptional(),
  /** Answers come whole only. */
  noStream: z.boolean().exactOptional(),
  noToolChoice: z.boolean().exactOptional(),
  noTools: z.boolean().exactOptional(),
  maxTokensField: z.literal('max_completion_tokens').exactOptional(),
  /** The role under which the first system message goes; `user`: as the beginning of the first user message. */
  system: z.enum(['developer', 'user']).exactOptional(),
  /** System messages that are not the first go as user messages. */
  oneSystem: z.boolean().exactOptional(),
  /** Neighbouring messages of one role go as one. */
  mergeRoles: z.boolean().exactOptional(),
  /** Between a tool's result and the user's words stands a message of the assistant. */
  bridge: z.boolean().exactOptional(),
  /** How an assistant message with calls but no text writes its `content`. */
  emptyContent: z.enum(['null', 'empty', 'absent']).exactOptional(),
  /** Body fields the endpoint refuses at any value. */
  refused: z.array(z.string()).readonly().exactOptional(),
  /** Thinking comes at the head of the text with a closing tag only. */
  thinkWithoutOpening: z.boolean().exactOptional(),
});
export type Lessons = Readonly<z.infer<typeof lessonSchema>>;
type EmptyContent = NonNullable<Lessons['emptyContent']>;

/** Lessons as a host has kept them, perhaps in another version: what is not known is left out. */
export function readLessons(raw: unknown): Lessons {
  if (typeof raw !== 'object' || raw === null) return {};
  return Object.entries(raw).reduce<Lessons>((lessons, [name, value]: [string, unknown]) => ({ ...lessons, ...lessonSchema.safeParse({ [name]: value }).data }), {});
}

/** Holds what has been learned; share one per endpoint and model to keep it over several clients. */
export interface LessonBook {
  current(): Lessons;
  add(lesson: Lessons): void;
}

export function createLessonBook(initial: Lessons = {}): LessonBook {
  let lessons = initial;
  return {
    current: () => lessons,
    add(lesson) {
      lessons = { ...lessons, ...lesson };
    },
  };
}

/** The body that was refused. */
type Body = Readonly<Record<string, unknown>>;

const REFUSAL = /unsupported|not support|unrecogni[sz]ed|unknown|unexpected|not (?:allowed|permitted)|extra inputs|only the default|invalid parameter|不支持/i;
const ADJUSTABLE = ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty', 'seed', 'stop', 'reasoning_effort'] as const;
const EMPTY_CONTENT_ORDER: readonly EmptyContent[] = ['null', 'empty', 'absent'];

/**
 * The one thing a refusal teaches about the endpoint, if anything: sending again with it added may work. Never teaches the same thing
 * twice, so asking until nothing is left comes to an end. `text` is the error's body, as sent.
 */
export function lessonFrom(text: string, body: Body, known: Lessons, replay: 'auto' | 'calls' | 'never'): Lessons | undefined {
  return (
    (replay === 'auto' ? reasoningLesson(text, body, known) : undefined) ??
    streamOptionsLesson(text, body) ??
    streamLesson(text, body) ??
    toolsLesson(text, body) ??
    maxTokensLesson(text, body) ??
    bridgeLesson(text, body, known) ??
    mergeLesson(text, body, known) ??
    systemLesson(text, body, known) ??
    refusedFieldLesson(text, body, known) ??
    emptyContentLesson(text, body, known)
  );
}

function reasoningLesson(text: string, body: Body, known: Lessons): Lessons | undefined {
  if (!/reasoning_content|thinking mode/i.test(text)) return undefined;
  const wanted = /pass(?:ed)? back|missing|required|must (?:be )?(?:provide|include|contain|present)/i.test(text);
  if (wanted) return known.reasoning === 'calls' ? undefined : { reasoning: 'calls' };
  const sent = messagesOf(body).some((message) => 'reasoning_content' in message);
  return sent && known.reasoning !== 'never' ? { reasoning: 'never' } : undefined;
}

function streamOptionsLesson(text: string, body: Body): Lessons | undefined {
  return 'stream_options' in body && /stream_options|include_usage/i.test(text) ? { noStreamOptions: true } : undefined;
}

function streamLesson(text: string, body: Body): Lessons | undefined {
  const refused =
    /\bstream(?:ing)?\b(?!_).{0,60}(?:not (?:be )?(?:supported|allowed|available|enabled)|unsupported|disabled|must be (?:set to )?false|does not support true|不支持)|(?:not|n't) support(?:ed)?.{0,20}\bstream(?:ing)?\b(?!_)|verified to stream|不支持.{0,6}(?:流式|stream\b(?!_))/i;
  return body['stream'] === true && refused.test(text) ? { noStream: true } : undefined;
}

function toolsLesson(text: string, body: Body): Lessons | undefined {
  if ('tool_choice' in body && /tool_choice/i.test(text)) return { noToolChoice: true };
  const unsupported =
    /(?:not|n't) support(?:ed)?.{0,30}\b(?:tools?|functions?)\b|\b(?:tools?|function call\w*)\b.{0,40}(?:not supported|unsupported)|support tool use|enable-auto-tool-choice/i;
  return 'tools' in body && unsupported.test(text) ? { noTools: true } : undefined;
}

function maxTokensLesson(text: string, body: Body): Lessons | undefined {
  return 'max_tokens' in body && /max_completion_tokens/.test(text) ? { maxTokensField: 'max_completion_tokens' } : undefined;
}

function refusedFieldLesson(text: string, body: Body, known: Lessons): Lessons | undefined {
  if (!REFUSAL.test(text)) return undefined;
  const field = ADJUSTABLE.find((name) => name in body && new RegExp(`\\b${name}\\b`).test(text));
  return field === undefined ? undefined : { refused: [...(known.refused ?? []), field] };
}

/** A template that knows no system role, a gateway that knows another name for it, or one that wants it first. */
function systemLesson(text: string, body: Body, known: Lessons): Lessons | undefined {
  const roles = messagesOf(body).map((message) => message['role']);
  const refuses = /not (?:be )?(?:support|allow|enabled)|n't support|unsupported|invalid(?!_request)|unknown|unexpected|only user and assistant|must be one of|不支持/i.test(text);
  if (roles.slice(1).includes('system') && /system.{0,40}(?:first|beginning|start)|only one system|multiple system/i.test(text)) return known.oneSystem === true ? undefined : { oneSystem: true };
  if (roles[0] === 'developer' && /developer|system|\brole|alternate/i.test(text)) return { system: 'user' };
  if (roles[0] !== 'system' || known.system !== undefined || !refuses) return undefined;
  if (/developer instruction/i.test(text)) return { system: 'user' };
  return /system[_ ](?:role|message|prompt|instruction)|\brole\b.{0,40}\bsystem\b|['"`]system['"`]|only user and assistant|系统(?:角色|消息|提示)/i.test(text) ? { system: 'developer' } : undefined;
}

/** Words behind results come up when the author steers a turn. */
function bridgeLesson(text: string, body: Body, known: Lessons): Lessons | undefined {
  const roles = messagesOf(body).map((message) => message['role']);
  const steered = roles.some((role, at) => role === 'user' && roles[at - 1] === 'tool');
  return steered && known.bridge !== true && /role.{0,12}\buser\b.{0,24}after role.{0,12}\btool\b/i.test(text) ? { bridge: true } : undefined;
}

function mergeLesson(text: string, body: Body, known: Lessons): Lessons | undefined {
  const roles = messagesOf(body).map((message) => message['role']);
  const repeated = roles.some((role, at) => role !== 'tool' && role === roles[at - 1]);
  const refused = /alternat(?:e|ing)\b|(?:consecutive|successive|same role|repeated).{0,40}(?:role|message|user|assistant|in a row)|role.{0,30}in a row|(?:连续|交替).{0,20}(?:消息|角色|role)/i;
  return repeated && known.mergeRoles !== true && refused.test(text) ? { mergeRoles: true } : undefined;
}

function emptyContentLesson(text: string, body: Body, known: Lessons): Lessons | undefined {
  if (!/\bcontent\b/i.test(text) || !/null|none|nil|string|empty|missing|required|invalid type/i.test(text)) return undefined;
  const concerned = messagesOf(body).some((message) => 'tool_calls' in message && (message['content'] ?? '') === '');
  const next = EMPTY_CONTENT_ORDER[EMPTY_CONTENT_ORDER.indexOf(known.emptyContent ?? 'null') + 1];
  return concerned && next !== undefined ? { emptyContent: next } : undefined;
}

function messagesOf(body: Body): readonly Readonly<Record<string, unknown>>[] {
  const messages = body['messages'];
  return Array.isArray(messages) ? (messages as readonly Readonly<Record<string, unknown>>[]) : [];
}
