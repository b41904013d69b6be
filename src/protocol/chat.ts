import * as z from 'zod';
import type { EventMap, RequestMap } from './envelope';
import { chatMention, mentionCandidate } from './mentions';

/** One changed file of a turn, in 字 added and removed. */
export const changedFile = z.object({
  path: z.string(),
  from: z.string().optional(),
  status: z.enum(['added', 'modified', 'renamed', 'removed']),
  added: z.number(),
  removed: z.number(),
  /** The author's forbidden words in what is new; `line` from 1. */
  forbidden: z.array(z.object({ word: z.string(), line: z.number().int() })).optional(),
});

/** One file that a turn would change. `carried`: a later turn has it on its card. `conflict`: it waits, but the author changed the same words since. */
export const proposedFile = z.object({
  id: z.string(),
  path: z.string(),
  from: z.string().optional(),
  kind: z.enum(['modify', 'create', 'rename', 'delete']),
  state: z.enum(['pending', 'conflict', 'accepted', 'rejected', 'carried', 'dropped']),
  added: z.number(),
  removed: z.number(),
  /** Single changes that wait, and that were decided. */
  waiting: z.number(),
  accepted: z.number(),
  rejected: z.number(),
});

/** What a button of a notice does, from a closed list. `continue`: a new turn that asks the agent to go on. */
const noticeAction = z.enum(['configureModel', 'switchModel', 'allowAddress', 'openMaxOutput', 'retry', 'continue', 'compact', 'showLog', 'openRestore', 'nextChapter', 'retryNow', 'stop', 'openTools']);

/**
 * One thing in the conversation. `id` is identity (an entry id, a call id, or `<turnId>:<round>` while streaming), stable from
 * its first delta to the end. Texts shown to people come localised from the host.
 */
export const chatItem = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('user'),
    id: z.string(),
    turnId: z.string(),
    text: z.string(),
    ts: z.number(),
    /** Which of the turns that begin here this is, from 1, when there are several. */
    variant: z.object({ at: z.number().int(), of: z.number().int() }).optional(),
    mentions: z.array(chatMention).optional(),
    /** The turn is in a summary: the model sees that instead of it. */
    summarised: z.boolean().optional(),
  }),
  /** What the user said while the turn ran, where it was put in. */
  z.object({ kind: z.literal('steer'), id: z.string(), turnId: z.string(), text: z.string(), ts: z.number(), mentions: z.array(chatMention).optional() }),
  z.object({
    kind: z.literal('assistant'),
    id: z.string(),
    turnId: z.string(),
    text: z.string(),
    reasoning: z.string(),
    state: z.enum(['streaming', 'done', 'stopped', 'error']),
    /** The turn's reply, not words between its steps. */
    reply: z.boolean().optional(),
  }),
  z.object({
    kind: z.literal('tool'),
    id: z.string(),
    turnId: z.string(),
    name: z.string(),
    /** In human words, e.g. 「阅读 正文/001-雨夜.md」. */
    title: z.string(),
    /** `declined`: the author did not allow it. */
    state: z.enum(['streaming', 'running', 'done', 'declined', 'failed']),
    /** One line: what came of it. */
    note: z.string(),
    /** The arguments and the receipt as sent, for who unfolds the card. */
    args: z.string(),
    result: z.string(),
    /** File it is about, to open on a click. */
    path: z.string().optional(),
    /** A chapter being written, while it streams. */
    preview: z.string().optional(),
  }),
  z.object({
    kind: z.literal('ask'),
    id: z.string(),
    turnId: z.string(),
    question: z.string(),
    options: z.array(z.string()),
    state: z.enum(['open', 'answered', 'stopped']),
    answer: z.string().optional(),
  }),
  z.object({
    kind: z.literal('changes'),
    id: z.string(),
    turnId: z.string(),
    files: z.array(changedFile),
    undone: z.boolean(),
  }),
  /** 「本轮提议」: what the agent would change, until the author has decided. */
  z.object({ kind: z.literal('proposal'), id: z.string(), turnId: z.string(), files: z.array(proposedFile) }),
  z.object({
    kind: z.literal('notice'),
    id: z.string(),
    turnId: z.string().optional(),
    level: z.enum(['info', 'warning', 'error']),
    text: z.string(),
    /** Buttons: what each does, and its label. */
    actions: z.array(z.object({ action: noticeAction, label: z.string() })),
    /** Another try is waited for: why, which one it is, how long in ms, and until when (ms since the epoch). `text` says it all once. */
    countdown: z.object({ reason: z.string(), attempt: z.number().int(), ms: z.number(), until: z.number() }).optional(),
  }),
  z.object({
    kind: z.literal('interrupted'),
    id: z.string(),
    turnId: z.string(),
    partial: z.string(),
    waiting: z.boolean(),
  }),
  z.object({
    kind: z.literal('summary'),
    id: z.string(),
    turnId: z.string().optional(),
    /** Numbers of the turns it stands for. */
    floors: z.tuple([z.number().int(), z.number().int()]),
    tokens: z.number().int(),
    text: z.string(),
    /** In the author's words. */
    own: z.boolean().optional(),
    /** `merged`: a later summary has taken it in. `undone`: the turns are sent whole again. */
    state: z.enum(['active', 'merged', 'undone']),
  }),
]);
export type ChatItem = z.infer<typeof chatItem>;

