import type { Clock } from '../ports/clock';
import type { Files } from '../ports/files';
import type { Ids } from '../ports/ids';
import type { Log } from '../ports/log';
import type { ToolSpec, Usage } from '../ports/models';
import type { Result } from '../ports/result';
import { ok } from '../ports/result';
import type { Session } from '../session/session';
import type { AppendLog } from '../store/append-log';
import { createAppendLog } from '../store/append-log';
import type { ObjectStore } from '../store/objects';
import { sha256Hex } from '../text/hash';
import type { BuiltMessage, PromptBlock } from './blocks';
import { canonicalMessage, canonicalRequest, canonicalTools, sharedBytes } from './canonical';
import { rebuildCall } from './rebuild';
import type { TraceRecord } from './trace-fold';
import { decodeTrace, sharedBlocks, wholeCalls } from './trace-fold';
import type { TraceBlock, TraceLine } from './trace-schema';
import { TRACE_VERSION } from './trace-schema';

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
  /** Writes block texts as objects, then the line. Refuses `store.*`; rejects when an object cannot be written. */
  call(call: TracedCall): Promise<Result<TraceLine>>;
  result(sessionId: string, callId: string, result: TracedResult): Promise<Result<void>>;
  /** Calls of a session with all their blocks, oldest first; what is not a record of ours is skipped and logged. */
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

/** So many calls in a row may stand on one another before all blocks are written again. */
const LONGEST_CHAIN = 32;

interface Previous {
  readonly request: Uint8Array;
  readonly line: TraceLine;
  /** Calls since one with all its blocks on disk. */
  readonly chain: number;
}

export function createTraceStore(deps: TraceStoreDeps): TraceStore {
  const { files, objects, clock, ids, log } = deps;
  const previous = new Map<string, Previous>();
  const logs = new Map<string, AppendLog<TraceRecord>>();
  const tokensByKey = new Map<string, number>();
  const stored = new Map<string, string>();

  const logOf = (sessionId: string): AppendLog<TraceRecord> => {
    const open = logs.get(sessionId);
    if (open !== undefined) return open;
    const opened = createAppendLog({ files, path: `.liyuan/traces/${sessionId}.jsonl`, log, decode: decodeTrace });
    logs.set(sessionId, opened);
    return opened;
  };

  const read = async (sessionId: string): Promise<Result<readonly TraceLine[]>> => {
    const records = await logOf(sessionId).refresh();
    return records.ok ? ok(wholeCalls(records.value, log)) : records;
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

  /** The request of this use before this one, rebuilt from its trace after a restart. */
  const recall = async (session: Session, use: TraceLine['use']): Promise<Uint8Array | undefined> => {
    const lines = await read(session.header.id);
    const last = lines.ok ? lines.value.findLast((line) => line.use === use) : undefined;
    if (last === undefined) return undefined;
    const rebuilt = await rebuildCall(last, { objects, entry: (id) => session.get(id) });
    if (rebuilt.ok) return encode(canonicalRequest(rebuilt.value.messages, rebuilt.value.tools));
    log.warn('trace: the previous call cannot be rebuilt', { id: last.id, code: rebuilt.error.code });
    return undefined;
  };

  const blocksOf = async (messages: readonly BuiltMessage[]): Promise<readonly TraceBlock[]> => {
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
  };

  return {
    async call(input) {
      const { session } = input;
      const sessionId = session.header.id;
      const tools = canonicalTools(input.tools);
      const request = canonicalRequest(input.messages.map(({ message }) => message), tools);
      const bytes = encode(request);
      // A side call stands in nobody's way: the next call of the turn shares what it shares with the last one of a turn.
      const chain = `${input.use}:${sessionId}`;
      const last = previous.get(chain);
      const before = last?.request ?? (await recall(session, input.use));
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
        blocks: [...(await blocksOf(input.messages))],
        tools: { ...(toolsObject === undefined ? {} : { object: toolsObject }), names: input.tools.map(({ name }) => name) },
        ...(input.toolChoice === undefined ? {} : { toolChoice: input.toolChoice }),
        request: sha256Hex(request),
        bytes: bytes.length,
        shared: before === undefined ? 0 : sharedBytes(before, bytes),
      };
      const chained = last !== undefined && last.chain < LONGEST_CHAIN;
      const count = chained ? sharedBlocks(last.line.blocks, line.blocks) : 0;
      const onDisk: TraceLine =
        chained && count > 0 ? { ...line, base: { id: last.line.id, count }, blocks: line.blocks.slice(count) } : line;
      const written = await logOf(sessionId).append([onDisk], { fsync: false });
      if (!written.ok) return written;
      previous.set(chain, { request: bytes, line, chain: onDisk.base === undefined ? 0 : (last?.chain ?? 0) + 1 });
      return ok(line);
    },

    result: (sessionId, callId, result) =>
      logOf(sessionId).append(
        [
          {
            v: TRACE_VERSION,
            type: 'result',
            of: callId,
            ts: clock.now(),
            outcome: result.outcome,
            ...(result.usage === undefined ? {} : { usage: { ...result.usage } }),
            ...(result.firstTokenMs === undefined ? {} : { firstTokenMs: result.firstTokenMs }),
            totalMs: result.totalMs,
          },
        ],
        { fsync: false },
      ),

    read,
  };
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
