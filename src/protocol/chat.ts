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
});

/** What a button of a notice does, from a closed list. `continue`: a new turn that asks the agent to go on. */
const noticeAction = z.enum(['configureModel', 'allowAddress', 'openMaxOutput', 'retry', 'continue', 'showLog', 'openRestore']);

/**
 * One thing in the conversation. `id` is identity (an entry id, a call id, or `<turnId>:<round>` while streaming), stable from
 * its first delta to the end. Texts shown to people come localised from the host.
 */
export const chatItem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('user'), id: z.string(), turnId: z.string(), text: z.string(), ts: z.number(), mentions: z.array(chatMention).optional() }),
  /** What the user said while the turn ran, where it was put in. */
  z.object({ kind: z.literal('steer'), id: z.string(), turnId: z.string(), text: z.string(), ts: z.number(), mentions: z.array(chatMention).optional() }),
  z.object({
    kind: z.literal('assistant'),
    id: z.string(),
    turnId: z.string(),
    text: z.string(),
    reasoning: z.string(),
    state: z.enum(['streaming', 'done', 'stopped', 'error']),
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
  z.object({
    kind: z.literal('notice'),
    id: z.string(),
    turnId: z.string().optional(),
    level: z.enum(['info', 'warning', 'error']),
    text: z.string(),
    /** Buttons: what each does, and its label. */
    actions: z.array(z.object({ action: noticeAction, label: z.string() })),
  }),
  z.object({
    kind: z.literal('interrupted'),
    id: z.string(),
    turnId: z.string(),
    partial: z.string(),
    waiting: z.boolean(),
  }),
]);
export type ChatItem = z.infer<typeof chatItem>;

export const chatStatus = z.object({
  /** `idle`: may send. The rest: what the running turn is doing. */
  phase: z.enum(['idle', 'preparing', 'generating', 'tools', 'waiting', 'finalising', 'side']),
  readOnly: z.boolean(),
  /** Localised reason shown above the box when the session cannot be written. */
  readOnlyReason: z.string().optional(),
  /** Another window has the session: it can be asked for. */
  elsewhere: z.boolean().optional(),
  model: z.object({ name: z.string(), rehearsal: z.boolean(), configured: z.boolean() }),
  usage: z.object({ input: z.number(), output: z.number(), window: z.number() }).optional(),
});
export type ChatStatus = z.infer<typeof chatStatus>;

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

export const sessionRow = z.object({ id: z.string(), title: z.string(), updatedAt: z.number(), current: z.boolean() });

export const chatSnapshot = z.object({
  epoch: z.string(),
  seq: z.number().int(),
  /** `none`: no project here yet; the view shows how to make one. */
  project: z.enum(['none', 'open']),
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
  newSession: [none, none],
  openSession: [z.object({ id: z.string() }), none],
  renameSession: [z.object({ title: z.string() }), none],
  /** Asks the window that has the session for it. Answered when it is here, or not to be had. */
  takeOver: [none, none],
  undoTurn: [z.object({ turnId: z.string() }), none],
  /** Opens the diff of one file of a turn, or of all. */
  openDiff: [z.object({ turnId: z.string(), path: z.string().optional() }), none],
  openFile: [z.object({ path: z.string() }), none],
  /** What `@` offers for these words. `fresh`: the list has just been opened. */
  mentions: [z.object({ query: z.string(), fresh: z.boolean() }), z.object({ items: z.array(mentionCandidate) })],
  /** For the box, with the focus: what was pointed at elsewhere in the window since the last time. */
  takeMentions: [none, z.object({ mentions: z.array(chatMention) })],
  openMention: [z.object({ mention: chatMention }), none],
  /** A command of `slashCommands`, by id. */
  command: [z.object({ id: z.string() }), none],
  createProject: [none, none],
  action: [z.object({ action: noticeAction }), none],
  /** The input box as it stands in a conversation (without `session`: in the new one, not written yet), kept on this machine so that nothing is lost. */
  saveDraft: [z.object({ session: z.string().optional(), text: z.string(), mentions: z.array(chatMention).optional() }), none],
} as const satisfies RequestMap;

export const chatEvents = {
  snapshot: chatSnapshot,
  /** Several deltas of one tick together, in order. */
  deltas: z.array(chatDelta),
} as const satisfies EventMap;