export const chatStatus = z.object({
  /** `idle`: may send. The rest: what the running turn is doing. */
  phase: z.enum(['idle', 'preparing', 'compacting', 'generating', 'tools', 'waiting', 'finalising', 'side']),
  readOnly: z.boolean(),
  /** Localised reason shown above the box when the session cannot be written. */
  readOnlyReason: z.string().optional(),
  /** Another window has the session: it can be asked for. */
  elsewhere: z.boolean().optional(),
  model: z.object({ name: z.string(), rehearsal: z.boolean(), configured: z.boolean() }),
  /** What the newest turn cost, in words, where a price was set. */
  turnCost: z.string().optional(),
  /** Of the newest call, in tokens; `reserved`: what is kept free for the answer; `estimated`: the service gave no figures. */
  usage: z.object({ input: z.number(), output: z.number(), window: z.number(), reserved: z.number().optional(), estimated: z.boolean().optional() }).optional(),
});
export type ChatStatus = z.infer<typeof chatStatus>;

export const sessionRow = z.object({
  id: z.string(),
  title: z.string(),
  updatedAt: z.number(),
  current: z.boolean(),
  /** Softly: it can be taken back. */
  deleted: z.boolean(),
});
export type SessionRow = z.infer<typeof sessionRow>;

/** A conversation in which wanted words were said: how often, and the newest place. */
export const sessionHit = z.object({ id: z.string(), count: z.number().int(), before: z.string(), match: z.string(), after: z.string() });
export type SessionHit = z.infer<typeof sessionHit>;

const tokens = z.object({
  input: z.number(),
  cached: z.number(),
  output: z.number(),
  /** Of the output. */
  reasoning: z.number().optional(),
  calls: z.number().int(),
  /** In words, where a price was set. */
  cost: z.string().optional(),
});

/** What the newest call was made of, and what the conversation has used, in tokens. */
export const contextReport = z.object({
  window: z.number(),
  reserved: z.number(),
  parts: z.array(z.object({ part: z.enum(['rules', 'project-rules', 'material', 'facts', 'tools', 'history', 'state', 'words']), tokens: z.number() })),
  /** The parts are counted the way the model's service counts. */
  calibrated: z.boolean().optional(),
  total: tokens,
  /** Newest first. */
  turns: z.array(tokens.extend({ turnId: z.string(), text: z.string() })),
});
export type ContextReport = z.infer<typeof contextReport>;
/** Words that wait. `steer`: for the turn that runs; the others are sent one by one when it has ended well. */
export const queuedRow = z.object({ id: z.string(), text: z.string(), steer: z.boolean(), mentions: z.array(chatMention).optional() });
export type QueuedRow = z.infer<typeof queuedRow>;
/**
 * `edit`: the row is being changed and is not sent meanwhile, until `text` (its new words; none: it goes) or `leave`. `send`: as the next
 * turn, now. `steer`: into the running turn; `wait`: no longer.
 */
