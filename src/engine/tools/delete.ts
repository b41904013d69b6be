import * as z from 'zod';
import { ok, refuse } from '../ports/result';
import { countWords } from '../text/count-words';
import { sha256Hex } from '../text/hash';
import { notFound, writablePath } from './paths';
import { proposedReceipt, type Tool } from './tool';

const schema = z.object({ path: z.string().min(1) });

/** `{path, done:"deleted", proposed?, words}`. The file's bytes are in the store before it goes. */
export const deleteTool: Tool<typeof schema> = {
  name: 'delete',
  schema,
  reads: false,
  async run(args, context) {
    const path = await writablePath(args.path, context);
    if (!path.ok) return path;
    const before = await context.documents.bytes(path.value);
    if (before === undefined) return notFound(path.value, { code: 'doc.not-found' }, context);
    const live = await context.documents.read(path.value);
    if (context.signal.aborted) return refuse('turn.aborted');
    const recorded = await context.journal.record({ path: path.value, before, after: null });
    if (!recorded.ok) return recorded;
    const deleted = await context.documents.delete(path.value, sha256Hex(before));
    if (!deleted.ok) {
      const back = await context.journal.record({ path: path.value, before: null, after: before });
      if (back.ok) await context.journal.settled();
      return back.ok ? deleted : back;
    }
    await context.journal.settled();
    context.seen.forget(path.value);
    return ok({ receipt: { path: path.value, done: 'deleted', ...proposedReceipt(context), ...(live.ok ? { words: countWords(live.value.text) } : {}) } });
  },
};
