import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProject, openProject } from '../../../src/engine/project/open-project';
import type { Project } from '../../../src/engine/project/project';
import type { Result } from '../../../src/engine/ports/result';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { createFaultyFiles, type FaultyFiles } from '../../fakes/faulty-files';
import { createFakeIds, fakeId } from '../../fakes/ids';
import { createMemoryLog, type MemoryLog } from '../../fakes/log';
import { withTempFolder } from '../../fakes/temp-folder';

interface Bench {
  readonly root: string;
  readonly files: FaultyFiles;
  readonly log: MemoryLog;
  readonly open: (options?: { readonly readOnly: boolean }) => Promise<Result<Project>>;
  readonly create: () => Promise<Result<Project>>;
  readonly text: (path: string) => Promise<string>;
  readonly put: (text: string) => Promise<void>;
}

const withFolder = (f: (bench: Bench) => Promise<void>): Promise<void> =>
  withTempFolder(async (root) => {
    const files = createFaultyFiles(createNodeFiles(root));
    const log = createMemoryLog();
    const ids = createFakeIds();
    await f({
      root,
      files,
      log,
      open: (options) => openProject({ files, ids, log, ...options }),
      create: () => createProject({ files, ids, log }, { title: '盐渡来信', language: 'zh' }),
      text: (path) => readFile(join(root, path), 'utf8'),
      async put(text) {
        await mkdir(join(root, '.liyuan'), { recursive: true });
        await writeFile(join(root, '.liyuan/project.json'), text);
      },
    });
  });

it('a manuscript folder that no project may have is refused before anything is written', () =>
  withFolder(async ({ files, log, root }) => {
    const made = await createProject({ files, ids: createFakeIds(), log }, { title: '书', language: 'zh', manuscript: '书/.藏' });
    expect(made).toMatchObject({ ok: false, error: { code: 'project.bad-json' } });
    expect(await readdir(root)).toEqual([]);
  }));