export const queueAct = z.discriminatedUnion('how', [
  z.object({ how: z.literal('text'), id: z.string(), text: z.string() }),
  z.object({ how: z.enum(['edit', 'leave', 'remove', 'front', 'steer', 'wait', 'send']), id: z.string() }),
]);
export type QueueAct = z.infer<typeof queueAct>;
/** A switch of the project: what it is, where it comes from, what it costs in every call. */
export const toggleRow = z.object({
  id: z.string(),
  label: z.string(),
  detail: z.string(),
  on: z.boolean(),
  /** Absent: it costs nothing. */
  tokens: z.number().int().optional(),
  /** Of the words in a list. */
  count: z.number().int().optional(),
  /** False: there is nothing to switch yet; it can be begun. */
  there: z.boolean(),
});


export const chatSnapshot = z.object({
  epoch: z.string(),
  seq: z.number().int(),
  /** `none`: no project here yet; the view shows how to make one. */
  project: z.enum(['none', 'open']),
  /** Why there is none: no folder is open, or it is not trusted. Absent: a folder that is none yet. */
  lacking: z.enum(['folder', 'trust']).optional(),
  session: z.object({ id: z.string(), title: z.string() }).optional(),
  items: z.array(chatItem),
  status: chatStatus,
  /** The input box as it was last saved for this conversation, for a view that has forgotten it. */
  draft: z.string().optional(),
  /** What its words point at. */
  draftMentions: z.array(chatMention).optional(),
  /** Words that wait in this conversation, in order. */
  queue: z.array(queuedRow).optional(),
  /** The sentence that the example about changing one is made of stands in the first chapter. */
  sampleSentence: z.boolean().optional(),
  /** There is no chapter yet: examples about chapters say nothing here. */
  noChapters: z.boolean().optional(),
  /** Words to put into the input box (after a restore or an undo), once. */
  prefill: z.string().optional(),
  /** What those words point at. */
  prefillMentions: z.array(chatMention).optional(),
  /** Something was pointed at elsewhere in the window: `takeMentions` gives it, once. */
  mentionsWait: z.boolean().optional(),
});
export type ChatSnapshot = z.infer<typeof chatSnapshot>;

export const chatDelta = z.discriminatedUnion('op', [
  /** Insert at the end, or replace the item with this id where it stands. */
  z.object({ op: z.literal('put'), item: chatItem }),
  z.object({ op: z.literal('append'), id: z.string(), field: z.enum(['text', 'reasoning', 'preview']), text: z.string() }),
  z.object({ op: z.literal('remove'), ids: z.array(z.string()) }),
  z.object({ op: z.literal('status'), status: chatStatus }),
  z.object({ op: z.literal('queue'), queue: z.array(queuedRow) }),
  z.object({ op: z.literal('prefill'), text: z.string(), mentions: z.array(chatMention).optional() }),
  z.object({ op: z.literal('mentionsWait') }),
  /** A command of the window that the view carries out: the title is changed in place, words are looked for. */
  z.object({ op: z.literal('open'), what: z.enum(['rename', 'find']) }),
]);
export type ChatDelta = z.infer<typeof chatDelta>;

const none = z.object({});

