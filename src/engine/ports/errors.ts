/**
 * The one table of refusals: whom a message is for, whether trying again can help.
 * People meet these through `l10n` keys `error.<code>` (both languages); the model meets them as tool results.
 */
export interface ErrorSpec {
  readonly audience: 'model' | 'person' | 'both';
  readonly retryable: boolean;
}

const spec = (audience: ErrorSpec['audience'], retryable = false): ErrorSpec => ({ audience, retryable });

export const errorTable = {
  // documents and paths
  'path.outside': spec('both'),
  'path.forbidden-name': spec('both'),
  'path.not-writable': spec('both'),
  /** Below a folder, or of a name, that starts with a dot. */
  'path.forbidden': spec('both'),
  'path.clash': spec('both'),
  'path.too-long': spec('both'),
  'doc.not-found': spec('both'),
  'doc.exists': spec('both'),
  'doc.too-large': spec('both'),
  'doc.encoding-mismatch': spec('both'),
  'doc.undecodable': spec('both'),
  'doc.unencodable': spec('both'),
  'doc.changed': spec('both', true),
  /** The file holds words the agent has not seen, so it is not replaced whole. */
  'doc.unseen': spec('model'),
  'doc.apply-rejected': spec('both', true),
  'doc.save-failed': spec('both', true),
  // matching of quotes
  'edit.no-match': spec('model'),
  'edit.many-matches': spec('model'),
  'edit.overlap': spec('model'),
  'edit.empty-old': spec('model'),
  'edit.empty-batch': spec('model'),
  // tools
  'tool.unknown': spec('model'),
  'tool.bad-args': spec('model'),
  'tool.not-run': spec('model'),
  'tool.refused': spec('model'),
  'tool.bad-pattern': spec('model'),
  'tool.failed': spec('model'),
  /** The turn offers a text to be looked at first: it changes no file. */
  'tool.offers-only': spec('model'),
  /** A turn of a job works on one chapter: `{path}`. */
  'tool.one-chapter': spec('model'),
  // store
  'store.io': spec('person', true),
  'store.disk-full': spec('person', true),
  'store.read-only': spec('person'),
  /** A file or folder that may not even be read: `{path}`. */
  'store.no-access': spec('person', true),
  /** Another program holds a file of ours: `{path}`. */
  'store.busy': spec('person', true),
  'store.locked': spec('person', true),
  'store.lock-lost': spec('person'),
  'store.newer-version': spec('person'),
  'store.bad-file': spec('person'),
  'store.changed-outside': spec('person', true),
  'object.missing': spec('person'),
  'object.corrupt': spec('person'),
  'project.bad-json': spec('person'),
  /** A merge conflict in `project.json`: `{path, line, ours, theirs}`. */
  'project.conflict': spec('person'),
  'project.none': spec('person'),
  // session
  'session.not-found': spec('person'),
  'session.unknown-entry': spec('person'),
  'session.busy': spec('person', true),
  'session.read-only': spec('person'),
  'session.held': spec('person', true),
  'session.not-taken': spec('person', true),
  // checkpoints
  'checkpoint.not-found': spec('person'),
  'checkpoint.broken': spec('person'),
  'checkpoint.no-turn': spec('person'),
  'restore.open': spec('person'),
  'restore.failed': spec('person', true),
  'undo.nothing': spec('person'),
  // review
  /** Nothing of that kind waits any more: `{id}`. */
  'review.gone': spec('person'),
  /** The author changed the same words since, or the file is (or is not) there: `{path}`. */
  'review.conflict': spec('person'),
  /** The words that were chosen are not there any more, or several times: `{path}`. */
  'passage.gone': spec('person'),
  // chapters
  /** Its name does not let a chapter stand in this place. */
  'chapters.no-order': spec('person'),
  'front-matter.unreadable': spec('person'),
  // jobs
  /** A job is under way or waits to be gone on with. */
  'job.open': spec('person'),
  /** There is no job, or not that chapter in it. */
  'job.none': spec('person'),
  // model
  'model.not-configured': spec('person'),
  /** `{field, value?}`; of one of several profiles also `{profile}`, its title. */
  'model.bad-settings': spec('person'),
  /** No profile has the title `{title}` that is set for writing or side work. */
  'model.no-profile': spec('person'),
  'model.no-key': spec('person'),
  /** A folder has set the address `{address}`, and the person has not agreed that keys of theirs go there. */
  'model.not-allowed': spec('person'),
  'model.auth': spec('person'),
  'model.not-found': spec('person'),
  'model.quota': spec('person'),
  'model.rate-limit': spec('person', true),
  'model.overloaded': spec('person', true),
  'model.context-overflow': spec('person'),
  'model.bad-request': spec('person'),
  'model.network': spec('person', true),
  'model.idle-timeout': spec('person', true),
  /** The call took longer in all than the profile allows: `{seconds}`. */
  'model.total-timeout': spec('person'),
  'model.bad-stream': spec('person', true),
  /** The endpoint sends its requests on to another origin: `{address}`. */
  'model.redirect': spec('person'),
  /** One event, a whole answer or a list that is larger than is read: `{mb}`. */
  'model.too-large': spec('person'),
  'model.content-filter': spec('person'),
  'model.server': spec('person', true),
  'model.window-too-small': spec('person'),
  /** The answer was cut off at the output limit. */
  'model.output-limit': spec('person'),
  /** The call would go over the day’s limit: `{spent, estimate, limit, unit}`, `unit` a currency or `tokens`. */
  'usage.over-budget': spec('person'),
  /** The person has not let us use one of VS Code's own models: `{model}`. */
  'model.vscode-consent': spec('person'),
  /** VS Code or the model's provider lets us send nothing to it for now: `{model}`. */
  'model.vscode-blocked': spec('person'),
  /** VS Code offers no such model: `{model}`. */
  'model.vscode-missing': spec('person'),
  /** The system keeps no secrets: `{name, variable}`, the environment variable that works instead. */
  'secrets.no-keyring': spec('person'),
  'workspace.untrusted': spec('person'),
  'turn.aborted': spec('person'),
  /** The model ended its turn without a word. */
  'turn.no-answer': spec('person'),
  /** Going on with a turn that is not open. */
  'turn.nothing-open': spec('person'),
  /** All turns but the last, or the only one, are covered by a summary already. */
  'summary.nothing': spec('person'),
  /** The last turn was interrupted; it is gone on with or closed first. */
  'summary.turn-open': spec('person'),
  /** The earlier turns could not be summarised: `{because}`, an error code. They are sent whole, and it is tried again. */
  'summary.failed': spec('person', true),
  /** For this turn the oldest turns, `{count}` of them, are not sent to the model: there is neither room for them nor a summary. */
  'summary.left-out': spec('person', true),
  /** What was sent at an old call cannot be put together again: `{id}` of the trace line. */
  'trace.mismatch': spec('person'),
  /** A file that ships with the product is missing or damaged: `{path}`. */
  'asset.missing': spec('person'),
  'internal': spec('both'),
} as const satisfies Record<string, ErrorSpec>;

export type ErrorCode = keyof typeof errorTable;
