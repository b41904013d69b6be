import type { ModelEvent } from '../ports/models';
import type { CallFragment } from './chunk';

/** A call put together from its fragments. */
export interface AssembledCall {
  readonly callId: string;
  readonly name: string;
  readonly args: string;
}

export interface CallAssembler {
  /** The fragments of one delta, in order. Returns the starts and deltas they amount to. */
  push(fragments: readonly CallFragment[]): readonly ModelEvent[];
  /** All calls so far, in the order they began. */
  calls(): readonly AssembledCall[];
}

interface OpenCall {
  index: number | undefined;
  wireId: string | undefined;
  callId: string;
  name: string;
  args: string;
  started: boolean;
}

/**
 * Puts tool calls together whichever way their fragments are marked: by index, by id, or only by their order. An id that is missing,
 * or that `taken` already holds (some servers count from zero in each answer), is replaced by `mint(n)`, n from 0.
 */
export function createCallAssembler(taken: ReadonlySet<string>, mint: (n: number) => string): CallAssembler {
  const calls: OpenCall[] = [];
  const ids = new Set(taken);
  let minted = 0;

  function newId(wireId: string | undefined): string {
    let id = wireId;
    while (id === undefined || ids.has(id)) {
      id = mint(minted);
      minted += 1;
    }
    ids.add(id);
    return id;
  }

  function find(fragment: CallFragment, opensAnother: boolean): OpenCall | undefined {
    if (fragment.index !== undefined) {
      const open = calls.findLast((call) => call.index === fragment.index);
      // The same index under another id and with a name of its own: a server that numbers every call 0.
      const another = open?.wireId !== undefined && fragment.id !== undefined && fragment.id !== open.wireId && fragment.name !== undefined && isJson(open.args);
      return another ? undefined : open;
    }
    if (fragment.id !== undefined) {
      const open = calls.findLast((call) => call.wireId === fragment.id);
      if (open !== undefined || fragment.name !== undefined) return open;
    }
    const last = calls.at(-1);
    if (last === undefined || fragment.name === undefined) return last;
    return opensAnother || fragment.name !== last.name || isJson(last.args) ? undefined : last;
  }

  return {
    push(fragments) {
      const events: ModelEvent[] = [];
      fragments.forEach((fragment, position) => {
        let call = find(fragment, position > 0);
        if (call === undefined) {
          call = { index: fragment.index, wireId: fragment.id, callId: newId(fragment.id), name: '', args: '', started: false };
          calls.push(call);
        }
        call.wireId ??= fragment.id;
        if (call.name === '' && fragment.name !== undefined) call.name = fragment.name;
        if (!call.started && call.name !== '') {
          call.started = true;
          events.push({ type: 'toolCallStart', callId: call.callId, name: call.name });
          if (call.args !== '') events.push({ type: 'toolCallDelta', callId: call.callId, args: call.args });
        }
        if (fragment.args === undefined || fragment.args === '') return;
        call.args += fragment.args;
        if (call.started) events.push({ type: 'toolCallDelta', callId: call.callId, args: fragment.args });
      });
      return events;
    },
    calls: () => calls.map(({ callId, name, args }) => ({ callId, name, args })),
  };
}

/** True for text that is a whole JSON value. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
