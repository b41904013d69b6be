import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../src/engine/engine';
import type { Result } from '../../src/engine/ports/result';
import { createEngine, createNodeFiles, createProject } from '../../src/engine/index';
import { createFakeClock, FAKE_START, type FakeClock } from '../fakes/clock';
import { ASSETS, must } from '../fakes/engine-bench';
import { createFakeIds } from '../fakes/ids';
import { createMemoryLog } from '../fakes/log';
import { createMemoryDocuments } from '../fakes/memory-documents';
import { createScriptedClient, modelsWith, says } from '../fakes/models';
import { withTempFolder } from '../fakes/temp-folder';
import { createFakeUi } from '../fakes/ui';

function open(root: string, options: { readonly readOnly?: boolean; readonly assets?: string; readonly clock?: FakeClock } = {}): Promise<Result<Engine>> {
  return createEngine({
    ports: {
      files: createNodeFiles(root),
      documents: createMemoryDocuments({ root }),
      models: modelsWith(createScriptedClient([says('好。')])),
      clock: options.clock ?? createFakeClock(),
      ids: createFakeIds(7),
      log: createMemoryLog(),
      ui: createFakeUi(),
    },
    assets: options.assets ?? ASSETS,
    trusted: () => true,
    readOnly: options.readOnly ?? false,
  });
}

const makeProject = async (root: string): Promise<void> => {
  await mkdir(join(root, '正文'), { recursive: true });
  await writeFile(join(root, '正文/001.md'), '雨。\n');
  must(await createProject({ files: createNodeFiles(root), ids: createFakeIds(), log: createMemoryLog() }, { title: '书', language: 'zh' }));
};

const everything = (root: string): Promise<readonly string[]> => readdir(root, { recursive: true }).then((names) => names.sort());

describe('opening an engine', () => {
  it('on a folder that is no project says so and makes nothing', () =>
    withTempFolder(async (root) => {
      expect(await open(root)).toMatchObject({ ok: false, error: { code: 'project.none' } });
      expect(await everything(root)).toEqual([]);
    }));

  it('without its assets names the missing file', () =>
    withTempFolder(async (root) => {
      await makeProject(root);
      expect(await open(root, { assets: root })).toMatchObject({
        ok: false,
        error: { code: 'asset.missing', args: { path: 'prompts/zh/agent.md' } },
      });
    }));

  it('removes old temporary files a while later, unless it is read-only', () =>
    withTempFolder(async (root) => {
      await makeProject(root);
      const temp = join(root, '.liyuan/objects/0199.tmp');
      await writeFile(temp, 'x');
      const old = new Date(FAKE_START - 7_200_000);
      await utimes(temp, old, old);
      const clock = createFakeClock();
      const passes = async (readOnly: boolean, gone: boolean): Promise<void> => {
        const engine = must(await open(root, { readOnly, clock }));
        expect(await everything(root), 'nobody waits for it').toContain(join('.liyuan', 'objects', '0199.tmp'));
        clock.advance(60_000);
        await expect.poll(async () => (await everything(root)).includes(join('.liyuan', 'objects', '0199.tmp'))).toBe(!gone);
        await engine.dispose();
      };
      await passes(true, false);
      await passes(false, true);
    }));

  it('signs its restores with the machine', () =>
    withTempFolder(async (root) => {
      await makeProject(root);
      const { checkpoints, project, dispose } = must(await open(root));
      const first = must(await checkpoints.take({ author: 'user' }));
      await writeFile(join(root, '正文/001.md'), '雪。\n');
      must(await checkpoints.restore(first?.id ?? ''));
      const log = await readFile(join(root, '.liyuan/checkpoints/log.jsonl'), 'utf8');
      expect(log).toContain(`"machine":"${project.machine}"`);
      await dispose();
    }));

  it('read-only changes nothing on the disk and refuses turns', () =>
    withTempFolder(async (root) => {
      await makeProject(root);
      const first = must(await open(root));
      const session = must(await first.sessions.create({ kind: 'agent', title: '局' }));
      await first.dispose();
      const before = await everything(root);

      const engine = must(await open(root, { readOnly: true }));
      const reading = must(await engine.sessions.open(session.header.id));
      const events = [];
      for await (const event of engine.turns.run(reading, { text: '你好' }, new AbortController().signal)) events.push(event);
      expect(events).toEqual([{ type: 'ended', turnId: undefined, status: 'error', error: { code: 'session.read-only' } }]);
      expect(engine.turns.busy(session.header.id), 'the session is given back').toBe(false);
      expect(must(await engine.manuscript.chapters()).map(({ path }) => path)).toEqual(['正文/001.md']);
      await engine.dispose();
      expect(await everything(root)).toEqual(before);
    }));

  it('gives back the locks of its sessions when it is disposed, twice if need be', () =>
    withTempFolder(async (root) => {
      await makeProject(root);
      const first = must(await open(root));
      const session = must(await first.sessions.create({ kind: 'agent', title: '局' }));
      await first.dispose();
      await first.dispose();
      const second = must(await open(root));
      expect(must(await second.sessions.open(session.header.id)).readOnly).toBe(false);
      await second.dispose();
    }));
});
