import * as z from 'zod';
import { ok } from '../ports/result';
import type { Tool } from './tool';

const schema = z.object({ question: z.string().min(1), options: z.array(z.string().min(1)).min(2).max(4) });

/** `{answer, by:"user"}`; when the user stopped, `{stopped:true, by:"user"}` and the turn ends. */
export const askTool: Tool<typeof schema> = {
  name: 'ask',
  schema,
  reads: false,
  prepare: labelsOf,
  async run({ question, options }, context) {
    const decided = await context.ui.ask({ askId: context.callId, question, options }, context.signal);
    if (decided.kind === 'stopped') {
      return ok({ receipt: { stopped: true, by: 'user' }, ends: true, choice: { question, options, stopped: true } });
    }
    return ok({ receipt: { answer: decided.text, by: 'user' }, choice: { question, options, answer: decided.text } });
  },
};

/** Options given as objects are taken by their label. */
function labelsOf(args: unknown): unknown {
  if (typeof args !== 'object' || args === null || !('options' in args) || !Array.isArray(args.options)) return args;
  return { ...args, options: args.options.map(labelOf) };
}

function labelOf(option: unknown): unknown {
  if (typeof option !== 'object' || option === null) return option;
  const fields = option as Readonly<Record<string, unknown>>;
  return fields['label'] ?? fields['text'] ?? fields['title'] ?? option;
}
