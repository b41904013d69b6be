import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createProjectRules } from '../../src/engine/project/rules';
import type { TurnJournal } from '../../src/engine/manuscript/checkpoints';
import type { Manuscript } from '../../src/engine/manuscript/manuscript';
import { ok } from '../../src/engine/ports/result';
import { countWords } from '../../src/engine/text/count-words';
import { compareNatural } from '../../src/engine/text/natural-order';
import { titleOf } from '../../src/engine/text/titles';
import { checkArguments } from '../../src/engine/tools/arguments';
import { errorReceipt } from '../../src/engine/tools/receipts';
import { createRegexSearch } from '../../src/engine/tools/regex-search';
import type { Receipt, SeenTexts, Tool, ToolContext } from '../../src/engine/tools/tool';
import type { FakeClock } from './clock';
import { createFakeClock } from './clock';
import type { MemoryDocuments } from './memory-documents';
import { createMemoryDocuments } from './memory-documents';
import { withTempFolder } from './temp-folder';
import type { FakeUi } from './ui';
import { createFakeUi } from './ui';

/** One edit as the journal got it, as text. */
export interface JournalledEdit {
  readonly path: string;
  readonly from?: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface ToolBench {
  readonly documents: MemoryDocuments;
  readonly ui: FakeUi;
  readonly clock: FakeClock;
  readonly journalled: readonly JournalledEdit[];
  readonly context: ToolContext;
  /** Runs a tool as the loop would, on arguments as the model gives them; its receipt, also when it fails. */
  run(tool: Tool, args: Readonly<Record<string, unknown>>): Promise<Receipt>;
  /** The file's bytes as UTF-8, or as `encoding` bytes. */
  text(path: string): Promise<string>;
}

export interface BenchOptions {
  readonly resultLimit?: number;
  readonly trusted?: boolean;
  readonly signal?: AbortSignal;
}

/** A small project in a temp folder (`files`: path → text or bytes), with everything a tool may touch. */
export function withToolBench<T>(
  files: Readonly<Record<string, string | Uint8Array>>,
  f: (bench: ToolBench) => Promise<T>,
  options: BenchOptions = {},
): Promise<T> {
  return withTempFolder(async (root) => {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    }
    const documents = createMemoryDocuments({ root });
    const ui = createFakeUi();
    const clock = createFakeClock();
    const journalled: JournalledEdit[] = [];
    const context: ToolContext = {
      documents,
      manuscript: manuscriptOver(documents),
      rules: createProjectRules({ v: 1, title: '', language: 'zh', folders: { manuscript: '正文', texts: ['设定'] } }),
      journal: journalInto(journalled),
      ui,
      trusted: options.trusted ?? false,
      seen: seenTexts(),
      regexSearch: createRegexSearch({ clock }),
      callId: 'c1',
      resultLimit: options.resultLimit ?? 30_000,
      signal: options.signal ?? new AbortController().signal,
    };
    return f({
      documents,
      ui,
      clock,
      journalled,
      context,
      async run(tool, args) {
        const checked = checkArguments(tool, args);
        if (!checked.ok) return errorReceipt(checked.error);
        const outcome = await tool.run(checked.value, context);
        return outcome.ok ? outcome.value.receipt : errorReceipt(outcome.error);
      },
      text: (path) => documents.text(path),
    });
  });
}

function journalInto(edits: JournalledEdit[]): TurnJournal {
  const text = (bytes: Uint8Array | null): string | null => (bytes === null ? null : new TextDecoder().decode(bytes));
  return {
    record({ path, from, before, after }) {
      edits.push({ path, ...(from === undefined ? {} : { from }), before: text(before), after: text(after) });
      return Promise.resolve(ok(undefined));
    },
    edits: () => [],
    locate: (path) => Promise.resolve(ok(path)),
  };
}

function seenTexts(): SeenTexts {
  const texts = new Map<string, string>();
  return {
    get: (path) => texts.get(path),
    note: (path, text) => void texts.set(path, text),
    forget: (path) => void texts.delete(path),
  };
}

function manuscriptOver(documents: MemoryDocuments): Manuscript {
  return {
    folder: '正文',
    async chapter(path) {
      const all = await this.chapters();
      return all.ok ? { ok: true, value: all.value.find((chapter) => chapter.path === path) } : all;
    },
    async chapters() {
      const files = (await documents.list('正文')).filter(({ path }) => path.endsWith('.md'));
      const chapters = await Promise.all(
        files.map(async ({ path, mtime }) => {
          const text = await documents.text(path);
          return {
            path,
            volume: path.split('/').slice(1, -1).join('/'),
            title: titleOf(path, text),
            words: countWords(text),
            mtime,
            dirty: documents.isDirty(path),
          };
        }),
      );
      return ok(chapters.sort((a, b) => compareNatural(a.path, b.path)));
    },
  };
}
