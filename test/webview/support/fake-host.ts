import type { ChatDelta, ChatSnapshot } from '../../../src/protocol/chat';

/** One request the view has made. */
export interface Asked {
  readonly id: number;
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface FakeHostOptions {
  readonly snapshot: ChatSnapshot;
  /** What an app other than the chat is answered when it is ready. */
  readonly ready?: Readonly<Record<string, unknown>>;
  readonly strings: Readonly<Record<string, string>>;
  readonly locale: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly bodyClass: string;
}

/** The other end of the wire, in the page: answers, records, and posts what a test tells it to. */
export interface FakeHost {
  readonly asked: Asked[];
  /** Violations of the content security policy so far. */
  readonly violations: string[];
  /** Body of the answer by request name; `refuse` instead of an answer. Others are answered with `{}`. */
  readonly answers: Record<string, unknown>;
  readonly refusals: Record<string, string>;
  /** Requests that are not answered until the test does. */
  readonly held: Set<string>;
  snapshot: ChatSnapshot;
  answer(id: number, body: unknown): void;
  /** Posts deltas with the next number. */
  deltas(...deltas: ChatDelta[]): void;
  /** Posts an event with any stamp. */
  event(name: string, epoch: string, seq: number, body: unknown): void;
  /** What `setState` was last given. */
  state(): unknown;
}

declare global {
  interface Window {
    liyuanHost: FakeHost;
  }
}

/** Runs in the page, before anything of it. Serialised: nothing from outside but the options. */
export function installFakeHost(options: FakeHostOptions): void {
  const stateKey = 'vscode-state';
  const asked: Asked[] = [];
  const violations: string[] = [];
  const answers: Record<string, unknown> = { send: { accepted: true }, sessions: { sessions: [] } };
  const refusals: Record<string, string> = {};
  const held = new Set<string>();
  let { snapshot } = options;
  let seq = snapshot.seq;
  const post = (message: unknown): void => { window.postMessage(message, '*'); };
  const answer = (id: number, body: unknown): void => { post({ kind: 'response', id, ok: true, body }); };
  document.addEventListener('securitypolicyviolation', (violation) => {
    violations.push(`${violation.violatedDirective} ${violation.blockedURI} ${violation.sourceFile ?? ''}:${violation.lineNumber} ${violation.sample}`);
  });
  document.addEventListener('DOMContentLoaded', () => {
    document.body.className = options.bodyClass;
    for (const [name, value] of Object.entries(options.variables)) document.documentElement.style.setProperty(name, value);
  });
  const host: FakeHost = {
    asked,
    violations,
    answers,
    refusals,
    held,
    get snapshot() {
      return snapshot;
    },
    set snapshot(next) {
      snapshot = next;
      seq = next.seq;
    },
    answer,
    deltas: (...deltas) => {
      seq += 1;
      post({ kind: 'event', name: 'deltas', epoch: snapshot.epoch, seq, body: deltas });
    },
    event: (name, epoch, number, body) => { post({ kind: 'event', name, epoch, seq: number, body }); },
    state: () => JSON.parse(sessionStorage.getItem(stateKey) ?? 'null') as unknown,
  };
  window.liyuanHost = host;
  Object.assign(window, {
    acquireVsCodeApi: () => ({
      postMessage: (message: Asked) => {
        asked.push(message);
        const { id, name } = message;
        const refusal = refusals[name];
        if (held.has(name)) return;
        if (refusal !== undefined) post({ kind: 'response', id, ok: false, message: refusal });
        else if (name === 'ready' && options.ready !== undefined) answer(id, { ...options.ready, strings: options.strings, locale: options.locale });
        else if (name === 'ready') answer(id, { snapshot: { ...snapshot, seq }, strings: options.strings, locale: options.locale });
        else answer(id, answers[name] ?? {});
      },
      getState: host.state,
      setState: (state: unknown) => { sessionStorage.setItem(stateKey, JSON.stringify(state)); },
    }),
  });
}
