import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createCheckpoints } from '../src/engine/manuscript/create-checkpoints';
import type { Documents } from '../src/engine/ports/documents';
import { ok, refuse } from '../src/engine/ports/result';
import type { Checkpoints } from '../src/engine/manuscript/checkpoints';
import { createProjectRules } from '../src/engine/project/rules';
import { createNodeFiles } from '../src/engine/store/node-files';
import { createObjectStore } from '../src/engine/store/object-store';
import { sha256Hex } from '../src/engine/text/hash';
import { createMemoryLog } from '../test/fakes/log';

export const chapterCount = 500;

const words = '雨下了一夜他没有走她问从哪里来说不出话只看着檐下的水线一滴落进青石缝里账房先生拨算盘把最后笔盐税记册子合上箱盖';

/** A chapter of 4,000 字, different for each `n` and `version`. */
export function chapterText(n: number, version: number): string {
  let seed = n * 7_919 + 1;
  const paragraphs: string[] = [`# 第${n}章`, `第 ${version} 稿。`];
  for (let at = 0; at < 40; at += 1) {
    let line = '';
    for (let word = 0; word < 98; word += 1) {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      line += words[(seed >> 8) % words.length] ?? '';
    }
    paragraphs.push(`${line}。`);
  }
  return `${paragraphs.join('\n\n')}\n`;
}

const fileOf = (n: number): string => `正文/第${Math.floor(n / 50) + 1}卷/${String(n).padStart(4, '0')}.md`;

/** The same chapters in a folder of ours and in a git repository. */
export interface ChapterFolder {
  readonly root: string;
  write(n: number, version: number): void;
}

export function chapterFolder(root: string): ChapterFolder {
  const write = (n: number, version: number): void => {
    const file = path.join(root, fileOf(n));
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, chapterText(n, version));
  };
  for (let n = 0; n < chapterCount; n += 1) write(n, 0);
  return { root, write };
}

/** The part of the port that checkpoints use, over files with no editor open: the engine's share alone. */
function plainDocuments(root: string): Documents {
  const unused = (): never => {
    throw new Error('not part of this measurement');
  };
  const absolute = (file: string): string => path.join(root, file);
  const standing = (file: string): string | null => (fs.existsSync(absolute(file)) ? sha256Hex(fs.readFileSync(absolute(file))) : null);
  return {
    dirty: () => [],
    bytes: async (file) => (fs.existsSync(absolute(file)) ? fs.readFileSync(absolute(file)) : undefined),
    put: async (file, bytes, over) => {
      if (over !== undefined && standing(file) !== over) return refuse('doc.changed', { path: file });
      // As git does it: the old file goes, a new one is made. Cutting a file to nothing and filling it again costs ext4 four times as much.
      if (fs.existsSync(absolute(file))) fs.unlinkSync(absolute(file));
      else fs.mkdirSync(path.dirname(absolute(file)), { recursive: true });
      fs.writeFileSync(absolute(file), bytes, { flag: 'wx' });
      return ok(undefined);
    },
    delete: async (file, over) => {
      if (over !== undefined && standing(file) !== over) return refuse('doc.changed', { path: file });
      fs.unlinkSync(absolute(file));
      return ok(undefined);
    },
    read: unused,
    encode: unused,
    decode: unused,
    beneath: unused,
    list: unused,
    apply: unused,
    create: unused,
    rename: unused,
    watch: unused,
  };
}

export function openCheckpoints(root: string): Checkpoints {
  const files = createNodeFiles(root);
  const log = createMemoryLog();
  let id = 0;
  const ids = { next: () => `${Date.now().toString(16).padStart(12, '0')}-${(id += 1).toString(16).padStart(8, '0')}` };
  const clock = {
    now: () => Date.now(),
    after: (ms: number, f: () => void) => {
      const timer = setTimeout(f, ms);
      return () => clearTimeout(timer);
    },
  };
  return createCheckpoints({
    files,
    objects: createObjectStore({ files, ids, log, clock }),
    documents: plainDocuments(root),
    rules: createProjectRules({ v: 1, title: '长篇', language: 'zh', folders: { manuscript: '正文', texts: [] } }),
    clock,
    ids,
    log,
  });
}

export function git(root: string, ...args: string[]): void {
  const ran = spawnSync('git', args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
  if (ran.status !== 0) throw new Error(`git ${args.join(' ')}: ${String(ran.stderr)}`);
}

export function gitRepository(root: string): void {
  git(root, 'init', '-q');
  for (const [key, value] of [['user.name', 'bench'], ['user.email', 'bench@example.org'], ['gc.auto', '0'], ['core.autocrlf', 'false']]) {
    git(root, 'config', key ?? '', value ?? '');
  }
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', '0');
}

/** Answers whether there is a git to measure against. */
export function gitVersion(): string {
  return execFileSync('git', ['--version'], { encoding: 'utf8' }).trim();
}

export async function must<T>(result: Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: { readonly code: string } }>): Promise<T> {
  const settled = await result;
  if (!settled.ok) throw new Error(settled.error.code);
  return settled.value;
}

/**
 * Time stamps older than two seconds are trusted: what was just written in bulk would be hashed again. What the other side left to be
 * written goes to the disk first, else the next fsync would pay for it.
 */
export const settle = (): Promise<void> => {
  spawnSync('sync');
  return new Promise((resolve) => setTimeout(resolve, 2_200));
};
