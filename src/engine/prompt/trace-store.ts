import type { Clock } from '../ports/clock';
import type { Files } from '../ports/files';
import type { Ids } from '../ports/ids';
import type { Log } from '../ports/log';
import type { ToolSpec, Usage } from '../ports/models';
import { EngineFailure, ok, refuse } from '../ports/result';
import type { Result } from '../ports/result';
import type { Session } from '../session/session';
import type { ObjectStore } from '../store/objects';
import { sha256Hex } from '../text/hash';
import type { BuiltMessage, PromptBlock } from './blocks';
import { canonicalMessage, canonicalRequest, canonicalTools, sharedBytes } from './canonical';
import { rebuildCall } from './rebuild';
import type { TraceBlock, TraceLine, TraceResult } from './trace-schema';
import { TRACE_VERSION, traceLine } from './trace-schema';

export interface TracedCall {
  readonly session: Session;
  readonly turnId: string;
  readonly use: TraceLine['use'];
  readonly round: number;
  readonly model: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly messages: readonly BuiltMessage[];
  readonly tools: readonly ToolSpec[];
  readonly toolChoice?: 'auto' | 'none';
}

export interface TracedResult {
  readonly outcome: string;
  readonly usage?: Usage;
  readonly firstTokenMs?: number;
  readonly totalMs: number;
}

/** `traces/<sessionId>.jsonl`: a `call` line before each model call, a `result` line after it. */
export interface TraceStore {
  /** Writes block texts as objects, then the line. Rejects with `EngineFailure` when the disk does. */
  call(call: TracedCall): Promise<TraceLine>;
  result(sessionId: string, callId: string, result: TracedResult): Promise<void>;
  /** Calls of a session, oldest first; lines that are not calls of ours are skipped and logged. */
  read(sessionId: string): Promise<Result<readonly TraceLine[]>>;
}

export interface TraceStoreDeps {
  readonly files: Files;
  readonly objects: ObjectStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Real tokens of a text. */
  readonly countTokens: (text: string) => Promise<number>;
}

