import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEngine } from '../../../src/engine/compose';
import type { Engine } from '../../../src/engine/engine';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { createFakeClock } from '../../fakes/clock';
import { ASSETS, collect, must, withEngine } from '../../fakes/engine-bench';
import { createFakeIds } from '../../fakes/ids';
import { createMemoryLog } from '../../fakes/log';
import { createMemoryDocuments } from '../../fakes/memory-documents';
import { asks, call, createScriptedClient, modelsWith, says, type ScriptedAnswer } from '../../fakes/models';
import { createFakeUi } from '../../fakes/ui';

const one = '正文/001-雨夜.md';
const two = '正文/002-来信.md';
const book = { [one]: '# 雨夜\n\n雨下了三天三夜。\n', [two]: '# 来信\n\n信到了他的手里。\n' };
const edit = (...edits: [string, string, string][]): ScriptedAnswer => asks(call('edit', { edits: edits.map(([path, old, fresh]) => ({ path, old, new: fresh })) }));
const review = { apply: () => 'review' as const };

async function secondWindow(root: string): Promise<Engine> {
  const ports = { files: createNodeFiles(root), documents: createMemoryDocuments({ root }), models: modelsWith(createScriptedClient()), clock: createFakeClock(), ids: createFakeIds(5), log: createMemoryLog(), ui: createFakeUi() };
  return must(await createEngine({ ports, assets: ASSETS, trusted: () => false, apply: () => 'review' }));
}

describe('proposals', () => {
  it('keep the words that the author wrote into them in another window since', () =>
    withEngine(book, createScriptedClient([edit([one, '三天', '五天']), says('好。'), edit([two, '他的手', '她的手']), says('好。')]), async (bench) => {
      await bench.turn('一');
      await bench.session.close();
      const other = await secondWindow(bench.root);
      must(await other.review.load());
      must(await other.review.setText(other.review.pending()[0]?.id ?? '', '# 雨夜\n\n雨下了五天，作者自己的话。\n'));
      await other.dispose();
      const again = must(await bench.engine.sessions.open(bench.session.header.id));
      await collect(bench.engine.turns.run(again, { text: '二' }, new AbortController().signal));
      expect(bench.engine.review.pending().map(({ path, text }) => [path, text])).toEqual([
        [one, '# 雨夜\n\n雨下了五天，作者自己的话。\n'],
        [two, '# 来信\n\n信到了她的手里。\n'],
      ]);
    }, review));

  it('accepted together and killed before one stood: what the author writes there next is the author’s', () =>
    withEngine(book, createScriptedClient([edit([one, '三天', '五天'], [two, '他的手', '她的手']), says('好。')]), async (bench) => {
      await bench.turn('一');
      let authors: readonly string[] = [];
      bench.documents.before('apply', () =>
        bench.killed(createScriptedClient(), async (next) => {
          await writeFile(join(next.root, one), '# 雨夜\n\n作者重写了这一章，雨停了。\n');
          must(await next.engine.checkpoints.take({ author: 'user' }));
          authors = must(await next.engine.checkpoints.list()).map(({ author }) => author);
          must(await next.engine.review.load());
          expect(next.engine.review.pending()).toHaveLength(2);
        }),
      );
      must(await bench.engine.review.accept(bench.engine.review.pending().map(({ id }) => id)));
      expect(authors).toEqual(['user', 'user']);
    }, review));
});
