import { profileOf, similarity } from '../text/similarity';

export interface MovedFile {
  readonly path: string;
  readonly sha: string;
}

export type RenamePair = readonly [from: string, to: string];

const likeEnough = 0.6;
/** Beyond this many pairs to compare, only equal hashes count. */
const mostPairs = 20_000;

/**
 * Which removed files became which added ones: first what is known, then a content hash that left exactly one path and arrived at
 * exactly one other, then, among the rest, the likest pairs with a similarity of at least 0.6. `text` gives a file's text, or
 * `undefined` when it has none. Sorted by the new path.
 */
export async function findRenames(
  removed: readonly MovedFile[],
  added: readonly MovedFile[],
  text: (file: MovedFile) => Promise<string | undefined>,
  known: readonly RenamePair[] = [],
): Promise<RenamePair[]> {
  const left = new Map(removed.map((file) => [file.path, file]));
  const arrived = new Map(added.map((file) => [file.path, file]));
  const pairs: RenamePair[] = [];
  const pair = (from: string, to: string): void => {
    if (!left.delete(from)) return;
    arrived.delete(to);
    pairs.push([from, to]);
  };
  for (const [from, to] of known) if (left.has(from) && arrived.has(to)) pair(from, to);
  for (const [sha, [from, more]] of byHash(left.values())) {
    const [to, others] = byHash(arrived.values()).get(sha) ?? [];
    if (from !== undefined && to !== undefined && more === undefined && others === undefined) pair(from.path, to.path);
  }
  if (left.size > 0 && arrived.size > 0 && left.size * arrived.size <= mostPairs) {
    for (const [from, to] of await likest([...left.values()], [...arrived.values()], text)) if (left.has(from) && arrived.has(to)) pair(from, to);
  }
  return pairs.sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0));
}

function byHash(files: Iterable<MovedFile>): Map<string, MovedFile[]> {
  const groups = new Map<string, MovedFile[]>();
  for (const file of files) groups.set(file.sha, [...(groups.get(file.sha) ?? []), file]);
  return groups;
}

async function likest(
  removed: readonly MovedFile[],
  added: readonly MovedFile[],
  text: (file: MovedFile) => Promise<string | undefined>,
): Promise<RenamePair[]> {
  const profiled = async (files: readonly MovedFile[]): Promise<{ path: string; profile: ReturnType<typeof profileOf> }[]> => {
    const found = [];
    for (const file of files) {
      const content = await text(file);
      if (content !== undefined) found.push({ path: file.path, profile: profileOf(content) });
    }
    return found;
  };
  const before = await profiled(removed);
  const after = await profiled(added);
  const scored: { from: string; to: string; score: number }[] = [];
  for (const from of before) {
    for (const to of after) {
      const most = Math.max(from.profile.pairs, to.profile.pairs);
      // Too different in length to be alike enough.
      if (Math.min(from.profile.pairs, to.profile.pairs) * (2 - likeEnough) < most * likeEnough) continue;
      const score = similarity(from.profile, to.profile);
      if (score >= likeEnough) scored.push({ from: from.path, to: to.path, score });
    }
  }
  scored.sort((a, b) => b.score - a.score || (a.to < b.to ? -1 : a.to > b.to ? 1 : 0) || (a.from < b.from ? -1 : 1));
  return scored.map(({ from, to }) => [from, to] as const);
}
