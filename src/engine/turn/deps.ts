import type { Checkpoints } from '../manuscript/checkpoints';
import type { Manuscript } from '../manuscript/manuscript';
import type { Budget } from '../ports/budget';
import type { Clock } from '../ports/clock';
import type { Documents } from '../ports/documents';
import type { Files } from '../ports/files';
import type { Ids } from '../ports/ids';
import type { Log } from '../ports/log';
import type { Models } from '../ports/models';
import type { Ui } from '../ports/ui';
import type { Project } from '../project/project';
import type { PromptAssets } from '../prompt/assets';
import type { TraceStore } from '../prompt/trace-store';
import type { Review } from '../review/review';
import type { ObjectStore } from '../store/objects';
import type { TokenScale } from '../text/token-scale';
import type { RegexSearch } from '../tools/regex-search';
import type { TurnGate } from './gate';

/** What turns are made of. */
export interface TurnDeps {
  readonly files: Files;
  readonly documents: Documents;
  readonly manuscript: Manuscript;
  readonly checkpoints: Checkpoints;
  readonly project: Project;
  readonly objects: ObjectStore;
  readonly traces: TraceStore;
  readonly models: Models;
  readonly ui: Ui;
  /** Absent: there is no limit of the day, or nobody who could go over it. */
  readonly budget?: Budget | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** In the project's language as it is now. */
  readonly assets: () => PromptAssets;
  readonly trusted: () => boolean;
  readonly regexSearch: RegexSearch;
  readonly gate: TurnGate;
  /** Real tokens of a text, by one tokenizer for all models. */
  readonly countTokens: (text: string) => Promise<number>;
  /** How the tokens of the model compare with those. */
  readonly tokenScale: TokenScale;
  readonly review: Review;
  /** `review`: what a turn would change in the files is proposed. Asked once a turn. */
  readonly apply: () => 'auto' | 'review';
}
