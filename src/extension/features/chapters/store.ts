import * as vscode from 'vscode';
import type { Chapter, DocumentEvent } from '../../../engine/index';
import type { Host } from '../../host';
import type { OpenProject } from '../../project/active-project';

/** Changes that come close together are looked at together, in milliseconds. */
const pauseMs = 250;

/** What has changed since the view was drawn: some chapters, or which ones there are. */
export interface StoreChange {
  /** Absent: chapters have come, gone or changed places. */
  readonly paths?: readonly string[];
  /** Texts of the outline have. */
  readonly outline?: boolean;
}

/** The chapters as they are now. Read once; after that each change on the disk or in a buffer costs what it touches. */
export interface ChapterStore extends vscode.Disposable {
  readonly onDidChange: vscode.Event<StoreChange>;
  /** `undefined`: no project, or its manuscript cannot be read. */
  chapters(): Promise<readonly Chapter[]>;
  /** As last read, at once. */
  known(path: string): Chapter | undefined;
  all(): readonly Chapter[];
  project(): Promise<OpenProject | undefined>;
  /** Resolves when what has been told so far has been looked at. */
  settled(): Promise<void>;
  refresh(): void;
}

/** What a row shows of a chapter. */
const shownOf = ({ title, words, status, target, notes, dirty }: Chapter): string => JSON.stringify([title, words, status, target, notes, dirty]);

export function createChapterStore(host: Host): ChapterStore {
  const changed = new vscode.EventEmitter<StoreChange>();
  let loaded: Promise<void> | undefined;
  let list: readonly Chapter[] = [];
  let byPath = new Map<string, Chapter>();
  let watched: OpenProject | undefined;
  let unwatch: (() => void) | undefined;
  const pending = { paths: new Set<string>(), all: false, outline: false };
  let cancel: (() => void) | undefined;
  let work: Promise<void> = Promise.resolve();

  async function project(): Promise<OpenProject | undefined> {
    const opened = await host.project.opened();
    if (!opened.ok) return undefined;
    if (watched?.engine !== opened.value.engine) {
      unwatch?.();
      watched = opened.value;
      unwatch = opened.value.documents.watch(note);
      loaded = undefined;
    }
    return opened.value;
  }

  function note({ kind, path }: DocumentEvent): void {
    if (watched === undefined) return;
    const folder = watched.engine.manuscript.folder;
    if (path === folder || path.startsWith(`${folder}/`)) {
      if (kind === 'changed' && byPath.has(path)) pending.paths.add(path);
      else pending.all = true;
    } else if (watched.engine.project.config.folders.texts.some((text) => path.startsWith(`${text}/`)) && kind !== 'changed') pending.outline = true;
    else return;
    cancel ??= host.clock.after(pauseMs, later);
  }

  function later(): void {
    cancel = undefined;
    const { paths, all, outline } = { ...pending, paths: [...pending.paths] };
    pending.paths.clear();
    Object.assign(pending, { all: false, outline: false });
    work = work.then(() => look(paths, all, outline)).catch((error: unknown) => { host.log.error('chapters not looked at', { error: String(error) }); });
  }

  async function look(paths: readonly string[], all: boolean, outline: boolean): Promise<void> {
    if (outline) changed.fire({ outline: true });
    if (all) await read();
    else if (paths.length > 0) await lookAt(paths);
  }

  async function lookAt(paths: readonly string[]): Promise<void> {
    const at = watched;
    if (at === undefined) return;
    const found = await Promise.all(paths.map((path) => at.engine.manuscript.chapter(path)));
    const fresh = found.flatMap((one) => (one.ok && one.value !== undefined ? [one.value] : []));
    if (fresh.length < paths.length) return read();
    const moved = fresh.filter((chapter) => shownOf(chapter) !== shownOf(byPath.get(chapter.path) ?? chapter));
    if (moved.length === 0) return;
    for (const chapter of moved) byPath.set(chapter.path, chapter);
    list = list.map(({ path }) => byPath.get(path)).filter((chapter) => chapter !== undefined);
    changed.fire({ paths: moved.map(({ path }) => path) });
  }

  async function read(): Promise<void> {
    const at = await project();
    const before = list;
    const known = byPath;
    const found = at === undefined ? undefined : await at.engine.manuscript.chapters();
    if (found?.ok === false) host.log.warn('no chapters', { code: found.error.code });
    list = found?.ok === true ? found.value : [];
    byPath = new Map(list.map((chapter) => [chapter.path, chapter]));
    const same = before.length === list.length && list.every(({ path }, index) => before[index]?.path === path);
    if (!same) changed.fire({});
    else {
      const paths = list.filter((chapter) => shownOf(chapter) !== shownOf(known.get(chapter.path) ?? chapter)).map(({ path }) => path);
      if (paths.length > 0) changed.fire({ paths });
    }
  }

  const subscription = host.project.onDidChange(() => {
    loaded = undefined;
    list = [];
    byPath = new Map();
    changed.fire({});
  });

  return {
    onDidChange: changed.event,
    async chapters() {
      await project();
      await (loaded ??= read());
      return list;
    },
    known: (path) => byPath.get(path),
    all: () => list,
    project,
    async settled() {
      if (cancel !== undefined) {
        cancel();
        later();
      }
      await work;
    },
    refresh: () => {
      loaded = undefined;
      changed.fire({});
    },
    dispose: () => {
      cancel?.();
      unwatch?.();
      subscription.dispose();
      changed.dispose();
    },
  };
}
