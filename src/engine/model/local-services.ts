import type { Log } from '../ports/log';
import { parsedJson } from '../text/json';
import type { Fetch } from './exchange';
import { readText, WHOLE_LIMIT } from './limits';

export type LocalKind = 'ollama' | 'lmstudio' | 'llamacpp';

export interface LocalModel {
  readonly name: string;
  /** Tokens it holds, where its service says so. */
  readonly window?: number;
  /** That is what the model was made for; how much the service gives it is not known before it runs. */
  readonly atMost?: true;
}

/** A service that runs on this machine. */
export interface LocalService {
  readonly kind: LocalKind;
  /** Its own name. */
  readonly title: string;
  /** For a profile. */
  readonly base: string;
  /** Models that answer in words, in the order of the service. */
  readonly models: readonly LocalModel[];
}

export interface DiscoverOptions {
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
  /** For tests; each service's own when absent. */
  readonly ports?: Readonly<Partial<Record<LocalKind, number>>>;
  readonly log?: Log;
  /** Patience for one answer, in ms. */
  readonly timeoutMs?: number;
}

const PORTS: Readonly<Record<LocalKind, number>> = { ollama: 11_434, lmstudio: 1_234, llamacpp: 8_080 };
const TITLES: Readonly<Record<LocalKind, string>> = { ollama: 'Ollama', lmstudio: 'LM Studio', llamacpp: 'llama.cpp' };
const TIMEOUT_MS = 600;
/** Ollama is asked about each model by itself. */
const MOST_ASKED = 30;

/** Asks one path of one service; nothing for whatever is no good answer in time. */
type Ask = (path: string, body?: unknown) => Promise<Json | undefined>;
type Json = Readonly<Record<string, unknown>>;

/**
 * Which of the well-known services run on this machine, and their models: Ollama, LM Studio, llama.cpp. Asks 127.0.0.1 alone, follows no
 * redirect, waits 600 ms for an answer, all side by side; for whoever looks at a list of addresses, never in the background.
 */
export async function discoverLocal(options: DiscoverOptions): Promise<readonly LocalService[]> {
  const found = await Promise.all((['ollama', 'lmstudio', 'llamacpp'] as const).map(async (kind): Promise<LocalService | undefined> => {
    const origin = `http://127.0.0.1:${options.ports?.[kind] ?? PORTS[kind]}`;
    const models = await READERS[kind](askAt(origin, options));
    return models === undefined ? undefined : { kind, title: TITLES[kind], base: `${origin}/v1`, models };
  }));
  return found.filter((one) => one !== undefined);
}

const READERS: Readonly<Record<LocalKind, (ask: Ask) => Promise<readonly LocalModel[] | undefined>>> = {
  ollama: ollamaModels,
  lmstudio: lmStudioModels,
  llamacpp: llamaModels,
};

/** What runs now has the window it was loaded with; else what its file sets; else what it was trained for. */
async function ollamaModels(ask: Ask): Promise<readonly LocalModel[] | undefined> {
  const [tags, loaded] = await Promise.all([ask('/api/tags'), ask('/api/ps')]);
  const names = listOf(tags?.['models'])?.map((one) => text(one['name'])).filter((name) => name !== '');
  if (names === undefined) return undefined;
  const running = new Map(listOf(loaded?.['models'])?.map((one) => [text(one['name']), tokens(one['context_length'])]));
  return Promise.all(names.map(async (name, at): Promise<LocalModel | undefined> => {
    const shown = at < MOST_ASKED ? await ask('/api/show', { model: name }) : undefined;
    const abilities = shown?.['capabilities'];
    if (Array.isArray(abilities) && !abilities.includes('completion')) return undefined;
    return withWindow(name, running.get(name) ?? numCtx(shown?.['parameters']), trainedFor(shown?.['model_info']));
  })).then((models) => models.filter((model) => model !== undefined));
}

/** `num_ctx  8192` in a list of parameters, one a line. */
function numCtx(parameters: unknown): number | undefined {
  return tokens(Number(/^num_ctx\s+(\d+)\s*$/m.exec(text(parameters))?.[1]));
}

/** `<architecture>.context_length`. */
function trainedFor(info: unknown): number | undefined {
  const known = asObject(info) ?? {};
  return tokens(Object.entries(known).find(([name]) => name.endsWith('.context_length'))?.[1]);
}

async function lmStudioModels(ask: Ask): Promise<readonly LocalModel[] | undefined> {
  const [listed, own] = await Promise.all([ask('/v1/models'), ask('/api/v0/models')]);
  const names = listOf(listed?.['data'])?.map((one) => text(one['id'])).filter((name) => name !== '');
  if (names === undefined) return undefined;
  const details = new Map(listOf(own?.['data'])?.map((one) => [text(one['id']), one]));
  return names
    .filter((name) => text(details.get(name)?.['type']) !== 'embeddings')
    .map((name) => withWindow(name, tokens(details.get(name)?.['loaded_context_length']), tokens(details.get(name)?.['max_context_length'])));
}

async function llamaModels(ask: Ask): Promise<readonly LocalModel[] | undefined> {
  const [listed, props] = await Promise.all([ask('/v1/models'), ask('/props')]);
  const models = listOf(listed?.['data'])?.filter((one) => text(one['id']) !== '');
  if (models === undefined || models.length === 0) return undefined;
  const running = tokens(asObject(props?.['default_generation_settings'])?.['n_ctx']);
  return models.map((one) => withWindow(text(one['id']), running, tokens(asObject(one['meta'])?.['n_ctx_train'])));
}

function withWindow(name: string, window: number | undefined, most: number | undefined): LocalModel {
  if (window !== undefined) return { name, window };
  return most === undefined ? { name } : { name, window: most, atMost: true };
}

function askAt(origin: string, { fetch, signal, log, timeoutMs = TIMEOUT_MS }: DiscoverOptions): Ask {
  return async (path, body) => {
    try {
      const response = await fetch(`${origin}${path}`, {
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        ...(body === undefined ? {} : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
      });
      if (response.status !== 200) {
        void response.body?.cancel().catch(() => undefined);
        return undefined;
      }
      const { text: answer, whole } = await readText(response, WHOLE_LIMIT, () => undefined);
      return whole ? asObject(parsedJson(answer)) : undefined;
    } catch (error) {
      // Nothing runs there, or nothing that answers in time: it is not offered.
      log?.debug('nothing answers on this machine', { url: `${origin}${path}`, error: String(error) });
      return undefined;
    }
  };
}

function listOf(value: unknown): readonly Json[] | undefined {
  return Array.isArray(value) ? value.map(asObject).filter((one) => one !== undefined) : undefined;
}

function asObject(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const tokens = (value: unknown): number | undefined => (typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined);
