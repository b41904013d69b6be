import type { LanguageAnswerPart, LanguageModel, LanguageModels, LanguageRequest } from '../../src/extension/models/language-models';

/** What the model does with one request: parts that stream, an error before the first of them, or a function of the request. */
export type LanguageAnswer = readonly LanguageAnswerPart[] | Error | ((request: LanguageRequest, signal: AbortSignal) => AsyncIterable<LanguageAnswerPart>);

export interface FakeLanguageModel extends LanguageModel {
  readonly requests: readonly LanguageRequest[];
  /** Texts that were counted. */
  readonly counted: readonly string[];
  /** The signal of the newest request. */
  signal(): AbortSignal | undefined;
}

export interface FakeLanguageModelOptions extends Partial<Omit<LanguageModel, 'send' | 'count'>> {
  readonly count?: (text: string, signal: AbortSignal) => Promise<number>;
}

/** One of VS Code's models that answers by script. */
export function createFakeLanguageModel(script: readonly LanguageAnswer[] = [], options: FakeLanguageModelOptions = {}): FakeLanguageModel {
  const answers = [...script];
  const requests: LanguageRequest[] = [];
  const counted: string[] = [];
  let newest: AbortSignal | undefined;
  return {
    id: 'gpt-x',
    name: 'GPT X',
    vendor: 'copilot',
    family: 'gpt',
    version: '1',
    maxInputTokens: 64_000,
    ...options,
    requests,
    counted,
    signal: () => newest,
    send: (request, signal) => {
      requests.push(structuredClone(request));
      newest = signal;
      const answer = answers.shift() ?? new Error('the script is over');
      if (answer instanceof Error) return Promise.reject(answer);
      return Promise.resolve(typeof answer === 'function' ? answer(request, signal) : streamOf(answer));
    },
    count: (text, signal) => {
      counted.push(text);
      return options.count === undefined ? Promise.resolve(text.length) : options.count(text, signal);
    },
  };
}

async function* streamOf(parts: readonly LanguageAnswerPart[]): AsyncGenerator<LanguageAnswerPart> {
  for (const part of parts) yield await Promise.resolve(part);
}

/** The models there are. `asked` counts what was looked up. */
export function createFakeLanguageModels(models: readonly LanguageModel[]): LanguageModels {
  return {
    select: (wanted) => Promise.resolve(models.filter(({ id, vendor }) => wanted === undefined || (wanted.id === id && (wanted.vendor === undefined || wanted.vendor === vendor)))),
  };
}

/** As VS Code makes them. */
export function languageModelError(code: string, message: string, name = 'LanguageModelError'): Error {
  return Object.assign(new Error(message), { code, name });
}
