import type { Log } from '../ports/log';
import type { ModelCall } from '../ports/models';
import { EngineFailure } from '../ports/result';
import type { EngineError } from '../ports/result';
import type { NewEntry } from '../session/entries';
import type { ParsedArguments } from '../tools/arguments';
import { checkArguments, parseArguments } from '../tools/arguments';
import { tidyPath } from '../tools/paths';
import { errorReceipt, NOT_RUN } from '../tools/receipts';
import { mapLimited } from '../store/limited';
import type { ToolSet } from '../tools/registry';
import type { Receipt, Tool, ToolContext, ToolOutcome } from '../tools/tool';
import type { TurnEvent } from './events';
import type { RawCall } from './model-call';

/** A call whose arguments have been read as JSON, or could not be. */
export interface ReadCall {
  /** As executed and as kept in the history: its arguments are valid JSON. */
  readonly call: ModelCall;
  readonly args: ParsedArguments | EngineError;
}

/** `cutOff`: the answer ended at the output limit, or nobody knows why; arguments that had to be repaired are then refused, half a chapter is none. */
export function readCalls(calls: readonly RawCall[], cutOff: boolean): readonly ReadCall[] {
  return calls.map(({ callId, name, args }) => {
    const parsed = parseArguments(args);
    if (!parsed.ok) return { call: { callId, name, args: '{}' }, args: parsed.error };
    if (cutOff && parsed.value.repaired) {
      return {
        call: { callId, name, args: '{}' },
        args: { code: 'tool.bad-args', args: { field: '', message: 'the arguments were cut off' } },
      };
    }
    return { call: { callId, name, args: parsed.value.json }, args: parsed.value };
  });
}

export interface BatchDeps {
  readonly tools: ToolSet;
  /** Tools that change files are refused (`tool.offers-only`). */
  readonly offersOnly: boolean;
  /** Changes of any other file are refused (`tool.one-chapter`). */
  readonly only?: string | undefined;
  readonly log: Log;
  readonly emit: (event: TurnEvent) => void;
  /** Everything of the context but the id of the call. */
  readonly context: Omit<ToolContext, 'callId'>;
  /** Writes entries to the session; `false`: it cannot be written any more. */
  readonly append: (entries: readonly NewEntry[], durable: boolean) => Promise<boolean>;
}

export type BatchEnd = 'go-on' | 'ended' | 'aborted' | 'not-written';

interface Finished {
  readonly result: string;
  readonly ok: boolean;
  readonly outcome?: ToolOutcome;
}

/**
 * Runs the calls of one answer in order; neighbouring reads run together. Every call gets its result entry, also those
 * that are not run because a call before them ended the turn or the user stopped it. The last entry of the batch is fsynced.
 */
export async function runBatch(deps: BatchDeps, calls: readonly ReadCall[]): Promise<BatchEnd> {
  const { signal } = deps.context;
  let end: BatchEnd = 'go-on';
  for (let at = 0; at < calls.length; ) {
    const group = end === 'go-on' ? groupAt(calls, at, deps.tools) : calls.slice(at);
    const finished = end === 'go-on' ? await mapLimited(group, READS_AT_ONCE, (call) => runOne(deps, call)) : group.map(notRun);
    for (const [i, one] of finished.entries()) {
      const { call } = group[i] as ReadCall;
      const last = at + i === calls.length - 1;
      const choice = one.outcome?.choice;
      const entries: NewEntry[] = [
        ...(choice === undefined ? [] : [choiceEntry(call.callId, choice)]),
        { type: 'tool', data: { callId: call.callId, result: one.result, ok: one.ok } },
      ];
      if (!(await deps.append(entries, last || choice !== undefined))) return 'not-written';
      deps.emit({ type: 'toolDone', callId: call.callId, name: call.name, ok: one.ok, result: one.result });
      if (one.outcome?.ends === true) end = 'ended';
    }
    if (signal.aborted) end = 'aborted';
    at += group.length;
  }
  return end;
}

function groupAt(calls: readonly ReadCall[], at: number, tools: ToolSet): readonly ReadCall[] {
  let end = at;
  while (end < calls.length && tools.get(calls[end]?.call.name ?? '')?.reads === true) end += 1;
  return calls.slice(at, Math.max(end, at + 1));
}

function notRun(): Finished {
  return { result: JSON.stringify(NOT_RUN), ok: false };
}

function choiceEntry(callId: string, choice: NonNullable<ToolOutcome['choice']>): NewEntry {
  return {
    type: 'choice',
    data: {
      callId,
      question: choice.question,
      options: [...choice.options],
      ...(choice.answer === undefined ? {} : { answer: choice.answer }),
      ...(choice.stopped === undefined ? {} : { stopped: choice.stopped }),
      by: 'user',
    },
  };
}

