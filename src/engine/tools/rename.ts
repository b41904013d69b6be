import * as z from 'zod';
import { ok, refuse } from '../ports/result';
import { RULES_FILE } from '../project/rules';
import { headingOf, titleFromFileName } from '../text/titles';
import { notFound, writablePath } from './paths';
import { proposedReceipt, type Receipt, type Tool } from './tool';

const schema = z.object({ from: z.string().min(1), to: z.string().min(1) });

/** `{from, to, done:"renamed", proposed?, heading?, headingShowsOldTitle?}`. The text stays as it is. */
export const renameTool: Tool<typeof schema> = {
  name: 'rename',
  schema,
  reads: false,
  async run(args, context) {
    const from = await writablePath(args.from, context);
    if (!from.ok) return from;
    const to = await writablePath(args.to, context, true);
    if (!to.ok) return to;
    if (from.value === RULES_FILE || to.value === RULES_FILE) return refuse('path.not-writable', { path: RULES_FILE });
    const bytes = await context.documents.bytes(from.value);
    if (bytes === undefined) return notFound(from.value, { code: 'doc.not-found' }, context);
    const live = await context.documents.read(from.value);
    if (context.signal.aborted) return refuse('turn.aborted');
    const recorded = await context.journal.record({ path: to.value, from: from.value, before: bytes, after: bytes });
    if (!recorded.ok) return recorded;
    const renamed = await context.documents.rename(from.value, to.value);
    if (!renamed.ok) {
      const back = await context.journal.record({ path: from.value, from: to.value, before: bytes, after: bytes });
      if (back.ok) await context.journal.settled();
      return back.ok ? renamed : back;
    }
    await context.journal.settled();
    const seen = context.seen.get(from.value);
    context.seen.forget(from.value);
    if (seen !== undefined) context.seen.note(to.value, seen);
    return ok({
      receipt: {
        from: from.value,
        to: to.value,
        done: 'renamed',
        ...proposedReceipt(context),
        ...(live.ok ? headingReceipt(live.value.text, from.value, to.value) : {}),
      },
    });
  },
};

function headingReceipt(text: string, from: string, to: string): Receipt {
  const heading = headingOf(text);
  if (heading === undefined) return {};
  const old = titleFromFileName(from);
  const fresh = titleFromFileName(to);
  return { heading, headingShowsOldTitle: old !== fresh && heading.includes(old) && !heading.includes(fresh) };
}
