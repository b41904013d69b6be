import { countChange } from '../text/diff';
import { changesBetween, follow, withChange, withoutChange, withoutEdit, type ProposedChange } from './changes';
import { isPending, kindOf, turnOf, type Proposal, type ReviewNote, type ReviewState, type WordCount } from './proposal';

/** Pure steps on what a session proposes. `Stamp`: the identity and time of what is new. */
export interface Stamp {
  readonly id: () => string;
  readonly now: number;
}

/** Decided ones that are kept, for their cards. */
const MOST_DECIDED = 100;
const MOST_NOTES = 200;
const QUOTE_CHARS = 80;

export const emptyReview = (sessionId: string): ReviewState => ({ sessionId, proposals: [], notes: [] });

export const pendingOf = (state: ReviewState): readonly Proposal[] => state.proposals.filter(isPending);

/** What the agent does to one file. `known`: the pending proposal it works on, brought to what stands in the file now. */
export interface ProposedEdit {
  readonly known: Proposal | undefined;
  /** For a file without a proposal so far: the file and its text, or nothing for a new one. */
  readonly from: string | null;
  readonly base: string | null;
  readonly path: string;
  readonly text: string | null;
}

export function propose(state: ReviewState, turn: string, edits: readonly ProposedEdit[], stamp: Stamp): ReviewState {
  return edits.reduce((before, edit) => proposeOne(before, turn, edit, stamp), state);
}

function proposeOne(state: ReviewState, turn: string, edit: ProposedEdit, stamp: Stamp): ReviewState {
  const old = edit.known ?? fresh(state.sessionId, edit, stamp);
  const last = old.steps.at(-1);
  const step = { turn, fromPath: old.path, toPath: edit.path, before: old.text, after: edit.text };
  const steps =
    last?.turn === turn
      ? [...old.steps.slice(0, -1), { ...last, toPath: edit.path, after: edit.text }]
      : [...old.steps, step];
  const agent = edit.text === null || old.text === null || old.agent === null ? edit.text : follow(old.text, edit.text, old.agent);
  return put(state, closedIfNothing({ ...old, path: edit.path, text: edit.text, agent, steps }));
}

const fresh = (sessionId: string, { from, base, path }: ProposedEdit, stamp: Stamp): Proposal => ({
  id: stamp.id(),
  sessionId,
  ts: stamp.now,
  path: from ?? path,
  from,
  base,
  agent: base,
  text: base,
  steps: [],
  state: 'pending',
  accepted: 0,
  rejected: 0,
});

/** A proposal that would change nothing is none any more. */
export function closedIfNothing(proposal: Proposal): Proposal {
  const { from, path, base, text } = proposal;
  const nothing = from === null ? text === null : path === from && text === base;
  if (!nothing || !isPending(proposal)) return proposal;
  return { ...proposal, state: proposal.accepted > 0 ? 'accepted' : proposal.rejected > 0 ? 'rejected' : 'dropped' };
}

function put(state: ReviewState, proposal: Proposal): ReviewState {
  const known = state.proposals.some(({ id }) => id === proposal.id);
  const proposals = known ? state.proposals.map((one) => (one.id === proposal.id ? proposal : one)) : [...state.proposals, proposal];
  const decided = proposals.filter((one) => !isPending(one));
  const gone = new Set(decided.slice(0, Math.max(0, decided.length - MOST_DECIDED)).map(({ id }) => id));
  return { ...state, proposals: gone.size === 0 ? proposals : proposals.filter(({ id }) => !gone.has(id)) };
}

const note = (state: ReviewState, added: readonly ReviewNote[]): ReviewState =>
  added.length === 0 ? state : { ...state, notes: [...state.notes, ...added].slice(-MOST_NOTES) };

const noteOf = (proposal: Proposal, stamp: Stamp, rest: Pick<ReviewNote, 'kind'> & Partial<ReviewNote>): ReviewNote => ({
  id: stamp.id(),
  ts: stamp.now,
  turn: turnOf(proposal),
  path: proposal.path,
  told: [],
  ...rest,
});

