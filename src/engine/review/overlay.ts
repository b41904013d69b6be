import type { AppliedFile, Documents, FileChanges, ListedFile, LiveText } from '../ports/documents';
import type { Result } from '../ports/result';
import { ok, refuse } from '../ports/result';
import { decodeBytes } from '../text/encoding';
import { sha256Hex } from '../text/hash';
import { applyChanges } from '../text/text-change';
import { onLive } from './on-live';
import type { Proposal } from './proposal';
import type { ProposedEdit } from './state';

export interface OverlayDeps {
  readonly documents: Documents;
  /** What waits in this session. */
  readonly pending: () => readonly Proposal[];
  /** Records what the agent does, all of it or nothing. */
  readonly record: (edits: readonly ProposedEdit[]) => Promise<Result<void>>;
}

interface Standing {
  readonly proposal: Proposal;
  readonly live: LiveText | undefined;
  readonly text: string;
}

const eolOf = (text: string): LiveText['eol'] => (/^[^\n]*\r\n/.test(text) ? '\r\n' : '\n');
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/**
 * The project's texts as they would be if everything proposed in a session were accepted, as a `Documents` port: reads see the proposals over
 * the live texts, and whatever would change a file is recorded as a proposal and changes none. What the author types meanwhile is in
 * what is read; where it meets a proposal, the author's words stand.
 */
