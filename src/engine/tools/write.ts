import * as z from 'zod';
import type { LiveText } from '../ports/documents';
import { ok, refuse } from '../ports/result';
import { journalSaved } from '../manuscript/apply-texts';
import type { Result } from '../ports/result';
import { countWords } from '../text/count-words';
import { minimalChanges } from '../text/diff';
import type { ToolError } from './apply-text';
import { applyPlans, savedReceipt } from './apply-text';
import { forbiddenReceipt } from './forbidden';
import { writablePath } from './paths';
import { headFitting } from './receipts';
import { proposedReceipt, type Receipt, type Tool, type ToolContext, type ToolOutcome } from './tool';

const schema = z.object({ path: z.string().min(1), content: z.string() });

/**
 * `{path, done:"created"|"replaced", proposed?, words, forbidden?}`. A file that exists is changed by small edits on its live text. When its text is not
 * what the agent last saw in this turn, or holds unsaved words the agent has not seen, the call fails with
 * `{error:"unseen", path, unsaved, text, seen, cut?}`: the text now there, and whether it counts as seen from here on.
 */
export const writeTool: Tool<typeof schema> = {
  name: 'write',
  schema,
  reads: false,
  async run({ path, content }, context) {
    const checked = await writablePath(path, context);
    if (!checked.ok) return checked;
    const size = new TextEncoder().encode(content).length;
    if (size > context.rules.maxBytes) return refuse('doc.too-large', { path: checked.value, size, limit: context.rules.maxBytes });
    const exists = (await context.documents.bytes(checked.value)) !== undefined;
    return exists ? replace(checked.value, content, context) : create(checked.value, content, context);
  },
};

async function create(path: string, content: string, context: ToolContext): Promise<Result<ToolOutcome, ToolError>> {
  const text = content.replaceAll('\r\n', '\n');
  if (context.signal.aborted) return refuse('turn.aborted');
  const after = new TextEncoder().encode(text);
  const recorded = await context.journal.record({ path, before: null, after });
  if (!recorded.ok) return recorded;
  const created = await context.documents.create(path, text);
  if (!created.ok) {
    const back = await context.journal.record({ path, before: after, after: null });
    if (back.ok) await context.journal.settled();
    return back.ok ? created : back;
  }
  context.seen.note(path, created.value.text);
  const saved = await journalSaved(context.documents, context.journal, created.value, after);
  if (!saved.ok) return saved;
  await context.journal.settled();
  const now = created.value.text;
  return ok({ receipt: { path, done: 'created', ...proposedReceipt(context), words: countWords(now), ...savedReceipt(created.value), ...forbiddenReceipt(path, '', now, context) } });
}

async function replace(path: string, content: string, context: ToolContext): Promise<Result<ToolOutcome, ToolError>> {
  const outcome = await applyPlans(
    [
      {
        path,
        plan(live) {
          const seen = context.seen.get(path);
          const known = seen === undefined ? !live.dirty : seen === live.text;
          if (!known) return { ok: false, error: { code: 'doc.unseen', args: { path }, receipt: { unsaved: live.dirty, ...textNow(live, context) } } };
          const next = content.replaceAll('\r\n', '\n').replaceAll('\n', live.eol);
          return ok({ changes: minimalChanges(live.text, next), found: undefined });
        },
      },
    ],
    context,
  );
  if (!outcome.ok) return outcome;
  const [file] = outcome.value;
  return ok({
    receipt: {
      path,
      done: 'replaced',
      ...proposedReceipt(context),
      words: countWords(file?.text ?? ''),
      ...savedReceipt(file?.applied),
      ...forbiddenReceipt(path, file?.before ?? '', file?.text ?? '', context),
    },
  });
}

/** Shows the agent what stands there; it counts as seen when it was shown whole. */
function textNow(live: LiveText, context: ToolContext): Receipt {
  const text = headFitting(live.text, context.resultLimit);
  if (text !== live.text) return { text, seen: false, cut: { chars: text.length, of: live.text.length } };
  context.seen.note(live.path, live.text);
  return { text, seen: true };
}
