import * as vscode from 'vscode';
import type { LanguageAnswerPart, LanguageMessage, LanguageModel, LanguageModels, LanguagePart } from './language-models';

/** The models that VS Code offers to extensions: Copilot's, and those of other extensions. */
export const vscodeLanguageModels: LanguageModels = {
  select: async (wanted) => {
    const models = await vscode.lm.selectChatModels(wanted === undefined ? {} : { ...wanted });
    return models.map(asModel);
  },
};

function asModel(model: vscode.LanguageModelChat): LanguageModel {
  const { id, name, vendor, family, version, maxInputTokens } = model;
  return {
    id,
    name,
    vendor,
    family,
    version,
    maxInputTokens,
    send: async ({ messages, tools, justification }, signal) => {
      const token = tokenOf(signal);
      const options = { justification, ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ ...tool })), toolMode: vscode.LanguageModelChatToolMode.Auto }) };
      const response = await model.sendRequest(messages.map(asMessage), options, token);
      return answerOf(response.stream);
    },
    count: async (text, signal) => model.countTokens(text, tokenOf(signal)),
  };
}

/** A token that is cancelled with the signal. It holds nothing that would have to be given back. */
function tokenOf(signal: AbortSignal): vscode.CancellationToken {
  const source = new vscode.CancellationTokenSource();
  if (signal.aborted) source.cancel();
  else signal.addEventListener('abort', () => { source.cancel(); }, { once: true });
  return source.token;
}

function asMessage({ role, parts }: LanguageMessage): vscode.LanguageModelChatMessage {
  const kind = role === 'user' ? vscode.LanguageModelChatMessageRole.User : vscode.LanguageModelChatMessageRole.Assistant;
  return new vscode.LanguageModelChatMessage(kind, parts.map(asPart));
}

function asPart(part: LanguagePart): vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart | vscode.LanguageModelToolResultPart {
  switch (part.kind) {
    case 'text':
      return new vscode.LanguageModelTextPart(part.text);
    case 'call':
      return new vscode.LanguageModelToolCallPart(part.callId, part.name, part.input);
    case 'result':
      return new vscode.LanguageModelToolResultPart(part.callId, [new vscode.LanguageModelTextPart(part.text)]);
  }
}

async function* answerOf(stream: AsyncIterable<unknown>): AsyncGenerator<LanguageAnswerPart> {
  for await (const part of stream) {
    if (part instanceof vscode.LanguageModelTextPart) yield { kind: 'text', text: part.value };
    else if (part instanceof vscode.LanguageModelToolCallPart) yield { kind: 'call', callId: part.callId, name: part.name, input: part.input };
    else {
      const text = thinkingOf(part);
      if (text !== '') yield { kind: 'reasoning', text };
    }
  }
}

/** Thinking has no class in the stable API yet: a part whose value is text, or pieces of text, and that is no file of some kind. */
function thinkingOf(part: unknown): string {
  if (typeof part !== 'object' || part === null || 'mimeType' in part || !('value' in part)) return '';
  const { value } = part;
  const pieces: readonly unknown[] = Array.isArray(value) ? value : [value];
  return pieces.filter((piece) => typeof piece === 'string').join('');
}
