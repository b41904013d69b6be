import fs from 'node:fs';
import path from 'node:path';
import type { Files } from '../src/engine/ports/files';
import type { Session, Sessions } from '../src/engine/session/session';
import { createSessions } from '../src/engine/session/sessions';
import { createNodeFiles } from '../src/engine/store/node-files';

/** Sessions made by hand for the benches: the same messages in our form and in that of others. */

const SENTENCES = [
  '雨下了一夜，盐渡的石阶上泛着白。',
  '他把信折好，又拆开，终于还是没有寄出去。',
  '“你来得太迟了。”她说，声音里听不出喜怒。',
  '巷子尽头的灯笼晃了两下，灭了。',
  '船家不肯再往前，说前面的水是咸的。',
];

/** Text of about `bytes` UTF-8 bytes, different for each `n`. */
export function proseOf(n: number, bytes: number): string {
  let text = `${n}。`;
  for (let i = n; Buffer.byteLength(text) < bytes; i += 1) text += SENTENCES[i % SENTENCES.length] ?? '';
  return text;
}

/** Ascending like real UUIDv7: `n` stands where the time does. */
export const idOf = (n: number): string => {
  const hex = n.toString(16).padStart(8, '0');
  return `019b${hex.slice(0, 4)}-${hex.slice(4)}-7000-8000-${n.toString(16).padStart(12, '0')}`;
};

export const SESSION_ID = idOf(0xfffff);
const START = 1_767_225_600_000;

/** User words of 200 bytes and replies of 1,800: with what stands around them 26 MB in 20,000 messages. */
const textOf = (message: number): string => proseOf(message, message % 2 === 0 ? 200 : 1800);

export interface Written {
  readonly path: string;
  readonly bytes: number;
  readonly entries: number;
}

/** A session of ours with `messages` messages, a ledger patch and an end in each turn. */
export function writeOurs(root: string, messages: number): Written {
  const lines = [JSON.stringify({ v: 1, type: 'session', id: SESSION_ID, kind: 'roleplay', title: '雨夜', createdAt: START })];
  let parentId: string | null = null;
  let n = 0;
  const add = (type: string, data: unknown): string => {
    const id = idOf(n);
    lines.push(JSON.stringify({ id, parentId, ts: START + n * 1000, type, data }));
    parentId = id;
    n += 1;
    return id;
  };
  for (let message = 0; message < messages; message += 2) {
    add('user', { text: textOf(message) });
    const reply = add('reply', { text: textOf(message + 1), model: 'bench', status: 'sealed', usage: { input: 1000, output: 500 } });
    add('state', { op: 'patch', for: reply, patch: { time: `第${message}日`, location: '盐渡' }, by: 'scribe', applied: ['time', 'location'], warnings: [] });
    add('end', { status: 'done' });
  }
  const file = path.join(root, '.liyuan/sessions', `${SESSION_ID}.jsonl`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `${lines.join('\n')}\n`);
  return { path: file, bytes: fs.statSync(file).size, entries: n };
}

/** The same messages as `@mariozechner/pi-coding-agent` keeps them. */
export function writePi(root: string, messages: number): Written {
  const lines = [JSON.stringify({ type: 'session', version: 3, id: SESSION_ID, timestamp: new Date(START).toISOString(), cwd: root })];
  let parentId: string | null = null;
  for (let n = 0; n < messages; n += 1) {
    const id = idOf(n);
    const timestamp = START + n * 1000;
    const content = [{ type: 'text', text: textOf(n) }];
    const message =
      n % 2 === 0
        ? { role: 'user', content, timestamp }
        : { role: 'assistant', content, api: 'openai-completions', provider: 'bench', model: 'bench', usage: { input: 1000, output: 500, totalTokens: 1500 }, stopReason: 'stop', timestamp };
    lines.push(JSON.stringify({ type: 'message', id, parentId, timestamp: new Date(timestamp).toISOString(), message }));
    parentId = id;
  }
  const file = path.join(root, 'pi.jsonl');
  fs.writeFileSync(file, `${lines.join('\n')}\n`);
  return { path: file, bytes: fs.statSync(file).size, entries: messages };
}

const quiet = (): void => undefined;
const log = { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet };

/** Sessions over a folder; ids go on from where the written ones end. */
export function sessionsIn(root: string, files: Files = createNodeFiles(root)): Sessions {
  let n = 0x80000;
  return createSessions({
    files,
    clock: { now: () => Date.now(), after: () => quiet },
    ids: { next: () => idOf((n += 1)) },
    log,
    machine: 'bench',
  });
}

export async function openOurs(root: string): Promise<Session> {
  const session = await sessionsIn(root).open(SESSION_ID);
  if (!session.ok) throw new Error(session.error.code);
  return session.value;
}
