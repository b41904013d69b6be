import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Manuscript } from '../../../src/engine/manuscript/manuscript';
import { createRehearsalClient } from '../../../src/engine/model/rehearsal';
import type { ModelCall, ModelMessage } from '../../../src/engine/ports/models';
import { ok } from '../../../src/engine/ports/result';
import { createProjectRules } from '../../../src/engine/project/rules';
import { countWords } from '../../../src/engine/text/count-words';
import { compareNatural } from '../../../src/engine/text/natural-order';
import { titleOf } from '../../../src/engine/text/titles';
import { errorReceipt } from '../../../src/engine/tools/receipts';
import { agentTools } from '../../../src/engine/tools/registry';
import type { ToolContext } from '../../../src/engine/tools/tool';
import { createFakeClock } from '../../fakes/clock';
import type { MemoryDocuments } from '../../fakes/memory-documents';
import { createMemoryDocuments } from '../../fakes/memory-documents';
import { withTempFolder } from '../../fakes/temp-folder';

/** What one turn on the stage came to. */
export interface Played {
  /** Calls as `name args`, in order. */
  readonly calls: readonly string[];
  /** Texts of the assistant messages, in order. */
  readonly texts: readonly string[];
  /** The last text. */
  readonly reply: string;
  text(path: string): Promise<string>;
  readonly documents: MemoryDocuments;
}

export interface Scene {
  readonly files: Readonly<Record<string, string>>;
  readonly words: string;
  readonly language?: 'zh' | 'en';
  /** Answers the question of `ask`; undefined stops. */
  readonly answer?: (question: string, options: readonly string[]) => string | undefined;
}

/** Plays one turn of the rehearsal model with the real tools on real files; the loop is the test's own. */
export async function play(scene: Scene, check: (played: Played) => Promise<void>): Promise<void> {
  await withTempFolder(async (root) => {
    for (const [path, text] of Object.entries(scene.files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    const documents = createMemoryDocuments({ root });
    const set = agentTools({ tools: {} });
    const client = createRehearsalClient({ language: scene.language ?? 'zh', clock: createFakeClock(), pieceMs: 0 });
    const messages: ModelMessage[] = [
      { role: 'system', content: '# 这个项目\n\n- 书名：雾\n- 正文：`正文/`' },
      { role: 'user', content: `【正文目录】\n正文/ 共 2 个文件\n\n${scene.words}` },
    ];
    const calls: string[] = [];
    const texts: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      let text = '';
      const made: ModelCall[] = [];
      for await (const event of client.stream({ messages, tools: set.specs }, new AbortController().signal)) {
        if (event.type === 'text') text += event.text;
        if (event.type === 'toolCall') made.push({ callId: event.callId, name: event.name, args: event.args });
      }
      texts.push(text);
      messages.push({ role: 'assistant', content: text, ...(made.length === 0 ? {} : { calls: made }) });
      if (made.length === 0) break;
      for (const call of made) {
        calls.push(`${call.name} ${call.args}`);
        const receipt = await run(call, contextOf(documents, scene, call.callId), set);
        messages.push({ role: 'tool', callId: call.callId, name: call.name, content: JSON.stringify(receipt) });
      }
    }
    await check({ calls, texts, reply: texts.at(-1) ?? '', text: async (path) => documents.text(path), documents });
  });
}

async function run(call: ModelCall, context: ToolContext, set: ReturnType<typeof agentTools>): Promise<unknown> {
  const tool = set.get(call.name);
  if (tool === undefined) throw new Error(`no such tool: ${call.name}`);
  const args: unknown = tool.schema.parse(tool.prepare === undefined ? JSON.parse(call.args) : tool.prepare(JSON.parse(call.args)));
  const outcome = await tool.run(args, context);
  return outcome.ok ? outcome.value.receipt : errorReceipt(outcome.error);
}

function contextOf(documents: MemoryDocuments, scene: Scene, callId: string): ToolContext {
  const rules = createProjectRules({ v: 1, title: '雾', language: 'zh', folders: { manuscript: '正文', texts: ['设定', '世界书', '角色卡'] } });
  const seen = new Map<string, string>();
  return {
    documents,
    manuscript: manuscriptOf(documents),
    rules,
    journal: { record: async () => Promise.resolve(ok(undefined)), edits: () => [], locate: (path) => Promise.resolve(ok(path)) },
    ui: {
      ask: async ({ question, options }) => {
        const answer = scene.answer?.(question, options);
        return Promise.resolve(answer === undefined ? { kind: 'stopped' } : { kind: 'answer', text: answer, by: 'option' });
      },
      confirm: async () => Promise.resolve(false),
    },
    trusted: true,
    seen: { get: (path) => seen.get(path), note: (path, text) => void seen.set(path, text), forget: (path) => void seen.delete(path) },
    regexSearch: async () => Promise.resolve(ok({ hits: [], total: 0 })),
    callId,
    resultLimit: 12_000,
    signal: new AbortController().signal,
  };
}

function manuscriptOf(documents: MemoryDocuments): Manuscript {
  return {
    folder: '正文',
    async chapter(path) {
      const all = await this.chapters();
      return all.ok ? { ok: true, value: all.value.find((chapter) => chapter.path === path) } : all;
    },
    async chapters() {
      const files = [...(await documents.list('正文'))].sort((a, b) => compareNatural(a.path, b.path));
      return ok(
        await Promise.all(
          files.map(async ({ path, mtime }) => {
            const text = await documents.text(path);
            return { path, volume: '', title: titleOf(path, text), words: countWords(text), mtime, dirty: false };
          }),
        ),
      );
    },
  };
}
