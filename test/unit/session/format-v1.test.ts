import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openProject } from '../../../src/engine/project/open-project';
import { entryData } from '../../../src/engine/session/entries';
import { hiddenOn, historyOf, openTurn } from '../../../src/engine/session/history';
import type { Session } from '../../../src/engine/session/session';
import { createSessions } from '../../../src/engine/session/sessions';
import { variantsOf } from '../../../src/engine/session/variants';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { createObjectStore } from '../../../src/engine/store/object-store';
import { createFakeClock } from '../../fakes/clock';
import { createFakeIds } from '../../fakes/ids';
import { createMemoryLog } from '../../fakes/log';
import { withTempFolder } from '../../fakes/temp-folder';
import { value } from './support';

const FIXTURE = join(__dirname, '../../fixtures/formats/v1');
const SESSION = '019b0000-0000-7000-8000-000000000001';
const MACHINE_A = '019b0000-aaaa-7000-8000-000000000001';
const MACHINE_B = '019b0000-bbbb-7000-8000-000000000001';
const e = (n: string): string => `019b0000-${n}-7000-8000-000000000001`;

/** A copy of the fixture, so that nothing can be written into it. */
const withProject = (f: (root: string, open: (machine: string, readOnly?: boolean) => Promise<Session>) => Promise<void>): Promise<void> =>
  withTempFolder(async (root) => {
    await cp(FIXTURE, root, { recursive: true });
    await f(root, async (machine, readOnly = false) =>
      value(
        await createSessions({
          files: createNodeFiles(root),
          clock: createFakeClock(),
          ids: createFakeIds(),
          log: createMemoryLog(),
          machine,
          readOnly,
        }).open(SESSION),
      ),
    );
  });

describe('a project of format version 1', () => {
  it('opens with its settings', () =>
    withProject(async (root) => {
      const project = value(await openProject({ files: createNodeFiles(root), ids: createFakeIds(), log: createMemoryLog() }));
      expect(project.config).toMatchObject({ v: 1, title: '盐渡来信', language: 'zh', persona: '阿芜' });
      expect(project.config.folders).toEqual({ manuscript: '正文', texts: ['大纲', '设定'] });
      expect(project.rules.covered('正文/卷一/001-雨夜.md')).toBe(true);
    }));

  it('lists its session under its newest title', () =>
    withProject(async (root) => {
      const sessions = createSessions({
        files: createNodeFiles(root),
        clock: createFakeClock(),
        ids: createFakeIds(),
        log: createMemoryLog(),
        machine: MACHINE_A,
      });
      const { sessions: rows, unreadable } = await sessions.list();
      expect(unreadable).toEqual([]);
      expect(rows).toMatchObject([{ id: SESSION, kind: 'agent', title: '雨改成雪', createdAt: 1767225600000 }]);
    }));

  it('has every entry of the session, the unknown type too, and names the bad line', () =>
    withProject(async (_root, open) => {
      const session = await open(MACHINE_A);
      expect(session.header).toEqual({ v: 1, type: 'session', id: SESSION, kind: 'agent', title: '第一局', createdAt: 1767225600000 });
      expect(session.title()).toBe('雨改成雪');
      expect(session.entryCount()).toBe(22);
      expect(session.badLines.map(({ line }) => line)).toEqual([22]);
      expect(session.duplicates).toEqual([]);
      expect(session.get(e('0001'))?.data).toEqual({
        text: '读第一章，把雨改成雪',
        attachments: [{ kind: 'chapter', ref: '正文/卷一/001-雨夜.md', title: '雨夜' }],
      });
      expect(session.get(e('0003'))?.data).toMatchObject({
        reasoning: '要先读',
        calls: [{ callId: 'call_1', name: 'read', args: '{"path":"正文/卷一/001-雨夜.md"}' }, { name: 'ask' }],
        usage: { input: 900, output: 40, cached: 512, reasoning: 12 },
      });
      expect(session.get(e('0007'))?.data).toMatchObject({ text: '改好了。', status: 'sealed', mood: '平静' });
      expect(session.get(e('000a'))?.data).toMatchObject({ author: 'agent', changed: { renamed: [['正文/旧.md', '正文/新.md']] } });
      expect(session.get(e('000f'))?.data).toMatchObject({ op: 'reset', ledger: { weather: '雨' }, replaces: e('0008') });
      expect(session.get(e('0010'))).toMatchObject({ type: 'panel', data: { name: '状态栏' } });
      await session.close();
    }));

  it('holds every entry type of the version', () =>
    withProject(async (root) => {
      const text = await readFile(join(root, '.liyuan/sessions', `${SESSION}.jsonl`), 'utf8');
      // Types that came later have no place in a fixture that never changes.
      const later = new Set(['save', 'steer']);
      for (const type of Object.keys(entryData).filter((one) => !later.has(one))) expect(text).toContain(`"type":"${type}"`);
    }));

  it('puts each machine where it stood, and a new one where the newest head is', () =>
    withProject(async (_root, open) => {
      for (const [machine, leaf] of [[MACHINE_A, e('0018')], [MACHINE_B, e('0013')], ['someone-new', e('0013')]] as const) {
        const session = await open(machine, true);
        expect(session.leaf(), machine).toBe(leaf);
        await session.close();
      }
    }));

  it('has two turns with their parts, and two variants of the second', () =>
    withProject(async (_root, open) => {
      const session = await open(MACHINE_A);
      const { turns } = historyOf(session.branch());
      expect(turns.map(({ id }) => id)).toEqual([e('0001'), e('0011')]);
      expect(turns[0]?.context?.data.blocks[0]?.title).toBe('正文目录');
      expect(turns[0]?.steps[0]?.tools.map(({ data }) => data.callId)).toEqual(['call_1', 'call_2']);
      expect(turns[0]?.choices[0]?.data.answer).toBe('全改');
      expect(turns[0]?.end?.data).toEqual({ status: 'done', checkpoint: e('00c1') });
      expect(turns[1]?.reply?.data).toMatchObject({ text: '停在这里', status: 'stopped' });
      expect(openTurn(session.branch())).toBeUndefined();
      expect(openTurn(session.branch(e('0017')))?.id).toBe(e('0011'));
      expect([...hiddenOn(session.branch())]).toEqual([]);
      expect([...hiddenOn(session.branch(e('000d')))]).toEqual([e('0003')]);
      expect(variantsOf(session, e('0011'))).toEqual([
        { root: e('0012'), leaf: e('0013'), current: false },
        { root: e('0016'), leaf: e('0018'), current: true },
      ]);
      await session.close();
    }));

  it('gives back its objects, kept as they are and deflated', () =>
    withProject(async (root) => {
      const objects = createObjectStore({ files: createNodeFiles(root), ids: createFakeIds(), log: createMemoryLog(), clock: createFakeClock() });
      const text = async (sha: string): Promise<string> => Buffer.from(value(await objects.get(sha))).toString('utf8');
      expect(await text('aeaf77d98a9620e24b0007cf0409549407c6d1032e90f03db53bd80700d80061')).toBe(
        '【正文目录】\n正文/ 共 1 个文件 5 字（按文件名排序）\n',
      );
      expect(await text('e8a8cbba857bd3f478082ebe2a92a0f6dfda1704c87766afd9b2045152da3d1f')).toBe('雨下了一夜。'.repeat(100));
    }));

  it('is not changed by being read', () =>
    withProject(async (root, open) => {
      const file = join(root, '.liyuan/sessions', `${SESSION}.jsonl`);
      const before = await readFile(file);
      await (await open(MACHINE_A)).close();
      expect((await readFile(file)).equals(before)).toBe(true);
    }));
});
