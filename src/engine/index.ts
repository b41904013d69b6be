/** The engine's only public door. */
export { createEngine } from './compose';
export type { ConversationRestored, Engine, EngineOptions, EnginePorts, GoBackPlan, RestoreKind, WentBack } from './engine';

export type { Diagnosis, LogCheck } from './diagnosis';

// Ports
export type { Budget } from './ports/budget';
export type { Clock } from './ports/clock';
export type { AppliedFile, DocumentEvent, Documents, FileChanges, ListedFile, LiveText, TextChange } from './ports/documents';
export { errorTable } from './ports/errors';
export type { ErrorCode, ErrorSpec } from './ports/errors';
export type { Files, FileStat, Lock, LockHolder } from './ports/files';
export type { Ids } from './ports/ids';
export type { Log } from './ports/log';
export type {
  CallAbout,
  DoneReason,
  ModelCall,
  ModelClient,
  ModelEvent,
  ModelMessage,
  ModelRequest,
  Models,
  TokenPrice,
  ToolSpec,
  Usage,
} from './ports/models';
export { EngineFailure, fail, ok, refuse } from './ports/result';
export type { EngineError, Result } from './ports/result';
export type { Secrets } from './ports/secrets';
export type { AskAnswer, AskRequest, OverBudgetAnswer, Ui } from './ports/ui';

// Project
export { createProject, openProject } from './project/open-project';
export type { Project, ProjectConfig, ProjectRules } from './project/project';
export { isTextName, MAX_FILE_BYTES, normalisePath } from './project/rules';

export type { RuleId } from './project/writing-rules';
export type { Rules, RuleState } from './writing-rules';

// Sessions
export type { Entry, EntryData, EntryOf, EntryType, NewEntry, SessionHeader, UnknownEntry } from './session/entries';
export { historyOf, openTurn, recentBranch } from './session/history';
export type { History, Turn, TurnStep } from './session/history';
export type { SessionHit, SessionSearch } from './session/search';
export type { EntryStub, ReadOnlyReason, Session, SessionInfo, Sessions } from './session/session';
export { mentionsOf } from './session/mentions';
export type { Mention } from './session/mentions';
export { lastTurnCosts, lastUsage, sessionUsage } from './session/usage';
export type { Cost, SessionUsage, TokenUsage, TurnUsage } from './session/usage';
export { isTurnUndone } from './session/undone-turns';
export { newestLeaf, turnVariants, variantsOf } from './session/variants';
export type { Variant } from './session/variants';

// Store
export { createNodeFiles } from './store/node-files';
export type { ObjectStore } from './store/objects';

// Manuscript
export type { Changed, CheckpointRecord, Manifest } from './manuscript/checkpoint-log';
export type {
  BadObject,
  CheckpointInput,
  Checkpoints,
  CleanUpOutcome,
  CleanUpPlan,
  FileChange,
  JournalEdit,
  RestoreOutcome,
  RestorePlan,
  TurnRef,
  UndoOutcome,
  Verified,
} from './manuscript/checkpoints';
export type { FileStep } from './manuscript/file-history';
export type { Mark } from './manuscript/marks';
export type { StoreKind, StoreSize } from './manuscript/store-size';
export { isChapter } from './manuscript/chapters';
export type { Chapter, Manuscript } from './manuscript/manuscript';
export type { DayWords } from './manuscript/progress/days';
export type { Progress, Written } from './manuscript/progress/progress';

// Passages
export type { AcceptedPassage, Offer } from './passage';
export type { Passage, PassageTask } from './session/passage';
export type { Arrange, Arranged } from './manuscript/arrange';
export { newChapterPlace, nextVolumeName, pathOfPlace, splitTitle } from './manuscript/chapter-place';
export type { ChapterPlace } from './manuscript/chapter-place';
export { placedAt, placedIn, planOrder } from './manuscript/renumber';
export type { ChapterMove, WantedPlace } from './manuscript/renumber';

// Text
export { findPassage } from './text/find-passage';
export { readCandidates } from './text/candidates';
export type { Candidates } from './text/candidates';
export { countWords } from './text/count-words';
export { dayOf } from './text/day';
export { diffRuns } from './text/diff';
export { decodeBytes } from './text/encoding';
export type { TextEncodingId } from './text/encoding';
export { setFrontMatter } from './text/front-matter-edit';
export { countTokens } from './text/tokens';
export type { ForbiddenHit, ForbiddenInText, ForbiddenMatcher, ForbiddenWord } from './text/forbidden-words';
export { sha256Hex } from './text/hash';
export { compareNatural } from './text/natural-order';
export { findNotes, noteText } from './text/notes';
export type { OpenNote } from './text/notes';

// Models
export { completeBaseUrl } from './model/base-url';
export type { ModelAddress } from './model/base-url';
export { listModels, testConnection } from './model/connection';
export type { ConnectionTest } from './model/connection';
export { probeEndpoint } from './model/probe';
export type { ProbeStep } from './model/probe';
export { createLessonBook, readLessons } from './model/lessons';
export type { LessonBook } from './model/lessons';
export { createTokenScale } from './text/token-scale';
export type { ScaleMemory, TokenScale } from './text/token-scale';
export { failureFrom } from './model/failures';
export { createAnswerReader } from './model/read-answer';
export type { AnswerReader } from './model/read-answer';
export { createWatch } from './model/watch';
export type { Watch } from './model/watch';
export { discoverLocal } from './model/local-services';
export type { LocalModel, LocalService } from './model/local-services';
export { createOpenAIClient } from './model/openai-client';
export { needsKey, profileFromSettings } from './model/profile';
export type { ModelProfile } from './model/profile';
export { createRehearsalClient } from './model/rehearsal';

// Review
export type { PlacedChange, ProposalView } from './review/on-live';
export type { Proposal, ProposalKind } from './review/proposal';
export type { Accepted, ProposalRow, Review } from './review/review';
export { placesOf, undoPlace } from './review/places';
export type { ChangedPlace } from './review/places';

// Usage
export { speedOf } from './usage/call';
export type { UsageCall } from './usage/call';
export type { DayLimits } from './usage/limits';
export { createUsageMeter } from './usage/meter';
export type { MeasuredAs, UsageMeter } from './usage/meter';
export { createUsageStore } from './usage/store';
export type { UsageStore } from './usage/store';
export { addUp } from './usage/sums';
export type { DaySums, ModelSum } from './usage/sums';

// Jobs
export { progressOf } from './jobs/job';
export type { Job, JobChapter, JobChapterState, JobProgress } from './jobs/job';
export type { JobEstimate } from './jobs/estimate';
export type { Jobs, JobView } from './jobs/jobs';
export type { JobPlan } from './jobs/plan';

// Turns and prompts
export type { ContextPart, ContextUse } from './prompt/context-use';
export type { TraceBlock, TraceLine } from './prompt/trace-schema';
export { AGENT_TOOLS } from './tools/registry';
export type { TurnChanges, TurnEvent, TurnStatus } from './turn/events';
export type { Interrupted, TurnExtras, TurnInput, TurnTask, Turns } from './turn/turns';
export type { NewWords, QueueChange, QueuedWords, WordQueue } from './turn/word-queue';
