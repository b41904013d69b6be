import type { ModelMessage, ToolSpec } from '../ports/models';

/**
 * The one JSON form of a message by which traces prove what was sent: keys in a fixed order, absent things absent.
 * It must never change for messages that already exist; hashes on disk depend on it.
 */
export function canonicalMessage(message: ModelMessage): string {
  switch (message.role) {
    case 'system':
    case 'user':
      return JSON.stringify({ role: message.role, content: message.content });
    case 'assistant':
      return JSON.stringify({
        role: 'assistant',
        content: message.content,
        ...(message.reasoning === undefined ? {} : { reasoning: message.reasoning }),
        ...(message.calls === undefined
          ? {}
          : { calls: message.calls.map(({ callId, name, args }) => ({ callId, name, args })) }),
      });
    case 'tool':
      return JSON.stringify({ role: 'tool', callId: message.callId, name: message.name, content: message.content });
  }
}

export function canonicalTools(tools: readonly ToolSpec[]): string {
  return JSON.stringify(tools.map(({ name, description, parameters }) => ({ name, description, parameters })));
}

/** `{tools, messages}`; the tools come first, as servers put them before the messages in the cached prefix. */
export function canonicalRequest(messages: readonly ModelMessage[], tools: string): string {
  return `{"tools":${tools},"messages":[${messages.map(canonicalMessage).join(',')}]}`;
}

/** How many leading bytes are the same. */
export function sharedBytes(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a[at] === b[at]) at += 1;
  return at;
}