export function createTraceStore(deps: TraceStoreDeps): TraceStore {
  const { files, objects, clock, ids, log } = deps;
  const previous = new Map<string, Uint8Array>();
  const tokensByKey = new Map<string, number>();
  const stored = new Map<string, string>();
  const queues = new Map<string, Promise<void>>();
  const wholeEnds = new Set<string>();
  const pathOf = (sessionId: string): string => `.liyuan/traces/${sessionId}.jsonl`;

  const append = (sessionId: string, line: TraceLine | TraceResult): Promise<void> => {
    const write = async (): Promise<void> => {
      const path = pathOf(sessionId);
      const torn = !wholeEnds.has(sessionId) && (await endsTorn(files, path));
      await files.append(path, new TextEncoder().encode(`${torn ? '\n' : ''}${JSON.stringify(line)}\n`), { fsync: false });
      wholeEnds.add(sessionId);
    };
    const next = (queues.get(sessionId) ?? Promise.resolve()).then(write);
    // The caller hears of a failed write; the next line is written all the same.
    queues.set(
      sessionId,
      next.catch(() => {
        wholeEnds.delete(sessionId);
      }),
    );
    return next;
  };

  const store = async (text: string): Promise<string> => {
    const known = stored.get(text);
    if (known !== undefined) return known;
    const sha = await objects.put(new TextEncoder().encode(text));
    stored.set(text, sha);
    return sha;
  };

  const tokensOf = async (block: PromptBlock): Promise<number> => {
    const key = block.object ?? (block.entryId === undefined ? `text:${block.text}` : `entry:${block.entryId}`);
    const known = tokensByKey.get(key);
    if (known !== undefined) return known;
    const tokens = await deps.countTokens(block.text);
    tokensByKey.set(key, tokens);
    return tokens;
  };

  /** The request before this one: from memory, or after a restart rebuilt from its trace. */
  const previousRequest = async (session: Session): Promise<Uint8Array | undefined> => {
    const inMemory = previous.get(session.header.id);
    if (inMemory !== undefined) return inMemory;
    const lines = await read(session.header.id);
    const last = lines.ok ? lines.value.at(-1) : undefined;
    if (last === undefined) return undefined;
    const rebuilt = await rebuildCall(last, { objects, entry: (id) => session.get(id) });
    if (rebuilt.ok) return new TextEncoder().encode(canonicalRequest(rebuilt.value.messages, rebuilt.value.tools));
    log.warn('trace: the previous call cannot be rebuilt', { id: last.id, code: rebuilt.error.code });
    return undefined;
  };

  const read = async (sessionId: string): Promise<Result<readonly TraceLine[]>> => {
    try {
      const bytes = await files.read(pathOf(sessionId));
      if (bytes === undefined) return ok([]);
      const lines: TraceLine[] = [];
      new TextDecoder().decode(bytes).split('\n').forEach((text, at) => {
        if (text.trim() === '') return;
        const line = parseLine(text);
        if (line === undefined) log.warn('trace: a line that is not a record', { sessionId, line: at + 1 });
        else if (line !== 'other') lines.push(line);
      });
      return ok(lines);
    } catch (error) {
      return error instanceof EngineFailure ? { ok: false, error: error.error } : refuse('store.io', {}, error);
    }
  };

  return {
    async call(input) {
      const { session } = input;
      const sessionId = session.header.id;
      const tools = canonicalTools(input.tools);
      const request = canonicalRequest(input.messages.map(({ message }) => message), tools);
      const bytes = new TextEncoder().encode(request);
      const before = await previousRequest(session);
      const blocks = await traceBlocks(input.messages, store, tokensOf);
      const toolsObject = input.tools.length === 0 ? undefined : await store(tools);
      const line: TraceLine = {
        v: TRACE_VERSION,
        type: 'call',
        id: ids.next(),
        ts: clock.now(),
        sessionId,
        turnId: input.turnId,
        leaf: session.leaf() ?? '',
        use: input.use,
        round: input.round,
        model: input.model,
        params: { ...input.params },
        blocks: [...blocks],
        tools: { ...(toolsObject === undefined ? {} : { object: toolsObject }), names: input.tools.map(({ name }) => name) },
        ...(input.toolChoice === undefined ? {} : { toolChoice: input.toolChoice }),
        request: sha256Hex(request),
        bytes: bytes.length,
        shared: before === undefined ? 0 : sharedBytes(before, bytes),
      };
      await append(sessionId, line);
      previous.set(sessionId, bytes);
      return line;
    },

    result: (sessionId, callId, result) =>
      append(sessionId, {
        v: TRACE_VERSION,
        type: 'result',
        of: callId,
        ts: clock.now(),
        outcome: result.outcome,
        ...(result.usage === undefined ? {} : { usage: { ...result.usage } }),
        ...(result.firstTokenMs === undefined ? {} : { firstTokenMs: result.firstTokenMs }),
        totalMs: result.totalMs,
      }),

    read,
  };
}

async function endsTorn(files: Files, path: string): Promise<boolean> {
  const stat = await files.stat(path);
  if (stat === undefined || stat.size === 0) return false;
  const last = await files.readRange(path, stat.size - 1, 1);
  return last?.[0] !== 0x0a;
}

function parseLine(text: string): TraceLine | 'other' | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const line = traceLine.safeParse(value);
  if (line.success) return line.data;
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'result' ? 'other' : undefined;
}

async function traceBlocks(
  messages: readonly BuiltMessage[],
  store: (text: string) => Promise<string>,
  tokensOf: (block: PromptBlock) => Promise<number>,
): Promise<readonly TraceBlock[]> {
  const out: TraceBlock[] = [];
  for (const [m, { message, blocks }] of messages.entries()) {
    for (const [at, block] of blocks.entries()) {
      const object = block.object ?? (block.entryId === undefined ? await store(block.text) : undefined);
      out.push({
        m,
        role: message.role,
        kind: block.kind,
        title: block.title,
        source: block.source,
        ...(object === undefined ? {} : { object }),
        ...(block.entryId === undefined ? {} : { entryId: block.entryId }),
        ...(message.role === 'tool' && block.entryId === undefined ? { callId: message.callId } : {}),
        ...(at === blocks.length - 1 ? { sha: sha256Hex(canonicalMessage(message)) } : {}),
        tokens: await tokensOf(block),
      });
    }
  }
  return out;
}