const sum = (a: WordCount | undefined, b: WordCount): WordCount => ({ added: (a?.added ?? 0) + b.added, removed: (a?.removed ?? 0) + b.removed });

/** 字 that a proposal adds and takes away, with what has been accepted of it. */
export function countsOf(proposal: Proposal): WordCount {
  return proposal.counts ?? sum(proposal.done, countChange(proposal.base ?? '', proposal.text ?? ''));
}

/** Of one that is decided: what came of it, or, when nothing was accepted, what it would have done. */
const decidedCounts = (before: Proposal): WordCount => before.done ?? countsOf(before);

/** The author's own words in what was proposed, while there are any. */
const tweak = (proposal: Proposal, stamp: Stamp): readonly ReviewNote[] =>
  proposal.agent === null || proposal.text === null || proposal.agent === proposal.text
    ? []
    : [noteOf(proposal, stamp, { kind: 'tweaked', before: proposal.agent, after: proposal.text })];

/** The author has changed what is proposed. */
export function tweaked(state: ReviewState, proposal: Proposal, text: string): ReviewState {
  return proposal.text === null ? state : put(state, { ...proposal, text });
}

/** The whole of it was accepted. */
export function acceptedWhole(state: ReviewState, proposal: Proposal, stamp: Stamp): ReviewState {
  const notes = [noteOf(proposal, stamp, { kind: 'accepted' }), ...tweak(proposal, stamp)];
  return note(put(state, { ...proposal, counts: countsOf(proposal), state: 'accepted', accepted: proposal.accepted + 1 }), notes);
}

/** The base with one change alone. */
export const accepting = (proposal: Proposal, change: ProposedChange): string => withChange(proposal.base ?? '', change);

/** One change was accepted, and stands in the file. */
export function acceptedChange(state: ReviewState, proposal: Proposal, change: ProposedChange, stamp: Stamp): ReviewState {
  const base = withChange(proposal.base ?? '', change);
  const done = sum(proposal.done, countChange(change.old, change.fresh));
  const next = closedIfNothing({ ...proposal, base, done, accepted: proposal.accepted + 1 });
  const counted = isPending(next) ? next : { ...next, counts: done };
  return note(put(state, counted), [noteOf(proposal, stamp, { kind: 'accepted', count: 1 }), ...(isPending(next) ? [] : tweak(proposal, stamp))]);
}

const quote = (text: string): string => {
  const line = text.trim().replace(/\s+/g, ' ');
  const chars = Array.from(line);
  return chars.length > QUOTE_CHARS ? `${chars.slice(0, QUOTE_CHARS).join('')}…` : line;
};

export function rejectedWhole(state: ReviewState, proposal: Proposal, stamp: Stamp): ReviewState {
  const decided = { ...proposal, counts: decidedCounts(proposal), rejected: proposal.rejected + 1, state: proposal.accepted > 0 ? ('accepted' as const) : ('rejected' as const) };
  return note(put(state, decided), [noteOf(proposal, stamp, { kind: 'rejected' })]);
}

/** One change is taken out of what is proposed. */
export function rejectedChange(state: ReviewState, proposal: Proposal, change: ProposedChange, stamp: Stamp): ReviewState {
  const { text, agent, base } = proposal;
  if (text === null || agent === null || base === null) return state;
  const left = withoutChange(text, change);
  const next = closedIfNothing({ ...proposal, text: left, agent: follow(text, left, agent), rejected: proposal.rejected + 1 });
  const counted = isPending(next) ? next : { ...next, counts: decidedCounts(proposal) };
  return note(put(state, counted), [
    noteOf(proposal, stamp, { kind: 'rejected', count: 1, before: quote(change.fresh === '' ? change.old : change.fresh) }),
    ...(isPending(next) || next.text === null ? [] : tweak({ ...next }, stamp)),
  ]);
}

