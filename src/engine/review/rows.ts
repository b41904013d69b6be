import type { ProposalView } from './on-live';
import { isPending, kindOf, turnOf, type Proposal, type ReviewState } from './proposal';
import type { ProposalRow } from './review';
import { countsOf } from './state';

/** The files a turn proposed something for, in the order it did. */
export async function rowsOf(
  state: ReviewState,
  turnId: string,
  view: (id: string) => Promise<ProposalView | undefined>,
): Promise<readonly ProposalRow[]> {
  const own = state.proposals.filter((one) => one.state !== 'dropped' && one.steps.some(({ turn }) => turn === turnId));
  return Promise.all(own.map((proposal) => rowOf(proposal, turnId, view)));
}

async function rowOf(proposal: Proposal, turnId: string, view: (id: string) => Promise<ProposalView | undefined>): Promise<ProposalRow> {
  const carried = turnOf(proposal) !== turnId;
  const shown = isPending(proposal) && !carried ? await view(proposal.id) : undefined;
  const { from, path } = proposal;
  return {
    id: proposal.id,
    path,
    ...(from === null || from === path ? {} : { from }),
    kind: kindOf(proposal),
    state: carried ? 'carried' : shown?.conflict === true ? 'conflict' : proposal.state,
    ...countsOf(shown?.proposal ?? proposal),
    waiting: shown?.changes.length ?? 0,
    accepted: proposal.accepted,
    rejected: proposal.rejected,
  };
}