async function runOne(deps: BatchDeps, { call, args }: ReadCall): Promise<Finished> {
  if (deps.context.signal.aborted) return notRun();
  const tool = deps.tools.get(call.name);
  if (tool === undefined) {
    return failed({ code: 'tool.unknown', args: { name: call.name } }, { tools: deps.tools.specs.map(({ name }) => name) });
  }
  if ('code' in args) return failed(args);
  deps.emit({ type: 'toolRun', callId: call.callId, name: call.name, args: args.value });
  if (deps.offersOnly && !tool.reads && tool.name !== 'ask') return failed({ code: 'tool.offers-only' });
  const checked = checkArguments(tool, args.value);
  if (!checked.ok) return failed(checked.error, repairedNote(args));
  if (deps.only !== undefined && !tool.reads && !isAbout(checked.value, deps.only)) return failed({ code: 'tool.one-chapter', args: { path: deps.only } });
  announceAsk(deps, call, checked.value);
  const outcome = await run(deps, tool, call, checked.value);
  if (!outcome.ok) return failed(outcome.error, repairedNote(args));
  return { result: JSON.stringify({ ...outcome.value.receipt, ...repairedNote(args) }), ok: true, outcome: outcome.value };
}

/** Whether all that a call would change is this file. */
function isAbout(args: unknown, only: string): boolean {
  const { path, edits } = args as { readonly path?: string; readonly edits?: readonly { readonly path: string }[] };
  const paths = edits === undefined ? [path ?? ''] : edits.map((edit) => edit.path);
  return paths.every((one) => tidyPath(one).normalize('NFC') === only);
}

function repairedNote(args: ParsedArguments): Receipt {
  return args.repaired ? { argumentsRepaired: true } : {};
}

function failed(error: EngineError & { readonly receipt?: Receipt }, extra: Receipt = {}): Finished {
  return { result: JSON.stringify({ ...errorReceipt(error), ...extra }), ok: false };
}

/** Reads of one batch that run together; the rest is not begun once the turn is stopped. */
const READS_AT_ONCE = 4;

/** So much of each side of a change is shown when the person is asked for it. */
const SHOWN_CHARS = 400;

function announceAsk(deps: BatchDeps, call: ModelCall, args: unknown): void {
  if (call.name !== 'ask') return;
  const { question, options } = args as { readonly question: string; readonly options: readonly string[] };
  deps.emit({ type: 'phase', phase: 'waiting' });
  deps.emit({ type: 'ask', callId: call.callId, question, options });
}

/** The person's permission is a question of the turn: it is shown with what would change. */
function confirming(deps: BatchDeps, args: unknown): BatchDeps['context']['ui'] {
  const { ui } = deps.context;
  return {
    ask: (request, signal) => ui.ask(request, signal),
    async confirm(request, signal) {
      const { askId, path } = request;
      deps.emit({ type: 'phase', phase: 'waiting' });
      deps.emit({ type: 'confirm', askId, path, change: changeInShort(args, path) });
      const agreed = await ui.confirm(request, signal);
      deps.emit({ type: 'confirmed', askId, agreed });
      deps.emit({ type: 'phase', phase: 'tools' });
      return agreed;
    },
  };
}

/** Of a call that changes `path`: the quotes it replaces, or the text it writes. */
function changeInShort(args: unknown, path: string): string {
  const { edits, content } = args as { readonly edits?: readonly { readonly path: string; readonly old: string; readonly new: string }[]; readonly content?: string };
  const clip = (text: string): string => (text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text);
  if (typeof content === 'string') return clip(content).replace(/^/gm, '+ ');
  const own = (edits ?? []).filter((edit) => tidyPath(edit.path).normalize('NFC') === path);
  return own.map((edit) => `${clip(edit.old).replace(/^/gm, '− ')}\n${clip(edit.new).replace(/^/gm, '+ ')}`).join('\n');
}

/** A tool that crashes fails its own call, never the turn. */
async function run(deps: BatchDeps, tool: Tool, call: ModelCall, args: unknown): ReturnType<Tool['run']> {
  try {
    return await tool.run(args, { ...deps.context, callId: call.callId, ui: confirming(deps, args) });
  } catch (error) {
    if (error instanceof EngineFailure) return { ok: false, error: error.error };
    deps.log.error('tool: crashed', {
      name: call.name,
      callId: call.callId,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    return { ok: false, error: { code: 'tool.failed' } };
  } finally {
    if (call.name === 'ask') deps.emit({ type: 'phase', phase: 'tools' });
  }
}
