/** Models that VS Code offers to extensions, without VS Code's own types: the seam between its API and our client. */
export interface LanguageModels {
  /** The models there are now, those with this id, or with this vendor and id. Never asks the person anything. */
  select(wanted?: { readonly id: string; readonly vendor?: string }): Promise<readonly LanguageModel[]>;
}

export interface LanguageModel {
  readonly id: string;
  /** As people read it. */
  readonly name: string;
  readonly vendor: string;
  readonly family: string;
  readonly version: string;
  /** Tokens that may be sent. */
  readonly maxInputTokens: number;
  /**
   * Sends a request and streams its answer; the first time VS Code may ask the person whether we may, so only what the person did leads
   * here. Rejects, or throws while streaming, as VS Code does.
   */
  send(request: LanguageRequest, signal: AbortSignal): Promise<AsyncIterable<LanguageAnswerPart>>;
  /** Tokens of a text as this model counts them. Asks nobody. */
  count(text: string, signal: AbortSignal): Promise<number>;
}

export interface LanguageRequest {
  readonly messages: readonly LanguageMessage[];
  readonly tools: readonly { readonly name: string; readonly description: string; readonly inputSchema: object }[];
  /** Shown when VS Code asks the person. */
  readonly justification: string;
}

/** There is no system role. */
export interface LanguageMessage {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly LanguagePart[];
}

interface TextPart {
  readonly kind: 'text';
  readonly text: string;
}

interface CallPart {
  readonly kind: 'call';
  readonly callId: string;
  readonly name: string;
  readonly input: object;
}

export type LanguagePart = TextPart | CallPart | { readonly kind: 'result'; readonly callId: string; readonly text: string };
export type LanguageAnswerPart = TextPart | CallPart | { readonly kind: 'reasoning'; readonly text: string };
