import { diagnose } from './diagnosis';
import type { Engine, EngineOptions } from './engine';
import { createRestore } from './restore';
import { createArrange } from './manuscript/arrange';
import type { ChapterMove } from './manuscript/renumber';
import { createJobs } from './jobs/create-jobs';
import { createManuscript } from './manuscript/chapters';
import { createCheckpoints } from './manuscript/create-checkpoints';
import { createProgress } from './manuscript/progress/create-progress';
import { checkpointMessages } from './manuscript/messages';
import { watchQuietEdits } from './manuscript/quiet-checkpoints';
import { createPassages } from './passage';
import type { Result } from './ports/result';
import { ok, refuse } from './ports/result';
import { openProject } from './project/open-project';
import { fill, loadPromptAssets } from './prompt/assets';
import { contextUse } from './prompt/context-use';
import { rebuildCall } from './prompt/rebuild';
import { createTraceStore } from './prompt/trace-store';
import { createOpenSessions } from './open-sessions';
import { createSessionSearch } from './session/search';
import { createReview } from './review/create-review';
import type { EntryOf } from './session/entries';
import type { Session } from './session/session';
import { createSessions } from './session/sessions';
import { DELETED } from './session/summarise';
import { createObjectStore } from './store/object-store';
import { sweepLater } from './store/sweep-temporary';
import { createTokenScale, scaleKey } from './text/token-scale';
import { countTokens } from './text/tokens';
import { createRegexSearch } from './tools/regex-search';
import { chapterTools } from './tools/registry';
import { createTurns } from './turn/create-turns';
import type { TurnDeps } from './turn/deps';
import { createTurnGate } from './turn/gate';
import { turnRules } from './turn/system';
import { createRules } from './writing-rules';

/** How long after the start what a killed window left is looked at again, in ms. */
const RECOVER_AGAIN_MS = 20_000;

/**
 * Wires the engine of one project folder. Refuses `project.none`, `project.bad-json` and the other refusals of opening a
 * project, and `asset.missing`.
 */
