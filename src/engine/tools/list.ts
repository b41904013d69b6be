import * as z from 'zod';
import type { ListedFile } from '../ports/documents';
import { ok, refuse } from '../ports/result';
import { compareNatural } from '../text/natural-order';
import { readablePath, tidyPath } from './paths';
import { fitting } from './receipts';
import type { Receipt, Tool, ToolContext } from './tool';

const schema = z.object({ path: z.string().optional(), start: z.int().min(1).optional() });

/**
 * `{path, entries, of, rest?}`: sub-folders (`path` ends in `/`, with the files below) then files (字 for chapters, else bytes),
 * each in natural order. Without a path: the project's folders. A long list goes on from `rest.start`.
 */
export const listTool: Tool<typeof schema> = {
  name: 'list',
  schema,
  reads: true,
  async run(args, context) {
    const tidy = tidyPath(args.path ?? '');
    const top = tidy === '' || tidy === '.';
    const path = top ? ok('') : readablePath(tidy, context);
    if (!path.ok) return path;
    const entries = top ? await folders(context) : await inside(path.value, context);
    if (entries === undefined) return refuse('doc.not-found', { path: path.value });
    const start = args.start ?? 1;
    const wanted = entries.slice(start - 1);
    const shown = fitting(wanted, context.resultLimit);
    return ok({
      receipt: {
        path: top ? '' : `${path.value}/`,
        entries: wanted.slice(0, shown),
        of: entries.length,
        ...(shown < wanted.length ? { rest: { start: start + shown } } : {}),
      },
    });
  },
};

async function folders(context: ToolContext): Promise<readonly Receipt[]> {
  return Promise.all(
    context.rules.roots.map(async (root) => ({ path: `${root}/`, files: (await context.documents.list(root)).length })),
  );
}

async function inside(folder: string, context: ToolContext): Promise<readonly Receipt[] | undefined> {
  const files = await context.documents.list(folder);
  if (files.length === 0 && !context.rules.roots.includes(folder)) return undefined;
  const words = await chapterWords(folder, context);
  const below = new Map<string, number>();
  const here: ListedFile[] = [];
  for (const file of files) {
    const rest = file.path.slice(folder.length + 1);
    const slash = rest.indexOf('/');
    if (slash === -1) here.push(file);
    else below.set(rest.slice(0, slash), (below.get(rest.slice(0, slash)) ?? 0) + 1);
  }
  return [
    ...[...below]
      .sort(([a], [b]) => compareNatural(a, b))
      .map(([name, count]) => ({ path: `${folder}/${name}/`, files: count })),
    ...here
      .sort((a, b) => compareNatural(a.path, b.path))
      .map(({ path, size }) => (words.has(path) ? { path, words: words.get(path) } : { path, bytes: size })),
  ];
}

async function chapterWords(folder: string, context: ToolContext): Promise<ReadonlyMap<string, number>> {
  const { manuscript } = context;
  if (folder !== manuscript.folder && !folder.startsWith(`${manuscript.folder}/`)) return new Map();
  const chapters = await manuscript.chapters();
  return new Map(chapters.ok ? chapters.value.map((chapter) => [chapter.path, chapter.words]) : []);
}