export function createOverlay({ documents, pending, record }: OverlayDeps): Documents {
  const at = (path: string): Proposal | undefined => pending().find((one) => one.path === path && one.text !== null);
  /** A file that a proposal takes away from this path. */
  const leaves = (path: string): Proposal | undefined => pending().find((one) => one.from === path && (one.text === null || one.path !== path));

  /** A proposal on what stands in its file now. */
  async function standing(proposal: Proposal): Promise<Result<Standing>> {
    const text = proposal.text ?? '';
    if (proposal.from === null || proposal.base === null) return ok({ proposal, live: undefined, text });
    const live = await documents.read(proposal.from);
    if (!live.ok) return live;
    const moved = onLive(proposal, live.value.text).proposal;
    return ok({ proposal: moved, live: live.value, text: moved.text ?? '' });
  }

  const liveOf = ({ proposal, live, text }: Standing): LiveText => ({
    path: proposal.path,
    text,
    version: `proposal:${sha256Hex(text)}:${live?.version ?? ''}`,
    dirty: false,
    encoding: live?.encoding ?? 'utf8',
    eol: live?.eol ?? eolOf(text),
  });

  async function read(path: string): Promise<Result<LiveText>> {
    const proposal = at(path);
    if (proposal === undefined) return leaves(path) === undefined ? documents.read(path) : refuse('doc.not-found', { path });
    const found = await standing(proposal);
    return found.ok ? ok(liveOf(found.value)) : found;
  }

  async function bytes(path: string): Promise<Uint8Array | undefined> {
    const proposal = at(path);
    if (proposal === undefined) return leaves(path) === undefined ? documents.bytes(path) : undefined;
    const found = await standing(proposal);
    if (!found.ok) return undefined;
    const encoded = proposal.from === null ? ok(utf8(found.value.text)) : await documents.encode(proposal.from, found.value.text);
    return encoded.ok ? encoded.value : utf8(found.value.text);
  }

  /** What the agent would work on at a path: its own proposal, or the file. */
  async function subject(path: string): Promise<Result<Omit<ProposedEdit, 'path' | 'text'> & { readonly now: LiveText }>> {
    const proposal = at(path);
    if (proposal !== undefined) {
      const found = await standing(proposal);
      return found.ok ? ok({ known: found.value.proposal, from: proposal.from, base: found.value.proposal.base, now: liveOf(found.value) }) : found;
    }
    const now = await read(path);
    return now.ok ? ok({ known: undefined, from: path, base: now.value.text, now: now.value }) : now;
  }

  /** A name that differs from a taken one in case or normal form alone is taken too. */
  async function free(path: string, leaving?: string): Promise<Result<void>> {
    const wanted = path.normalize('NFC').toLowerCase();
    const folder = path.split('/').slice(0, -1).join('/');
    const other = (await list(folder)).find((file) => file.path.normalize('NFC').toLowerCase() === wanted && file.path !== leaving);
    if (other === undefined) return ok(undefined);
    return other.path === path ? refuse('doc.exists', { path }) : refuse('path.clash', { path, other: other.path });
  }

  async function list(folder: string): Promise<readonly ListedFile[]> {
    const listed = await documents.list(folder);
    const inside = (path: string): boolean => folder === '' || path.startsWith(`${folder}/`);
    const proposals = pending().filter((one) => one.text !== null && inside(one.path));
    const covered = new Set(proposals.map(({ path }) => path));
    return [
      ...listed.filter(({ path }) => !covered.has(path) && leaves(path) === undefined),
      ...proposals.map((one) => ({ path: one.path, size: Buffer.byteLength(one.text ?? ''), mtime: one.ts })),
    ];
  }

  async function apply(batch: readonly FileChanges[]): Promise<Result<readonly AppliedFile[]>> {
    const edits: ProposedEdit[] = [];
    for (const { path, version, changes } of batch) {
      const found = await subject(path);
      if (!found.ok) return found;
      const { now, ...rest } = found.value;
      if (now.version !== version) return refuse('doc.changed', { path });
      const text = applyChanges(now.text, changes);
      const from = rest.from;
      const encodable = from === null ? ok(undefined) : await documents.encode(from, text);
      if (!encodable.ok) return encodable;
      edits.push({ ...rest, path, text });
    }
    const recorded = await record(edits);
    return recorded.ok ? ok(edits.map(({ path, text }) => ({ path, text: text ?? '', saved: true, changedOnSave: false }))) : recorded;
  }

  async function create(path: string, text: string): Promise<Result<AppliedFile>> {
    const taken = await free(path);
    if (!taken.ok) return taken;
    // A file that is to be deleted, written anew: its text changes.
    const deleted = pending().find((one) => one.from === path && one.text === null);
    const recorded = await record([{ known: deleted, from: deleted === undefined ? null : path, base: deleted?.base ?? null, path, text }]);
    return recorded.ok ? ok({ path, text, saved: true, changedOnSave: false }) : recorded;
  }

  return {
    read,
    bytes,
    async encode(path, text) {
      const proposal = at(path);
      if (proposal === undefined) return leaves(path) === undefined ? documents.encode(path, text) : refuse('doc.not-found', { path });
      return proposal.from === null ? ok(utf8(text)) : documents.encode(proposal.from, text);
    },
    async decode(path, given) {
      const from = at(path)?.from;
      return from === null ? decoded(path, given) : documents.decode(from ?? path, given);
    },
    beneath: (path) => (at(path) === undefined ? documents.beneath(path) : Promise.resolve(undefined)),
    // What is proposed is counted by its text, as unsaved words are.
    dirty: () => [...new Set([...documents.dirty().filter((path) => leaves(path) === undefined), ...pending().flatMap((one) => (one.text === null ? [] : [one.path]))])],
    list,
    apply,
    create,
    async rename(from, to) {
      const found = await subject(from);
      if (!found.ok) return found;
      const taken = await free(to, from);
      if (!taken.ok) return taken;
      const { now, ...rest } = found.value;
      return record([{ ...rest, path: to, text: now.text }]);
    },
    async delete(path, over) {
      const found = await subject(path);
      if (!found.ok) return found;
      const { now, ...rest } = found.value;
      if (over !== undefined) {
        const there = await bytes(path);
        if (there === undefined || sha256Hex(there) !== over) return refuse('doc.changed', { path });
      }
      return record([{ ...rest, path: rest.from ?? now.path, text: null }]);
    },
    async put(path, given, over) {
      const there = await bytes(path);
      if (over !== undefined && (there === undefined ? null : sha256Hex(there)) !== over) return refuse('doc.changed', { path });
      const text = there === undefined ? decoded(path, given) : await this.decode(path, given);
      if (!text.ok) return text;
      if (there === undefined) {
        const created = await create(path, text.value);
        return created.ok ? ok(undefined) : created;
      }
      const found = await subject(path);
      if (!found.ok) return found;
      const { now: _, ...rest } = found.value;
      return record([{ ...rest, path, text: text.value }]);
    },
    watch: (listener) => documents.watch(listener),
  };
}

function decoded(path: string, given: Uint8Array): Result<string> {
  const text = decodeBytes(given);
  return text.ok ? ok(text.value.text) : refuse('doc.undecodable', { path });
}
