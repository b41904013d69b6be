import * as z from 'zod';
import type { VsCodeApi } from '../shared/vscode-api';

/** What the author wrote into the panel, kept while it is hidden; of one turn only. */
const schema = z.object({
  turnId: z.string(),
  /** Changed texts of versions, by their place. */
  edited: z.record(z.string(), z.string()),
  mix: z.string().optional(),
  wish: z.string().optional(),
  /** The text that was put into the chapter last. */
  taken: z.string().optional(),
});
export type OwnWords = Readonly<z.infer<typeof schema>>;

export function readOwnWords(api: Pick<VsCodeApi, 'getState'>, turnId: string): OwnWords {
  const stored = schema.safeParse(api.getState());
  return stored.success && stored.data.turnId === turnId ? stored.data : { turnId, edited: {} };
}