export async function createEngine(options: EngineOptions): Promise<Result<Engine>> {
  const { files, documents, models, clock, ids, log, ui, budget } = options.ports;
  const opened = await openProject({ files, ids, log, readOnly: options.readOnly ?? false });
  if (!opened.ok) return opened;
  const project = opened.value;
  const readOnly = options.readOnly === true || project.newer;
  const zh = await loadPromptAssets(options.assets, 'zh');
  if (!zh.ok) return zh;
  const en = await loadPromptAssets(options.assets, 'en');
  if (!en.ok) return en;
  const assets = (): typeof zh.value => (project.config.language === 'zh' ? zh.value : en.value);

  const tokenScale = options.tokenScale ?? createTokenScale();
  /** The model that writes, and its name for the scale; nothing while it is refused. */
  const writingModel = async (): Promise<{ readonly name: string; readonly key: string } | undefined> => {
    const client = await models.client('writing');
    return client.ok ? { name: client.value.name, key: scaleKey(client.value) } : undefined;
  };

  const gate = createTurnGate();
  const objects = createObjectStore({ files, ids, log, clock });
  const sessions = createOpenSessions(
    createSessions({
      files,
      clock,
      ids,
      log,
      machine: project.machine,
      readOnly,
      newer: project.newer,
      busy: (id) => gate.busy(id),
      ...(options.holder === undefined ? {} : { holder: options.holder }),
    }),
  );
  const manuscript = createManuscript({ documents, files, project, log, clock, readOnly });
  const language = (): 'zh' | 'en' => project.config.language;
  const checkpoints = createCheckpoints({ files, objects, documents, rules: project.rules, clock, ids, log, readOnly, machine: project.machine, language });
  const progress = createProgress({ checkpoints, objects, documents, files, log, clock, manuscript, busy: () => gate.busy(), readOnly });
  const arrange = createArrange({ files, documents, checkpoints, rules: project.rules, ids, log, messages: () => checkpointMessages(language()) });
  const traces = createTraceStore({ files, objects, clock, ids, log, countTokens });
  const review = createReview({
    files,
    objects,
    documents,
    checkpoints,
    clock,
    ids,
    log,
    readOnly,
    holding: (sessionId, f) =>
      sessions.with(sessionId, async (session) => {
        if (session.readOnly) return refuse('session.read-only');
        return f((turnId) => wordsOf(session, turnId));
      }),
    manuscriptOver: (over) => createManuscript({ documents: over, files, project, log, clock, readOnly: true }),
  });
  const turnDeps: TurnDeps = {
    files,
    documents,
    manuscript,
    checkpoints,
    project,
    objects,
    traces,
    models,
    ui,
    budget,
    clock,
    ids,
    log,
    assets,
    trusted: options.trusted,
    regexSearch: createRegexSearch({ clock }),
    gate,
    countTokens,
    tokenScale,
    review,
    apply: options.apply ?? ((): 'auto' => 'auto'),
  };
  const turns = createTurns(turnDeps);
  const jobs = createJobs({
    files,
    documents,
    manuscript,
    checkpoints,
    review,
    turns,
    gate,
    sessions: sessions.sessions,
    withSession: sessions.with,
    clock,
    ids,
    log,
    countTokens,
    tokenFactor: async () => {
      const model = await writingModel();
      return model === undefined ? 1 : tokenScale.factor(model.key);
    },
    holder: options.holder,
    standing: async () => {
      const { system } = await turnRules(turnDeps);
      return countTokens([system.message.content, assets().texts.job.text, JSON.stringify(chapterTools(assets()).specs)].join('\n'));
    },
    price: async () => {
      const client = await models.client('writing');
      return client.ok ? client.value.price : undefined;
    },
    words: (title, instruction) => fill(assets().texts.job.words, { title, instruction }),
  });

  const stopWatching = readOnly
    ? (): void => undefined
    : watchQuietEdits({ documents, rules: project.rules, checkpoints, clock, log, busy: () => gate.busy(), onTaken: options.onQuietCheckpoint ?? ((): void => undefined) });

  const stopSweeping = readOnly ? (): Promise<void> => Promise.resolve() : sweepLater({ files, clock, log });

  /** The chapters stand where they are to stand also if what is meant for them cannot be told. */
  const tellRenamed = async (moves: readonly ChapterMove[]): Promise<void> => {
    const renames = moves.filter(({ from, to }) => from !== to);
    for (const told of [await review.follow(renames), await jobs.follow(renames)]) {
      if (!told.ok) log.warn('what waits for renamed chapters still has their former names', { code: told.error.code });
    }
  };
  let lookAgain = (): void => undefined;
  const recoverNames = async (): Promise<void> => {
    const left = await gate.alone(() => arrange.recover());
    if (left.ok) return left.value.length === 0 ? undefined : tellRenamed(left.value);
    log.warn('chapters whose renaming was interrupted wait', { code: left.error.code });
    // The lock of a window that was killed is held for a while.
    lookAgain = clock.after(RECOVER_AGAIN_MS, () => void recoverNames());
  };
  if (!readOnly) await recoverNames();

  return ok(
    Object.freeze({
      project,
      sessions: sessions.sessions,
      manuscript,
      arrange: {
        apply: (given, how) =>
          gate.alone(async () => {
            // A name that was typed may come in another normal form than all keys have.
            const moves = given.map((move) => ({ ...move, from: move.from.normalize('NFC'), to: move.to.normalize('NFC') }));
            const arranged = await arrange.apply(moves, how);
            if (!arranged.ok) return arranged;
            await tellRenamed(moves);
            return arranged;
          }),
        remove: (paths) => gate.alone(() => arrange.remove(paths.map((path) => path.normalize('NFC')))),
      },
      checkpoints,
      progress,
      objects,
      turns,
      jobs,
      rules: createRules({ documents, project, trusted: options.trusted, log, objects, assets, countTokens }),
      review,
      traces: (sessionId) => traces.read(sessionId),
      contextUse: async (sessionId) => {
        const lines = await traces.read(sessionId);
        const last = lines.ok ? lines.value.at(-1) : undefined;
        if (!lines.ok || last === undefined) return lines.ok ? ok(undefined) : lines;
        const tools = last.tools.object === undefined ? undefined : await objects.get(last.tools.object);
        // A text of the store that is lost is no reason to say nothing of the rest.
        const toolTokens = tools?.ok === true ? await countTokens(new TextDecoder().decode(tools.value)) : 0;
        const writing = await writingModel();
        const key = writing?.name === last.model ? writing.key : last.model;
        return ok(contextUse(last, toolTokens, { factor: tokenScale.factor(key), learned: tokenScale.learned(key) }));
      },
      rebuild: (trace) =>
        sessions.with(trace.sessionId, async (session) => {
          const rebuilt = await rebuildCall(trace, { objects, entry: (id) => session.get(id) });
          return rebuilt.ok ? ok(rebuilt.value.messages) : rebuilt;
        }),
      ...createRestore({ checkpoints, turns, gate, review, withSession: sessions.with, log }),
      search: createSessionSearch({ files, log, readOnly }),
      markSession: (id, { title, deleted }) =>
        sessions.with(id, async (session) => {
          if (session.readOnly) return refuse('session.read-only', { id });
          if (deleted === true && gate.busy(id)) return refuse('session.busy');
          const titled = title === undefined ? ok(undefined) : await session.setMeta('title', title);
          return titled.ok && deleted !== undefined ? session.setMeta(DELETED, deleted) : titled;
        }),
      diagnose: (signal) => diagnose(files, signal),
      dispose: async () => {
        lookAgain();
        await jobs.dispose();
        stopWatching();
        review.dispose();
        progress.dispose();
        await Promise.all([sessions.close(), stopSweeping()]);
      },
      ...createPassages({ documents, checkpoints, gate, withSession: sessions.with, log }),
      cleanUp: (ids) => gate.alone(() => checkpoints.cleanUp(ids)),
    } satisfies Engine),
  );
}

/** The author's words of a turn. */
function wordsOf(session: Session, turnId: string): string {
  const entry = session.get(turnId);
  return entry?.type === 'user' ? (entry as EntryOf<'user'>).data.text : '';
}
