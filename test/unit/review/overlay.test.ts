import { describe, expect, it } from 'vitest';
import { createOverlay } from '../../../src/engine/review/overlay';
import type { ReviewState } from '../../../src/engine/review/proposal';
import { dropTurns, emptyReview, pendingOf, propose, tweaked } from '../../../src/engine/review/state';
import { kindOf } from '../../../src/engine/review/proposal';
import { ok } from '../../../src/engine/ports/result';
import { deleteTool } from '../../../src/engine/tools/delete';
import { editTool } from '../../../src/engine/tools/edit';
import { grepTool } from '../../../src/engine/tools/grep';
import { listTool } from '../../../src/engine/tools/list';
import { readTool } from '../../../src/engine/tools/read';
import { renameTool } from '../../../src/engine/tools/rename';
import type { Receipt, Tool } from '../../../src/engine/tools/tool';
import { writeTool } from '../../../src/engine/tools/write';
import { withToolBench, type ToolBench } from '../../fakes/tool-context';

const one = '正文/001-雨夜.md';
const two = '正文/002-来信.md';
const book = { [one]: '# 雨夜\n\n雨下了三天。门开了。\n', [two]: '# 来信\n\n信到了。\n' };

interface Desk {
  readonly bench: ToolBench;
  run(tool: Tool, args: Readonly<Record<string, unknown>>): Promise<Receipt>;
  turn: string;
  state: ReviewState;
  /** What waits, in short. */
  waiting(): readonly string[];
}

/** The tools of a turn over proposals, in memory. */
const withDesk = (f: (desk: Desk) => Promise<void>): Promise<void> =>
  withToolBench(book, async (bench) => {
    let count = 0;
    const desk: Desk = {
      bench,
      turn: 't1',
      state: emptyReview('s'),
      waiting: () => pendingOf(desk.state).map((p) => `${kindOf(p)} ${p.from === null || p.from === p.path ? '' : `${p.from} → `}${p.path}: ${p.text ?? '–'}`),
      async run(tool, args) {
        const documents = createOverlay({
          documents: bench.documents,
          pending: () => pendingOf(desk.state),
          record: (edits) => {
            desk.state = propose(desk.state, desk.turn, edits, { id: () => `p${(count += 1)}`, now: 1 });
            return Promise.resolve(ok(undefined));
          },
        });
        const outcome = await tool.run(args, { ...bench.context, documents, proposes: true });
        return outcome.ok ? outcome.value.receipt : { error: outcome.error.code, ...outcome.error.args };
      },
    };
    await f(desk);
    // Whatever was proposed: no file of the author’s has changed.
    expect(await bench.text(one)).toBe(desk.bench.documents.isDirty(one) ? await bench.text(one) : book[one]);
    expect(await bench.text(two)).toBe(book[two]);
    expect(bench.documents.calls).toMatchObject({ apply: 0, create: 0, rename: 0, delete: 0, put: 0 });
  });

const edit = (path: string, old: string, fresh: string): Readonly<Record<string, unknown>> => ({ edits: [{ path, old, new: fresh }] });

