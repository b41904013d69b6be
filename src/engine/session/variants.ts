import { newer } from './leaf';
import type { Session } from './session';
import { isDeletedRoot } from './subtrees';

/** One way a turn went on: a child subtree of its user entry that contains a reply. */
export interface Variant {
  /** The first entry of the subtree. */
  readonly root: string;
  /** The newest leaf in it: switching to the variant goes there. */
  readonly leaf: string;
  /** On the branch of the current leaf. */
  readonly current: boolean;
}

type Tree = Pick<Session, 'children' | 'stub' | 'leaf' | 'path' | 'meta'>;

/** Every id of a subtree, its root first; subtrees of it that were deleted are left out. */
function* subtree(tree: Tree, root: string): Generator<string> {
  const seen = new Set<string>([root]);
  const open = [root];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    yield id;
    for (const child of tree.children(id)) {
      if (seen.has(child) || isDeletedRoot(tree, child)) continue;
      seen.add(child);
      open.push(child);
    }
  }
}

/** The newest leaf below (or at) an entry, by (ts, id); the entry itself when nothing hangs on it. */
export function newestLeaf(tree: Tree, root: string): string {
  let best: { readonly id: string; readonly ts: number } | undefined;
  for (const id of subtree(tree, root)) {
    if (tree.children(id).some((child) => !isDeletedRoot(tree, child))) continue;
    const leaf = { id, ts: tree.stub(id)?.ts ?? 0 };
    if (best === undefined || newer(leaf, best)) best = leaf;
  }
  return best?.id ?? root;
}

/**
 * The variants of a turn, oldest first. A `context` entry, which belongs to the message before the reply, is stepped
 * through, so that replies grown under one context are variants too. Deleted ones are left out.
 */
export function variantsOf(tree: Tree, userId: string): readonly Variant[] {
  const branch = new Set(tree.path());
  const roots = tree.children(userId).flatMap((id) => {
    const below = tree.children(id);
    return tree.stub(id)?.type === 'context' && below.length > 1 ? below : [id];
  });
  return roots
    .filter((root) => !isDeletedRoot(tree, root) && [...subtree(tree, root)].some((id) => tree.stub(id)?.type === 'reply'))
    .map((root) => ({ root, leaf: newestLeaf(tree, root), current: branch.has(root) }));
}

/**
 * The turns that begin where this one does (the words said again, or in other words) by their `user` entries, itself among them, oldest
 * first; deleted ones are left out. Costs what they cost, not what the tree does.
 */
export function turnVariants(tree: Pick<Session, 'children' | 'stub' | 'meta'>, turnId: string): readonly string[] {
  const turn = tree.stub(turnId);
  return turn === undefined ? [] : tree.children(turn.parentId).filter((id) => tree.stub(id)?.type === 'user' && !isDeletedRoot(tree, id));
}
