import type { MentionCandidate } from '../../../../protocol/mentions';
import type { OpenProject } from '../../../project/active-project';

/** Something that may be pointed at, and what it is found by beside its title. */
export interface Candidate extends MentionCandidate {
  /** Further words: a path, a name. */
  readonly also?: string;
  /** Its place in the book, from 1: digits alone find it first. */
  readonly number?: number;
}

/** A kind of thing that `@` offers. `all` is read when the list opens; while it is open, typing only filters. */
export interface MentionSource {
  all(project: OpenProject): Promise<readonly Candidate[]>;
  /** Those shown before anything is typed; absent: the first of all. */
  first?(all: readonly Candidate[]): readonly Candidate[];
}

export interface MentionSources {
  /** What fits, source by source in the order they were given. `fresh`: read anew. */
  find(project: OpenProject, query: string, fresh: boolean): Promise<readonly MentionCandidate[]>;
}

/** Of one source, so many are shown: before anything is typed, and after. */
const FIRST = 8;
const FOUND = 20;
const MOST = 60;

export function createMentionSources(sources: readonly MentionSource[]): MentionSources {
  let known: { readonly project: OpenProject; readonly lists: Promise<readonly (readonly Candidate[])[]> } | undefined;
  return {
    find: async (project, query, fresh) => {
      if (fresh || known?.project !== project) known = { project, lists: Promise.all(sources.map((source) => source.all(project))) };
      const reading = known;
      const lists = await reading.lists.catch((error: unknown) => {
        if (known === reading) known = undefined;
        throw error;
      });
      const wanted = plain(query);
      return lists
        .flatMap((all, at) => (wanted === '' ? (sources[at]?.first?.(all) ?? all).slice(0, FIRST) : matching(all, wanted).slice(0, FOUND)))
        .slice(0, MOST)
        .map(({ mention, group, icon, title, detail }) => ({ mention, group, icon, title, detail }));
    },
  };
}

/** Full and half width, case and spaces make no difference. */
const plain = (text: string): string => text.normalize('NFKC').toLocaleLowerCase().replace(/\s+/g, '');

/** The number first, then titles that begin with the words, titles that hold them, the rest; each in its own order. */
function matching(all: readonly Candidate[], wanted: string): readonly Candidate[] {
  const ranked: Candidate[][] = [[], [], [], []];
  for (const candidate of all) {
    const title = plain(candidate.title);
    if (String(candidate.number) === wanted) ranked[0]?.push(candidate);
    else if (title.startsWith(wanted)) ranked[1]?.push(candidate);
    else if (title.includes(wanted)) ranked[2]?.push(candidate);
    else if (candidate.also !== undefined && plain(candidate.also).includes(wanted)) ranked[3]?.push(candidate);
  }
  return ranked.flat();
}