describe('what the agent proposes', () => {
  it('is what it reads, lists, searches and edits from then on; the receipt says that it is proposed', () =>
    withDesk(async (desk) => {
      expect(await desk.run(editTool, edit(one, '三天', '五天'))).toMatchObject({ proposed: true, files: [{ path: one }] });
      expect(await desk.run(readTool, { path: one })).toMatchObject({ text: '# 雨夜\n\n雨下了五天。门开了。\n' });
      expect(await desk.run(editTool, edit(one, '五天', '七天'))).toMatchObject({ proposed: true });
      expect(await desk.run(grepTool, { pattern: '七天' })).toMatchObject({ lines: 1 });
      expect(await desk.run(grepTool, { pattern: '三天' })).toMatchObject({ lines: 0 });
      expect(await desk.run(editTool, edit(one, '三天', '八天'))).toMatchObject({ error: 'edit.no-match' });
      expect(desk.waiting()).toEqual([`modify ${one}: # 雨夜\n\n雨下了七天。门开了。\n`]);
    }));

  it('a file under another name is read and edited there, and is gone where it was', () =>
    withDesk(async (desk) => {
      const to = '正文/001-雨停.md';
      expect(await desk.run(renameTool, { from: one, to })).toMatchObject({ done: 'renamed', proposed: true });
      expect(await desk.run(readTool, { path: one })).toMatchObject({ error: 'doc.not-found' });
      expect(await desk.run(editTool, edit(to, '三天', '五天'))).toMatchObject({ proposed: true });
      expect(desk.waiting()).toEqual([`rename ${one} → ${to}: # 雨夜\n\n雨下了五天。门开了。\n`]);
      expect(await desk.run(renameTool, { from: two, to })).toMatchObject({ error: 'doc.exists' });
      expect(await desk.run(renameTool, { from: to, to: one })).toMatchObject({ done: 'renamed' });
      expect(desk.waiting()).toEqual([`modify ${one}: # 雨夜\n\n雨下了五天。门开了。\n`]);
    }));

  it('a new file that is deleted again is nothing; so is an edit that is taken back', () =>
    withDesk(async (desk) => {
      const three = '正文/003-渡口.md';
      expect(await desk.run(writeTool, { path: three, content: '# 渡口\n' })).toMatchObject({ done: 'created', proposed: true });
      const listed = await desk.run(listTool, { path: '正文' });
      expect(JSON.stringify(listed)).toContain(three);
      expect(await desk.run(deleteTool, { path: three })).toMatchObject({ done: 'deleted', proposed: true });
      await desk.run(editTool, edit(one, '三天', '五天'));
      await desk.run(editTool, edit(one, '五天', '三天'));
      expect(desk.waiting()).toEqual([]);
    }));

  it('a deleted file that is written anew is a changed one', () =>
    withDesk(async (desk) => {
      await desk.run(deleteTool, { path: two });
      expect(desk.waiting()).toEqual([`delete ${two}: –`]);
      expect(await desk.run(readTool, { path: two })).toMatchObject({ error: 'doc.not-found' });
      await desk.run(writeTool, { path: two, content: '# 来信\n\n没有信。\n' });
      expect(desk.waiting()).toEqual([`modify ${two}: # 来信\n\n没有信。\n`]);
    }));

  it('grows with what the author types; where both changed the same words, the author’s stand', () =>
    withDesk(async (desk) => {
      await desk.run(editTool, edit(one, '三天', '五天'));
      await desk.bench.documents.type(one, '门开了。', '门开了。猫叫了一声。');
      expect(await desk.run(readTool, { path: one })).toMatchObject({ text: '# 雨夜\n\n雨下了五天。门开了。猫叫了一声。\n' });
      await desk.bench.documents.type(one, '三天', '两夜');
      expect(await desk.run(readTool, { path: one })).toMatchObject({ text: '# 雨夜\n\n雨下了两夜。门开了。猫叫了一声。\n' });
    }));

  it('the author’s words in it are kept when the agent goes on, and stay told apart from the agent’s', () =>
    withDesk(async (desk) => {
      await desk.run(editTool, edit(one, '三天', '五天'));
      const [first] = pendingOf(desk.state);
      if (first === undefined) throw new Error('nothing waits');
      desk.state = tweaked(desk.state, first, '# 雨夜\n\n雨下了五天五夜。门开了。\n');
      desk.turn = 't2';
      await desk.run(editTool, edit(one, '门开了', '门关了'));
      const [now] = pendingOf(desk.state);
      expect(now?.text).toBe('# 雨夜\n\n雨下了五天五夜。门关了。\n');
      expect(now?.agent).toBe('# 雨夜\n\n雨下了五天。门关了。\n');
    }));

  it('a turn that is taken back takes its own part out and leaves the others’', () =>
    withDesk(async (desk) => {
      await desk.run(editTool, edit(one, '三天', '五天'));
      desk.turn = 't2';
      await desk.run(editTool, edit(one, '门开了', '门关了'));
      await desk.run(writeTool, { path: '正文/003-渡口.md', content: '船。\n' });
      const both = desk.state;
      desk.state = dropTurns(both, new Set(['t2']));
      expect(desk.waiting()).toEqual([`modify ${one}: # 雨夜\n\n雨下了五天。门开了。\n`]);
      desk.state = dropTurns(both, new Set(['t1']));
      expect(desk.waiting()[0]).toBe(`modify ${one}: # 雨夜\n\n雨下了三天。门关了。\n`);
      desk.state = dropTurns(both, new Set(['t1', 't2']));
      expect(desk.waiting()).toEqual([]);
    }));
});
