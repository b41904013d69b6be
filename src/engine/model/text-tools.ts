import type { ModelCall, ToolSpec } from '../ports/models';

/** Tags between which a call stands in a model's text. */
export const CALL_OPEN = '<tool_call>';
export const CALL_CLOSE = '</tool_call>';

/** How a result begins, also one that a model makes up. */
export const RESULT_OPEN = '<tool_result';

/**
 * What the system message ends with where tools are told in words. The same tools give the same bytes. In English whatever the project's
 * language is: it is a format, and models know it so.
 */
export function toldTools(tools: readonly ToolSpec[]): string {
  return [
    '# Tools',
    'To call a tool, write this and nothing else around it, one block per call, the arguments as JSON:',
    `${CALL_OPEN}{"name":"<tool>","arguments":{…}}${CALL_CLOSE}`,
    'Then stop. Each result comes back as <tool_result name="<tool>">…</tool_result>. Never write results yourself.',
    'The tools, one per line:',
    ...tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters })),
  ].join('\n');
}

/** Said behind everything else in a call that may use no tool. */
export const NO_MORE_CALLS = 'No more tools can be called now. Answer in words.';

/** A model's message with the calls it made, as it would have written them. */
export function withWrittenCalls(text: string, calls: readonly ModelCall[]): string {
  const written = calls.map(({ name, args }) => `${CALL_OPEN}{"name":${JSON.stringify(name)},"arguments":${args === '' ? '{}' : args}}${CALL_CLOSE}`);
  return [...(text === '' ? [] : [text]), ...written].join('\n');
}

/** A tool's result in words. */
export const writtenResult = (name: string, result: string): string => `${RESULT_OPEN} name=${JSON.stringify(name)}>\n${result}\n</tool_result>`;
