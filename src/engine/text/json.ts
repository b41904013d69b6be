/** What a text says as JSON; `undefined` when it is none. Its shape is unchecked. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The `v` of a value of any form; 0 when it has none. */
export function versionOf(value: unknown): number {
  return typeof value === 'object' && value !== null && 'v' in value && typeof value.v === 'number' ? value.v : 0;
}