const value = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.error)}`);
  return result.value;
};

const FRESH = `{
  "v": 1,
  "title": "盐渡来信",
  "language": "zh",
  "folders": {
    "manuscript": "正文",
    "texts": [
      "大纲",
      "设定",
      "角色卡",
      "世界书",
      "预设"
    ]
  }
}
`;

describe('creating a project', () => {
  it('lays out the folder with its git files and one key a line', () =>
    withFolder(async ({ create, root, text }) => {
      const project = value(await create());
      expect(project.config).toMatchObject({ v: 1, title: '盐渡来信', language: 'zh' });
      expect(await text('.liyuan/project.json')).toBe(FRESH);
      expect(await text('.liyuan/.gitattributes')).toBe('*.jsonl merge=union -text\nobjects/** -text -diff -merge\n');
      expect(await text('.liyuan/.gitignore')).toBe('local/\ncache/\nlocks/\n*.tmp\n');
      expect(await text('.liyuan/local/machine')).toBe(`${fakeId(1)}\n`);
      expect((await readdir(root)).sort()).toEqual(['.liyuan', '正文']);
      expect((await readdir(join(root, '.liyuan'))).sort()).toEqual(
        ['.gitattributes', '.gitignore', 'cache', 'checkpoints', 'local', 'locks', 'objects', 'project.json', 'sessions', 'traces'],
      );
    }));

  it('touches no text of a folder that only has chapters', () =>
    withFolder(async ({ create, root, files }) => {
      await mkdir(join(root, '正文/卷一'), { recursive: true });
      await writeFile(join(root, '正文/卷一/001.md'), '# 雨夜\r\n旧字');
      value(await create());
      expect(await readFile(join(root, '正文/卷一/001.md'), 'utf8')).toBe('# 雨夜\r\n旧字');
      const writes = files.seen.filter(({ name }) => ['append', 'writeAtomic', 'rename', 'remove'].includes(name));
      expect(writes.every(({ path }) => path.startsWith('.liyuan/'))).toBe(true);
    }));

  it('opens a project that is there already as it is', () =>
    withFolder(async ({ create, put, text }) => {
      await put('{"title":"早有","v":1}');
      expect(value(await create()).config.title).toBe('早有');
      expect(await text('.liyuan/project.json')).toBe('{"title":"早有","v":1}');
    }));

  it('says that the disk is full', () =>
    withFolder(async ({ create, files }) => {
      files.diskFull(true);
      expect(await create()).toMatchObject({ ok: false, error: { code: 'store.disk-full' } });
    }));
});

describe('opening a project', () => {
  it('refuses a folder without one and makes nothing in it', () =>
    withFolder(async ({ open, root }) => {
      expect(await open()).toMatchObject({ ok: false, error: { code: 'project.none' } });
      expect(await readdir(root)).toEqual([]);
    }));

  it('fills in what is missing of settings and layout, leaving what is there', () =>
    withFolder(async ({ open, put, root, text }) => {
      await put('\uFEFF{"title":"薄"}');
      await writeFile(join(root, '.liyuan/.gitignore'), 'local/\ntraces/\n');
      const project = value(await open());
      expect(project.config).toEqual({
        v: 1,
        title: '薄',
        language: 'zh',
        folders: { manuscript: '正文', texts: ['大纲', '设定', '角色卡', '世界书', '预设'] },
      });
      expect(await text('.liyuan/.gitignore')).toBe('local/\ntraces/\n');
      expect(await text('.liyuan/.gitattributes')).toContain('merge=union');
    }));

  it('keeps one machine id over restarts, and makes a new one when the file is no id', () =>
    withFolder(async ({ open, put, root }) => {
      await put('{}');
      const first = value(await open()).machine;
      expect(value(await open()).machine).toBe(first);
      await writeFile(join(root, '.liyuan/local/machine'), '\n');
      const second = value(await open()).machine;
      expect(second).not.toBe(first);
      expect(value(await open()).machine).toBe(second);
    }));

  it('writes nothing when read-only, and still opens', () =>
    withFolder(async ({ open, put, files }) => {
      await put('{"title":"薄"}');
      const project = value(await open({ readOnly: true }));
      expect(project.machine).not.toBe('');
      expect(await project.update({ title: 'x' })).toMatchObject({ ok: false, error: { code: 'store.read-only' } });
      expect(files.seen.every(({ name }) => ['read', 'stat'].includes(name))).toBe(true);
    }));

  it('opens a folder that cannot be written', () =>
    withFolder(async ({ open, put, files, log }) => {
      await put('{"title":"薄"}');
      files.faults(({ name }) => (['writeAtomic', 'mkdir'].includes(name) ? { kind: 'fail', code: 'store.read-only' } : undefined));
      const project = value(await open());
      expect(project.config.title).toBe('薄');
      expect(log.of('warn')).toHaveLength(1);
      expect(await project.update({ title: 'x' })).toMatchObject({ ok: false, error: { code: 'store.read-only' } });
    }));

  it.each([
    ['not json', ''],
    ['[]', ''],
    ['{"language":"fr"}', 'language'],
    ['{"folders":{"manuscript":"../elsewhere"}}', 'folders.manuscript'],
    ['{"folders":{"texts":["设定",".git"]}}', 'folders.texts.1'],
    ['{"folders":{"manuscript":""}}', 'folders.manuscript'],
  ])('refuses %j, naming %j', (content, key) =>
    withFolder(async ({ open, put, text }) => {
      await put(content);
      expect(await open()).toMatchObject({ ok: false, error: { code: 'project.bad-json', args: { path: '.liyuan/project.json', key } } });
      expect(await text('.liyuan/project.json')).toBe(content);
    }));

  it('names both sides of a merge conflict and guesses nothing', () =>
    withFolder(async ({ open, put, text }) => {
      const conflict = '{\n  "v": 1,\n<<<<<<< HEAD\n  "title": "甲",\n||||||| base\n  "title": "原",\n=======\n  "title": "乙",\n>>>>>>> other\n  "language": "zh"\n}\n';
      await put(conflict);
      expect(await open()).toEqual({
        ok: false,
        error: { code: 'project.conflict', args: { path: '.liyuan/project.json', line: 3, ours: '"title": "甲",', theirs: '"title": "乙",' } },
      });
      expect(await text('.liyuan/project.json')).toBe(conflict);
    }));
});

describe('updating', () => {
  it('rewrites with unknown keys kept, also inside folders, and takes effect at once', () =>
    withFolder(async ({ open, put, text }) => {
      await put('{"v":1,"title":"旧","mounted":{"card":"a.json"},"folders":{"manuscript":"正文","texts":[],"attic":"旧稿"}}');
      const project = value(await open());
      const { rules } = project;
      expect(rules.covered('稿/001.md')).toBe(false);
      value(await project.update({ title: '新', folders: { manuscript: '稿', texts: ['设定'] } }));
      expect(project.config.title).toBe('新');
      expect(rules.covered('稿/001.md')).toBe(true);
      expect(rules.roots).toEqual(['稿', '设定']);
      expect(JSON.parse(await text('.liyuan/project.json'))).toEqual({
        v: 1,
        title: '新',
        mounted: { card: 'a.json' },
        folders: { manuscript: '稿', texts: ['设定'], attic: '旧稿' },
      });
    }));

  it('keeps what someone else changed in the file meanwhile', () =>
    withFolder(async ({ create, root, text }) => {
      const project = value(await create());
      await writeFile(join(root, '.liyuan/project.json'), FRESH.replace('"language": "zh"', '"language": "en"'));
      value(await project.update({ title: '新' }));
      expect(JSON.parse(await text('.liyuan/project.json'))).toMatchObject({ title: '新', language: 'en' });
      expect(project.config.language).toBe('en');
    }));

  it('refuses to write over a conflict, a newer version, or with bad folders', () =>
    withFolder(async ({ create, put, text }) => {
      const project = value(await create());
      expect(await project.update({ folders: { manuscript: '../x', texts: [] } })).toMatchObject({ ok: false, error: { code: 'project.bad-json' } });
      expect(await text('.liyuan/project.json')).toBe(FRESH);
      await put('<<<<<<< a\n=======\n>>>>>>> b\n');
      expect(await project.update({ title: 'x' })).toMatchObject({ ok: false, error: { code: 'project.conflict' } });
      await put('{"v":2}');
      expect(await project.update({ title: 'x' })).toMatchObject({ ok: false, error: { code: 'store.newer-version' } });
      expect(await text('.liyuan/project.json')).toBe('{"v":2}');
    }));

  it('runs one after another', () =>
    withFolder(async ({ create }) => {
      const project = value(await create());
      await Promise.all([project.update({ title: '一' }), project.update({ language: 'en' })]);
      expect(project.config).toMatchObject({ title: '一', language: 'en' });
    }));
});
