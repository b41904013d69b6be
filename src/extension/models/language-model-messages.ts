import type { ModelCall, ModelMessage } from '../../engine/index';
import type { LanguageMessage, LanguagePart } from './language-models';

/**
 * A conversation as VS Code's models take it. There is no system role: what stands at the head goes before the first words of the user, in one
 * message, so that equal messages give equal beginnings; results of one batch of calls are one message of the user, as providers
 * expect them. Reasoning cannot be sent back.
 */
export function languageMessages(messages: readonly ModelMessage[]): readonly LanguageMessage[] {
  const start = messages.findIndex(({ role }) => role !== 'system');
  const lead = messages.slice(0, start === -1 ? messages.length : start).map(({ content }) => content);
  const rest = start === -1 ? [] : messages.slice(start);
  const first = rest[0];
  const said: LanguageMessage[] = [];
  if (lead.length > 0) said.push(user(first?.role === 'user' ? [...lead, first.content] : lead));
  for (const message of lead.length > 0 && first?.role === 'user' ? rest.slice(1) : rest) add(said, message);
  return said;
}

function add(said: LanguageMessage[], message: ModelMessage): void {
  switch (message.role) {
    case 'system':
    case 'user':
      said.push(user([message.content]));
      return;
    case 'assistant': {
      const parts: readonly LanguagePart[] = [...(message.content === '' ? [] : [{ kind: 'text' as const, text: message.content }]), ...(message.calls ?? []).map(callPart)];
      if (parts.length > 0) said.push({ role: 'assistant', parts });
      return;
    }
    case 'tool': {
      const part: LanguagePart = { kind: 'result', callId: message.callId, text: message.content };
      const last = said.at(-1);
      if (last?.role === 'user' && last.parts.every(({ kind }) => kind === 'result')) said[said.length - 1] = { role: 'user', parts: [...last.parts, part] };
      else said.push({ role: 'user', parts: [part] });
    }
  }
}

const user = (texts: readonly string[]): LanguageMessage => ({ role: 'user', parts: [{ kind: 'text', text: texts.join('\n\n') }] });

const callPart = ({ callId, name, args }: ModelCall): LanguagePart => ({ kind: 'call', callId, name, input: inputOf(args) });

/** Arguments as they were executed are valid JSON; VS Code takes objects alone. */
function inputOf(args: string): object {
  if (args.trim() === '') return {};
  const value: unknown = JSON.parse(args);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/** All words of a request, for counting. */
export function wordsOf(messages: readonly LanguageMessage[]): string {
  return messages.flatMap(({ parts }) => parts.map((part) => (part.kind === 'call' ? `${part.name} ${JSON.stringify(part.input)}` : part.text))).join('\n');
}
