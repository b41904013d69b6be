import type { Clock } from '../ports/clock';
import type { Files, FileStat } from '../ports/files';
import type { Ids } from '../ports/ids';
import type { Log } from '../ports/log';
import { caught, ok, refuse } from '../ports/result';
import { sha256Hex } from '../text/hash';
import { mapLimited } from './limited';
import { decodeObject, encodeObject } from './object-codec';
import type { ObjectStore } from './objects';

const FOLDER = '.liyuan/objects';
const AT_ONCE = 16;
/** An object put again after this long is written anew: a clean-up takes only what is older than 30 days. */
const FRESH_MS = 15 * 24 * 3_600_000;

const isSha = (sha: string): boolean => /^[0-9a-f]{64}$/.test(sha);
const folderOf = (sha: string): string => `${FOLDER}/${sha.slice(0, 2)}`;
const pathOf = (sha: string): string => `${folderOf(sha)}/${sha}`;

/** Objects under `.liyuan/objects`. `put` and `putAll` reject with `EngineFailure` (`store.*`) and then name nothing new. */
export function createObjectStore(deps: { readonly files: Files; readonly ids: Ids; readonly log: Log; readonly clock: Clock }): ObjectStore {
  const { files, ids, log, clock } = deps;
  /** Objects this process has written or read and found right, with the size of their files. */
  const trusted = new Map<string, number>();

  const readWhole = async (sha: string): Promise<Uint8Array | 'missing' | 'corrupt'> => {
    const file = isSha(sha) ? await files.read(pathOf(sha)) : undefined;
    if (file === undefined) return 'missing';
    const raw = await decodeObject(file);
    if (raw === undefined || sha256Hex(raw) !== sha) {
      trusted.delete(sha);
      return 'corrupt';
    }
    trusted.set(sha, file.length);
    return raw;
  };

  /** The file of an object that is there and right. */
  const look = async (sha: string): Promise<FileStat | 'missing' | 'corrupt'> => {
    const size = trusted.get(sha);
    if (size !== undefined) {
      const stat = await files.stat(pathOf(sha));
      if (stat?.size === size) return stat;
      trusted.delete(sha);
    }
    const whole = await readWhole(sha);
    return typeof whole === 'string' ? whole : ((await files.stat(pathOf(sha))) ?? 'missing');
  };

  const isFresh = ({ mtimeNs }: FileStat): boolean => clock.now() - Number(mtimeNs / 1_000_000n) < FRESH_MS;

  const writeOne = async (sha: string, raw: Uint8Array): Promise<void> => {
    const file = await encodeObject(raw);
    await files.writeAtomic(pathOf(sha), file, { temporaryIn: FOLDER });
    trusted.set(sha, file.length);
  };

  const writeMany = async (fresh: ReadonlyMap<string, Uint8Array>): Promise<void> => {
    const written: { readonly sha: string; readonly temp: string; readonly size: number }[] = [];
    try {
      await mapLimited([...fresh], AT_ONCE, async ([sha, raw]) => {
        const file = await encodeObject(raw);
        const temp = `${FOLDER}/${ids.next()}.tmp`;
        written.push({ sha, temp, size: file.length });
        await files.writeAtomic(temp, file, { fsync: false });
      });
      await mapLimited(written, AT_ONCE, ({ temp }) => files.fsync(temp));
      const folders = [...new Set(written.map(({ sha }) => folderOf(sha)))];
      await mapLimited(folders, AT_ONCE, (folder) => files.mkdir(folder));
      await mapLimited(written, AT_ONCE, ({ sha, temp }) => files.rename(temp, pathOf(sha)));
      await mapLimited(folders, AT_ONCE, (folder) => files.fsync(folder));
    } catch (error) {
      await Promise.allSettled(written.map(({ temp }) => files.remove(temp)));
      throw error;
    }
    for (const { sha, size } of written) trusted.set(sha, size);
  };

  const putAll = async (items: readonly Uint8Array[]): Promise<readonly string[]> => {
    const shas = items.map((item) => sha256Hex(item));
    const distinct = new Map(shas.map((sha, i) => [sha, items[i] as Uint8Array]));
    const fresh = new Map<string, Uint8Array>();
    await mapLimited([...distinct], AT_ONCE, async ([sha, raw]) => {
      const known = await look(sha);
      if (typeof known !== 'string' && isFresh(known)) return;
      if (known === 'corrupt') log.warn('an object was damaged and is written anew', { sha });
      fresh.set(sha, raw);
    });
    const [only] = fresh;
    if (only !== undefined && fresh.size === 1) await writeOne(...only);
    else if (fresh.size > 1) await writeMany(fresh);
    return shas;
  };

  return {
    putAll,
    async put(bytes) {
      const [sha] = await putAll([bytes]);
      return sha as string;
    },
    get: (sha) =>
      caught(async () => {
        const raw = await readWhole(sha);
        if (raw === 'missing') return refuse('object.missing', { sha });
        if (raw === 'corrupt') return refuse('object.corrupt', { sha });
        return ok(raw);
      }),
    has: async (sha) => typeof (await look(sha)) !== 'string',
    async entries() {
      return (await files.tree(FOLDER)).map(({ path, stat }) => {
        const name = path.slice(path.lastIndexOf('/') + 1);
        return { path, ...(isSha(name) && path === pathOf(name) ? { sha: name } : {}), size: stat.size, mtimeNs: stat.mtimeNs };
      });
    },
    async remove({ path, sha, mtimeNs }) {
      const now = await files.stat(path);
      if (now === undefined || now.mtimeNs !== mtimeNs) return false;
      await files.remove(path);
      if (sha !== undefined) trusted.delete(sha);
      return true;
    },
  };
}
