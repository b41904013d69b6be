import type { Budget } from '../ports/budget';
import type { Clock } from '../ports/clock';
import type { Log } from '../ports/log';
import type { ModelClient, ModelEvent, ModelRequest, TokenPrice, Usage } from '../ports/models';
import type { EngineError } from '../ports/result';
import { requestTokens, type CountTokens } from '../prompt/measure';
import { dayOf } from '../text/day';
import type { UsageCall } from './call';
import { overLimit, type DayLimits, type Planned } from './limits';
import { costOf } from './price';
import type { UsageStore } from './store';

/** What is measured, as the records name it. */
export interface MeasuredAs {
  readonly use: 'writing' | 'side';
  /** Of the profile; `''`: the default one. */
  readonly title: string;
  /** Address of the service; its host alone is kept. */
  readonly base?: string | undefined;
  readonly price?: TokenPrice | undefined;
}

/** Notes what calls take, and refuses what would go over the day's limits. */
export interface UsageMeter extends Budget {
  /**
   * The same client, measured. A call that would go over a limit ends with `usage.over-budget` before anything is sent. Its `usage` events
   * say what the tokens cost, where there is a price.
   */
  measured(client: ModelClient, as: MeasuredAs): ModelClient;
  /** Resolves when all that has ended by now is noted. */
  settled(): Promise<void>;
}

export interface UsageMeterDeps {
  readonly store: UsageStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly countTokens: CountTokens;
  /** Asked before each call. */
  readonly limits: () => DayLimits;
  /** A call was noted. */
  readonly onNoted?: () => void;
}

const hostOf = (base: string | undefined): string => (base !== undefined && URL.canParse(base) ? new URL(base).host : '');

export function createUsageMeter(deps: UsageMeterDeps): UsageMeter {
  const { store, clock, log } = deps;
  /** Tries of the same messages so far. */
  const tries = new WeakMap<ModelRequest['messages'], number>();
  const underWay = new Set<Planned>();
  /** Turns that may go over the limit, and the day on which that was said. */
  const allowed = new Map<string, string>();
  let noting: Promise<void> = Promise.resolve();

  const note = (f: () => Promise<UsageCall>): void => {
    noting = noting.then(async () => {
      await store.add(await f());
      deps.onNoted?.();
    }).catch((error: unknown) => { log.error('usage: a call was not noted', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }); });
  };

  /** Why the call may not be made. Its input is counted only where there is a limit. */
  async function refused(request: ModelRequest, price: TokenPrice | undefined): Promise<{ readonly error?: EngineError; readonly planned?: Planned }> {
    const limits = deps.limits();
    if (limits.tokens === undefined && (limits.cost === undefined || price === undefined)) return {};
    const planned: Planned = { input: await requestTokens(request, deps.countTokens), price };
    await noting;
    const { sums, allowed: untilMidnight } = await store.today();
    const turnId = request.about?.turnId ?? '';
    const free = untilMidnight || (turnId !== '' && allowed.get(turnId) === dayOf(clock.now()));
    const error = free ? undefined : overLimit(limits, sums, [...underWay], planned);
    if (error !== undefined) return { error };
    // At once, so that a call that is looked at meanwhile counts it.
    underWay.add(planned);
    return { planned };
  }

  async function* stream(client: ModelClient, as: MeasuredAs, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
    const { error, planned } = await refused(request, as.price);
    if (error !== undefined) {
      yield { type: 'error', error, retryable: false };
      return;
    }
    const retries = tries.get(request.messages) ?? 0;
    tries.set(request.messages, retries + 1);
    const at = clock.now();
    let firstMs: number | undefined;
    let usage: Usage | undefined;
    let answer = '';
    let outcome = '';
    try {
      for await (const event of client.stream(request, signal)) {
        switch (event.type) {
          case 'usage':
            usage = priced(event.usage, as.price);
            yield { type: 'usage', usage };
            continue;
          case 'done':
            outcome = event.reason;
            break;
          case 'error':
            outcome = event.error.code;
            break;
          case 'text':
          case 'reasoning':
            answer += event.text;
            firstMs ??= clock.now() - at;
            break;
          case 'toolCall':
            answer += event.name + event.args;
            firstMs ??= clock.now() - at;
            break;
          case 'toolCallStart':
          case 'toolCallDelta':
            firstMs ??= clock.now() - at;
            break;
          case 'textWasReasoning':
        }
        yield event;
      }
      if (outcome === '') outcome = 'unknown';
    } finally {
      if (planned !== undefined) underWay.delete(planned);
      const ms = clock.now() - at;
      const ended = outcome !== '' ? outcome : signal.aborted ? 'turn.aborted' : 'unknown';
      note(async () => {
        const tokens = usage ?? (await estimate(request, answer, firstMs !== undefined || !ended.includes('.'), as.price));
        return callOf({ at, client, as, request, tokens, estimated: usage === undefined || (usage as { readonly estimated?: boolean }).estimated === true, firstMs, ms, outcome: ended, retries });
      });
    }
  }

  /** What a service took that did not say so. `answered`: it began to; a request that was refused takes nothing. */
  async function estimate(request: ModelRequest, answer: string, answered: boolean, price: TokenPrice | undefined): Promise<Usage> {
    if (!answered) return { input: 0, output: 0 };
    return priced({ input: await requestTokens(request, deps.countTokens), output: await deps.countTokens(answer) }, price);
  }

  return {
    measured: (client, as) =>
      Object.create(client, {
        stream: { enumerable: true, value: (request: ModelRequest, signal: AbortSignal) => stream(client, as, request, signal) },
        ...(as.price === undefined ? {} : { price: { enumerable: true, value: as.price } }),
      }) as ModelClient,
    async allow(scope) {
      if (scope.kind === 'turn') allowed.set(scope.turnId, dayOf(clock.now()));
      else await store.allowToday();
    },
    settled: () => noting,
  };
}

function priced(usage: Usage, price: TokenPrice | undefined): Usage {
  return price === undefined ? usage : { ...usage, cost: costOf(usage, price), currency: price.currency };
}

interface Measured {
  readonly at: number;
  readonly client: ModelClient;
  readonly as: MeasuredAs;
  readonly request: ModelRequest;
  readonly tokens: Usage;
  readonly estimated: boolean;
  readonly firstMs: number | undefined;
  readonly ms: number;
  readonly outcome: string;
  readonly retries: number;
}

function callOf({ at, client, as, request: { about }, tokens, estimated, firstMs, ms, outcome, retries }: Measured): UsageCall {
  const { input, output, cached, reasoning, cost, currency } = tokens;
  return {
    at,
    profile: as.title,
    model: client.name,
    host: hostOf(as.base),
    use: as.use,
    ...(about === undefined ? {} : { session: about.sessionId }),
    ...(about === undefined || about.turnId === '' ? {} : { turn: about.turnId }),
    input,
    output,
    ...(cached === undefined ? {} : { cached }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(estimated && input + output > 0 ? { estimated: true } : {}),
    ...(firstMs === undefined ? {} : { firstMs }),
    ms,
    outcome,
    retries,
    ...(cost === undefined ? {} : { cost }),
    ...(currency === undefined ? {} : { currency }),
  };
}
