import * as z from 'zod';
import type { Chapter } from '../manuscript/manuscript';
import { ok } from '../ports/result';
import { readFrontMatter } from '../text/front-matter';
import { findNotes } from '../text/notes';
import { notFound, readablePath, tidyPath } from './paths';
import type { Receipt, Tool, ToolContext } from './tool';

const schema = z.object({ path: z.string().optional(), start: z.int().min(1).optional() });

const ENVELOPE = 400;

/**
 * `{chapters:[{path, title, words, notes?, headings?, frontMatter?}], of, words, rest?}` in order; `of` chapters with `words` in all,
 * `notes` how many open notes of the author,
 * `headings` those below the title, with their `#` marks. A long list goes on from `rest.start`.
 */
export const outlineTool: Tool<typeof schema> = {
  name: 'outline',
  schema,
  reads: true,
  async run(args, context) {
    const tidy = tidyPath(args.path ?? '');
    const under = tidy === '' || tidy === '.' ? ok('') : readablePath(tidy, context);
    if (!under.ok) return under;
    const all = await context.manuscript.chapters();
    if (!all.ok) return all;
    const chapters = all.value.filter(({ path }) => under.value === '' || path === under.value || path.startsWith(`${under.value}/`));
    if (chapters.length === 0 && all.value.length > 0) return notFound(under.value, { code: 'doc.not-found' }, context);

    const start = args.start ?? 1;
    const shown: Receipt[] = [];
    let room = context.resultLimit - ENVELOPE;
    for (const chapter of chapters.slice(start - 1)) {
      if (context.signal.aborted) break;
      const line = await lineOf(chapter, context);
      room -= JSON.stringify(line).length + 1;
      if (room < 0 && shown.length > 0) break;
      shown.push(line);
    }
    const next = start + shown.length;
    return ok({
      receipt: {
        chapters: shown,
        of: chapters.length,
        words: chapters.reduce((sum, { words }) => sum + words, 0),
        ...(next <= chapters.length ? { rest: { start: next } } : {}),
      },
    });
  },
};

async function lineOf(chapter: Chapter, context: ToolContext): Promise<Receipt> {
  const { path, title, words } = chapter;
  const live = await context.documents.read(path);
  if (!live.ok) return { path, title, words, unread: live.error.code };
  const headings = headingsOf(live.value.text).filter((heading) => heading !== `# ${title}`);
  const frontMatter = readFrontMatter(live.value.text);
  const notes = findNotes(live.value.text).length;
  return {
    path,
    title,
    words,
    ...(notes === 0 ? {} : { notes }),
    ...(headings.length === 0 ? {} : { headings }),
    ...(frontMatter === undefined ? {} : { frontMatter: frontMatter.data ?? { problem: frontMatter.problem } }),
  };
}

/** ATX headings outside fenced code. */
function headingsOf(text: string): readonly string[] {
  const headings: string[] = [];
  let fence: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) fence = fence === undefined ? mark : undefined;
    else if (fence === undefined && /^ {0,3}#{1,6}[ \t]+\S/.test(line)) headings.push(line.trim().replace(/[ \t]+#+$/, ''));
  }
  return headings;
}
