import type { ModelMessage } from '../ports/models';
import type { Result } from '../ports/result';
import { ok, refuse } from '../ports/result';
import type { Entry, UnknownEntry } from '../session/entries';
import type { ObjectStore } from '../store/objects';
import { sha256Hex } from '../text/hash';
import { BLOCK_JOIN } from './blocks';
import { canonicalMessage, canonicalRequest } from './canonical';
import type { TraceBlock, TraceLine } from './trace-schema';

export interface RebuildDeps {
  readonly objects: ObjectStore;
  /** Entries of the session the call belongs to. */
  entry(id: string): Entry | UnknownEntry | undefined;
}

export interface Rebuilt {
  readonly messages: readonly ModelMessage[];
  /** The tools as sent: their canonical JSON. */
  readonly tools: string;
}

/**
 * Puts an old call together again from objects and entries, and proves every message and the whole by hash.
 * Refuses `object.missing`, `object.corrupt`, `session.unknown-entry`, `trace.mismatch`.
 */
export async function rebuildCall(trace: TraceLine, deps: RebuildDeps): Promise<Result<Rebuilt>> {
  const messages: ModelMessage[] = [];
  const callNames = new Map<string, string>();
  for (const blocks of groupByMessage(trace.blocks)) {
    const message = await rebuildMessage(blocks, callNames, deps);
    if (!message.ok) return message;
    const expected = blocks.at(-1)?.sha;
    if (expected !== undefined && expected !== sha256Hex(canonicalMessage(message.value))) return refuse('trace.mismatch', { id: trace.id });
    messages.push(message.value);
  }
  const tools = trace.tools.object === undefined ? ok('[]') : await readObject(trace.tools.object, deps);
  if (!tools.ok) return tools;
  if (sha256Hex(canonicalRequest(messages, tools.value)) !== trace.request) return refuse('trace.mismatch', { id: trace.id });
  return ok({ messages, tools: tools.value });
}

function groupByMessage(blocks: readonly TraceBlock[]): readonly (readonly TraceBlock[])[] {
  const groups: TraceBlock[][] = [];
  let current = -1;
  for (const block of blocks) {
    if (block.m === current) groups.at(-1)?.push(block);
    else groups.push([block]);
    current = block.m;
  }
  return groups;
}

async function rebuildMessage(
  blocks: readonly TraceBlock[],
  callNames: Map<string, string>,
  deps: RebuildDeps,
): Promise<Result<ModelMessage>> {
  const first = blocks[0];
  if (first === undefined) return refuse('trace.mismatch', { id: '' });
  if (first.role === 'assistant' && first.object === undefined) return rebuildAssistant(first, callNames, deps);

  const texts: string[] = [];
  for (const block of blocks) {
    const text = block.object === undefined ? entryText(block, deps) : await readObject(block.object, deps);
    if (!text.ok) return text;
    texts.push(text.value);
  }
  const content = texts.join(BLOCK_JOIN);
  if (first.role !== 'tool') return ok({ role: first.role, content });
  const callId = toolCallId(first, deps);
  return ok({ role: 'tool', callId, name: callNames.get(callId) ?? first.title, content });
}

function rebuildAssistant(block: TraceBlock, callNames: Map<string, string>, deps: RebuildDeps): Result<ModelMessage> {
  const entry = entryOf(block, deps);
  if (!entry.ok) return entry;
  if (entry.value.type === 'reply') return ok({ role: 'assistant', content: entry.value.data.text });
  if (entry.value.type !== 'step') return refuse('session.unknown-entry', { id: entry.value.id });
  const { text, reasoning, calls } = entry.value.data;
  for (const call of calls) callNames.set(call.callId, call.name);
  return ok({
    role: 'assistant',
    content: text ?? '',
    ...(reasoning === undefined || reasoning === '' ? {} : { reasoning }),
    calls,
  });
}

function entryText(block: TraceBlock, deps: RebuildDeps): Result<string> {
  const entry = entryOf(block, deps);
  if (!entry.ok) return entry;
  switch (entry.value.type) {
    case 'user':
    case 'steer':
      return ok(entry.value.data.text);
    case 'tool':
      return ok(entry.value.data.result);
    default:
      return refuse('session.unknown-entry', { id: entry.value.id });
  }
}

function toolCallId(block: TraceBlock, deps: RebuildDeps): string {
  const entry = block.entryId === undefined ? undefined : deps.entry(block.entryId);
  if (entry !== undefined && isKnown(entry) && entry.type === 'tool') return entry.data.callId;
  return typeof block['callId'] === 'string' ? block['callId'] : '';
}

function entryOf(block: TraceBlock, deps: RebuildDeps): Result<Entry> {
  const id = block.entryId ?? '';
  const entry = deps.entry(id);
  return entry !== undefined && isKnown(entry) ? ok(entry) : refuse('session.unknown-entry', { id });
}

/** Entries are checked when they are read; here only the kinds a prompt is made of matter. */
function isKnown(entry: Entry | UnknownEntry): entry is Entry {
  return ['user', 'steer', 'step', 'tool', 'reply'].includes(entry.type);
}

async function readObject(sha: string, deps: RebuildDeps): Promise<Result<string>> {
  const bytes = await deps.objects.get(sha);
  return bytes.ok ? ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.value)) : bytes;
}
