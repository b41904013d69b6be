import { applyTexts, type AppliedPlan, type JournalledPlan } from '../manuscript/apply-texts';
import type { AppliedFile } from '../ports/documents';
import type { EngineError, Result } from '../ports/result';
import type { Receipt, ToolContext } from './tool';

export type ToolError = EngineError & { readonly receipt?: Receipt };

/** A plan of a tool: its edits are the turn's. */
export type TextPlan<T> = Omit<JournalledPlan<T, ToolError>, 'journal'>;

/** Changes live texts as `applyTexts` does; what stands there then is what the agent has seen. */
export async function applyPlans<T>(plans: readonly TextPlan<T>[], context: ToolContext): Promise<Result<readonly AppliedPlan<T>[], ToolError>> {
  const { documents, journal, seen, signal } = context;
  const applied = await applyTexts(documents, plans.map((plan) => ({ ...plan, journal })), signal);
  if (applied.ok) for (const { path, text } of applied.value) seen.note(path, text);
  return applied;
}

/** What an applied file has to tell: save participants changed it, or it was not saved because the author has unsaved words in it. */
export function savedReceipt(applied: AppliedFile | undefined): Receipt {
  if (applied === undefined) return {};
  return { ...(applied.changedOnSave ? { changedOnSave: true } : {}), ...(applied.saved ? {} : { unsaved: true }) };
}
