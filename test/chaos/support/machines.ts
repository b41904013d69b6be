import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createProject } from '../../../src/engine/project/open-project';
import type { Session } from '../../../src/engine/session/session';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { createFakeIds } from '../../fakes/ids';
import { createMemoryLog } from '../../fakes/log';
import { withTempFolder } from '../../fakes/temp-folder';
import { must, openChaosProject, withoutFsync, type ChaosProject } from './project';

const run = promisify(execFile);

/** One machine's clone of a project. */
export interface Machine {
  readonly name: string;
  readonly root: string;
  readonly project: ChaosProject;
  readonly sessionId: string;
  git(...args: readonly string[]): Promise<string>;
  /** Commits all there is. */
  commit(message: string): Promise<void>;
  /** Merges what the other has committed. Chapters in conflict stay as they stand here; answers the unmerged paths. */
  pull(other: Machine): Promise<readonly string[]>;
  /** The same folder as the next window opens it. */
  reopen(): Machine;
  withSession<T>(f: (session: Session) => Promise<T>): Promise<T>;
}

let lives = 2_000;

function machineAt(name: string, root: string, sessionId: string, crlf: boolean): Machine {
  const git = async (...args: readonly string[]): Promise<string> => {
    const config = ['-c', `user.name=${name}`, '-c', `user.email=${name}@example.org`, '-c', `core.autocrlf=${String(crlf)}`, '-c', 'core.quotepath=off', '-c', 'commit.gpgsign=false'];
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', LC_ALL: 'C' };
    return (await run('git', [...config, ...args], { cwd: root, env, maxBuffer: 64 * 1024 * 1024 })).stdout;
  };
  const commit = async (message: string): Promise<void> => {
    await git('add', '-A');
    await git('commit', '-q', '--allow-empty', '-m', message);
  };
  lives += 1;
  const project = openChaosProject(root, { life: lives, files: withoutFsync, machine: name });
  return {
    name,
    root,
    project,
    sessionId,
    git,
    commit,
    async pull(other) {
      await git('fetch', '-q', other.root, 'HEAD');
      try {
        await git('merge', '-q', '--no-edit', 'FETCH_HEAD');
        return [];
      } catch (error) {
        const unmerged = (await git('diff', '--name-only', '--diff-filter=U')).split('\n').filter((line) => line !== '');
        if (unmerged.length === 0) throw error;
        await commit('merged');
        return unmerged;
      }
    },
    reopen: () => machineAt(name, root, sessionId, crlf),
    async withSession(f) {
      const session = must(await project.sessions.open(sessionId));
      try {
        return await f(session);
      } finally {
        await session.close();
      }
    },
  };
}

/** A project with one session and one checkpoint, cloned by a second machine. `crlf`: git turns line ends, as it does by default on Windows. */
export function withTwoMachines<T>(crlf: boolean, f: (a: Machine, b: Machine) => Promise<T>): Promise<T> {
  return withTempFolder(async (folder) => {
    const root = join(folder, 'one');
    const files = (at: string): ReturnType<typeof createNodeFiles> => createNodeFiles(at);
    await files(folder).mkdir('one');
    must(await createProject({ files: files(root), ids: createFakeIds(900), log: createMemoryLog() }, { title: '雨夜', language: 'zh' }));
    await files(root).writeAtomic('正文/起.md', Buffer.from('雨下了一夜。\n'));
    const first = openChaosProject(root, { life: (lives += 1), machine: 'machine-a' });
    const session = must(await first.sessions.create({ kind: 'agent', title: '起' }));
    must(await session.append([{ type: 'user', data: { text: '共同' } }], { durable: true }));
    await session.close();
    must(await first.checkpoints.take({ author: 'user', message: '共同' }));
    const a = machineAt('machine-a', root, session.header.id, crlf);
    await a.git('init', '-q', '-b', 'main');
    await a.commit('起');
    await a.git('clone', '-q', root, join(folder, 'two'));
    return f(a, machineAt('machine-b', join(folder, 'two'), session.header.id, crlf));
  });
}