export const chatRequests = {
  /** Sent on load and whenever the view has lost its place. Events go on from the answer's `epoch` and `seq`. */
  ready: [none, z.object({ snapshot: chatSnapshot, strings: z.record(z.string(), z.string()), locale: z.string() })],
  /** While a turn runs the words wait in the queue, or with `steer` go into that turn. */
  send: [z.object({ text: z.string(), mentions: z.array(chatMention).optional(), steer: z.boolean().optional() }), z.object({ accepted: z.boolean() })],
  queue: [queueAct, none],
  stop: [none, none],
  answer: [z.object({ callId: z.string(), answer: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('option'), index: z.number().int() }),
    z.object({ kind: z.literal('text'), text: z.string() }),
    z.object({ kind: z.literal('stop') }),
  ]) }), none],
  resume: [z.object({ how: z.enum(['continue', 'retry', 'undo', 'keep']) }), none],
  sessions: [none, z.object({ sessions: z.array(sessionRow) })],
  /** Looks for words that were said. A new question ends the one before, which is then answered with nothing. */
  searchSessions: [z.object({ text: z.string() }), z.object({ hits: z.array(sessionHit) })],
  newSession: [none, none],
  openSession: [z.object({ id: z.string() }), none],
  /** Without `id`: the one that is shown. */
  renameSession: [z.object({ title: z.string(), id: z.string().optional() }), none],
  /** Softly. If it is shown, a new conversation is shown in its place. */
  deleteSession: [z.object({ id: z.string() }), none],
  restoreSession: [z.object({ id: z.string() }), none],
  /** Asks the window that has the session for it. Answered when it is here, or not to be had. */
  takeOver: [none, none],
  /** Nothing where no conversation is shown. */
  contextReport: [none, z.object({ report: contextReport.optional() })],
  undoTurn: [z.object({ turnId: z.string() }), none],
  /**
   * Says a turn again, in the same words or in others: what came of it and of later turns is taken back first. `false`: the person has
   * thought better of it.
   */
  runAgain: [z.object({ turnId: z.string(), text: z.string().optional() }), z.object({ accepted: z.boolean() })],
  /** Shows another of the turns that begin where this one does; no file changes. */
  switchTurn: [z.object({ turnId: z.string(), step: z.union([z.literal(1), z.literal(-1)]) }), none],
  /** Opens the diff of one file of a turn, or of all. */
  openDiff: [z.object({ turnId: z.string(), path: z.string().optional() }), none],
  /** Decides on proposals, by id; `use`: the proposal counts where the author changed the same words. `open` shows one beside its file. */
  review: [z.object({ verb: z.enum(['accept', 'use', 'reject', 'reopen', 'open']), ids: z.array(z.string()) }), none],
  /** Shows the texts that a turn about a passage offered. */
  openOffer: [z.object({ turnId: z.string() }), none],
  openFile: [z.object({ path: z.string() }), none],
  /** Takes a summary out of use, or back into it. */
  useSummary: [z.object({ id: z.string(), use: z.boolean() }), none],
  /** Other words for the summary in force: a new one is written, the old one stays. */
  rewriteSummary: [z.object({ id: z.string(), text: z.string() }), none],
  /** What can be switched here, and switching it: from the next turn on. */
  toggles: [none, z.object({ rows: z.array(toggleRow) })],
  setToggle: [z.object({ id: z.string(), on: z.boolean() }), z.object({ rows: z.array(toggleRow) })],
  openToggle: [z.object({ id: z.string() }), none],
  /** What `@` offers for these words. `fresh`: the list has just been opened. */
  mentions: [z.object({ query: z.string(), fresh: z.boolean() }), z.object({ items: z.array(mentionCandidate) })],
  /** For the box, with the focus: what was pointed at elsewhere in the window since the last time. */
  takeMentions: [none, z.object({ mentions: z.array(chatMention) })],
  openMention: [z.object({ mention: chatMention }), none],
  /** A command of `slashCommands`, by id. */
  command: [z.object({ id: z.string() }), none],
  createProject: [none, none],
  /** The ways to a project where none can be set up at once. */
  begin: [z.object({ by: z.enum(['openFolder', 'openSample', 'trust']) }), none],
  action: [z.object({ action: noticeAction }), none],
  /** The input box as it stands in a conversation (without `session`: in the new one, not written yet), kept on this machine so that nothing is lost. */
  saveDraft: [z.object({ session: z.string().optional(), text: z.string(), mentions: z.array(chatMention).optional() }), none],
} as const satisfies RequestMap;

export const chatEvents = {
  snapshot: chatSnapshot,
  /** Several deltas of one tick together, in order. */
  deltas: z.array(chatDelta),
} as const satisfies EventMap;