/** A rejected one waits again. */
export function reopened(state: ReviewState, proposal: Proposal): ReviewState {
  const { counts: _, ...rest } = proposal;
  const notes = state.notes.filter((one) => !(one.kind === 'rejected' && one.path === proposal.path && one.count === undefined && one.told.length === 0));
  return { ...put(state, { ...rest, state: 'pending', rejected: Math.max(0, proposal.rejected - 1) }), notes };
}

export const replaced = (state: ReviewState, proposal: Proposal): ReviewState => put(state, closedIfNothing(proposal));

/** What waits goes along with files that the author has renamed; `now` gives a file's name as it is now. */
export function followed(state: ReviewState, now: (path: string) => string): ReviewState {
  const follow = (proposal: Proposal): Proposal => {
    const { from } = proposal;
    if (!isPending(proposal) || from === null || now(from) === from) return proposal;
    const name = (path: string): string => (path === from ? now(from) : path);
    const steps = proposal.steps.map((step) => ({ ...step, fromPath: name(step.fromPath), toPath: name(step.toPath) }));
    return { ...proposal, from: now(from), path: name(proposal.path), steps };
  };
  const proposals = state.proposals.map(follow);
  return proposals.some((one, at) => one !== state.proposals[at]) ? { ...state, proposals } : state;
}

/** Takes what these turns proposed out of what still waits; what others proposed since stays. */
export function dropTurns(state: ReviewState, turns: ReadonlySet<string>): ReviewState {
  return { ...state, proposals: state.proposals.map((proposal) => (isPending(proposal) ? withoutTurns(proposal, turns) : proposal)) };
}

function withoutTurns(proposal: Proposal, turns: ReadonlySet<string>): Proposal {
  if (!proposal.steps.some(({ turn }) => turns.has(turn))) return proposal;
  let next = proposal;
  for (const step of [...proposal.steps].reverse()) {
    if (!turns.has(step.turn)) continue;
    // Without the turn that made the file there is nothing the others could have worked on.
    if (step.before === null && next.from === null) return { ...proposal, state: 'dropped', counts: countsOf(proposal) };
    const back = (text: string | null): string | null =>
      step.before === null || step.after === null || text === null ? step.before : withoutEdit(step.before, step.after, text);
    next = {
      ...next,
      text: step.after === null && next.text !== null ? next.text : back(next.text),
      agent: step.after === null && next.agent !== null ? next.agent : back(next.agent),
      path: next.path === step.toPath ? step.fromPath : next.path,
    };
  }
  const steps = proposal.steps.filter(({ turn }) => !turns.has(turn));
  const left = closedIfNothing({ ...next, steps });
  const dropped: Proposal = { ...proposal, state: 'dropped', counts: countsOf(proposal) };
  return steps.length === 0 || !isPending(left) ? dropped : left;
}

/** What the next turn is to be told: notes that no turn of the branch has been told of, and the author's words in what still waits. */
export function untold(state: ReviewState, branch: ReadonlySet<string>): readonly ReviewNote[] {
  return state.notes.filter(({ turn, told }) => branch.has(turn) && !told.some((id) => branch.has(id)));
}

/** Marks them as told; the author's words in what still waits are told as well and count as the agent's from here on. */
export function told(state: ReviewState, turn: string, branch: ReadonlySet<string>, stamp: Stamp): ReviewState {
  const tweaks = pendingOf(state).flatMap((proposal) => (branch.has(turnOf(proposal)) ? tweak(proposal, stamp) : []));
  const known = note(state, tweaks);
  const ids = new Set(untold(known, branch).map(({ id }) => id));
  return {
    ...known,
    proposals: known.proposals.map((one) => (isPending(one) && branch.has(turnOf(one)) ? { ...one, agent: one.text } : one)),
    notes: known.notes.map((one) => (ids.has(one.id) ? { ...one, told: [...one.told, turn] } : one)),
  };
}

/** The single changes of a proposal that has any: a changed text. */
export function changesOf(proposal: Proposal): readonly ProposedChange[] {
  const { base, text } = proposal;
  return kindOf(proposal) === 'create' || base === null || text === null ? [] : changesBetween(base, text);
}
