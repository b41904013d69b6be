import { describe, expect, it } from 'vitest';
import { isTurnUndone, turnVariants } from '../../../src/engine/index';
import { inShort, must, withEngine } from '../../fakes/engine-bench';
import { asks, call, createScriptedClient, says } from '../../fakes/models';

const rain = '正文/001-雨夜.md';
const book = { [rain]: '# 雨夜\n\n雨下了三天。\n门开了。\n' };
const edit = (old: string, fresh: string): ReturnType<typeof asks> => asks(call('edit', { path: rain, old, new: fresh }));

const client = (): ReturnType<typeof createScriptedClient> =>
  createScriptedClient([edit('三天', '五天'), says('一'), edit('门开了', '门关了'), says('二'), says('三')]);

describe('going back to before an earlier turn', () => {
  it('takes back what the agent did in it and after it; the author’s own words stay, and what was there is a checkpoint', () =>
    withEngine(book, client(), async ({ turn, engine, session, documents, disk, branch }) => {
      await turn('改成五天');
      await turn('门关上');
      await documents.type(rain, '# 雨夜', '# 雨夜来信');
      const [first = ''] = session.path();
      expect(must(await engine.planGoBack(session, first))).toEqual({ later: 1, files: [rain], authored: [rain] });
      expect(must(await engine.goBack(session, first, 'files-and-conversation'))).toEqual({ words: '改成五天', conflicts: [] });
      // The author had not saved: what is taken back is taken back in the buffer.
      expect(must(await documents.read(rain)).text).toBe('# 雨夜来信\n\n雨下了三天。\n门开了。\n');
      expect(await disk(rain)).toContain('门关了');
      expect([session.leaf(), inShort(branch())]).toEqual([null, []]);
      const kept = must(await engine.checkpoints.list()).filter((record) => record.author === 'user');
      const texts = await Promise.all(kept.map(async ({ id }) => new TextDecoder().decode(must(await engine.checkpoints.fileAt(id, rain)))));
      expect(texts).toContain('# 雨夜来信\n\n雨下了五天。\n门关了。\n');
      expect(session.children(null).every((id) => isTurnUndone(session, id))).toBe(true);
    }));

  it('leaves a place alone where the author has changed the same words, and says so', () =>
    withEngine(book, client(), async ({ turn, engine, session, documents }) => {
      await turn('改成五天');
      await documents.type(rain, '五天', '六天');
      expect(must(await engine.goBack(session, session.path()[0] ?? '', 'files-and-conversation')).conflicts).toHaveLength(1);
      expect(must(await documents.read(rain)).text).toContain('六天');
    }));

  it('of the conversation alone leaves every file as it is', () =>
    withEngine(book, client(), async ({ turn, engine, session, disk }) => {
      await turn('改成五天');
      const [first = ''] = session.path();
      expect(must(await engine.goBack(session, first, 'conversation')).words).toBe('改成五天');
      expect(await disk(rain)).toContain('五天');
      expect(isTurnUndone(session, first)).toBe(false);
    }));

  it('is all or nothing: where one turn cannot be taken back, files and conversation are as they were', () =>
    withEngine(book, client(), async ({ turn, engine, session, documents, disk }) => {
      await turn('改成五天');
      await turn('门关上');
      const leaf = session.leaf();
      let applied = 0;
      documents.before('apply', async () => {
        applied += 1;
        // The second turn to be taken back meets an author who types into its place at each try.
        if (applied > 1) await documents.type(rain, '\n\n', '\n\n　');
      });
      const back = await engine.goBack(session, session.path()[0] ?? '', 'files-and-conversation');
      expect(back).toMatchObject({ ok: false, error: { code: 'doc.changed' } });
      expect(session.leaf()).toBe(leaf);
      expect(await disk(rain)).toContain('门关了');
      expect(await disk(rain)).toContain('五天');
    }));

  it('is refused while a turn runs, and for a turn that is not on the branch', () =>
    withEngine(book, createScriptedClient([says('一'), says('二')]), async ({ turn, engine, session }) => {
      await turn('甲');
      const [first = ''] = session.path();
      const signal = new AbortController().signal;
      const events = engine.turns.run(session, { text: '乙' }, signal);
      expect(await engine.goBack(session, first, 'conversation')).toMatchObject({ error: { code: 'session.busy' } });
      expect(await engine.switchTurn(session, first)).toMatchObject({ error: { code: 'session.busy' } });
      for await (const event of events) void event;
      must(await engine.goBack(session, first, 'conversation'));
      expect(await engine.goBack(session, first, 'conversation')).toMatchObject({ error: { code: 'session.unknown-entry' } });
    }));

  it('keeps the way it went: both are there to be switched between, also after a restart, and no file changes', () =>
    withEngine(book, client(), async ({ turn, engine, session, branch, disk, killed }) => {
      await turn('改成五天');
      await turn('门关上');
      const [first = ''] = session.path();
      must(await engine.goBack(session, first, 'files-and-conversation'));
      await turn('换个说法');
      const second = session.path()[0] ?? '';
      expect(turnVariants(session, second)).toEqual([first, second]);
      const text = await disk(rain);
      must(await engine.switchTurn(session, first));
      expect(inShort(branch()).filter((line) => /^(user|reply)/.test(line))).toEqual(['user 改成五天', 'reply sealed 一', 'user 门关上', 'reply sealed 二']);
      expect(await disk(rain)).toBe(text);
      await killed(createScriptedClient(), async (later) => {
        expect(later.session.path()[0]).toBe(first);
        expect(turnVariants(later.session, first)).toEqual([first, second]);
      });
    }));
});

describe('going on after a reply that was not finished', () => {
  it('the half answer of a stopped reply is what the model sees before the next words', () => {
    const stop = new AbortController();
    const half = createScriptedClient([
      async function* () {
        yield { type: 'text', text: '雨一直下，' };
        stop.abort();
        yield { type: 'text', text: '不算' };
      },
      says('下到了天亮。'),
    ]);
    return withEngine(book, half, async ({ turn, branch }) => {
      await turn('写雨', stop.signal);
      expect(inShort(branch()).find((line) => line.startsWith('reply'))).toBe('reply stopped 雨一直下，');
      await turn('继续');
      expect(half.requests[1]?.messages.slice(-2)).toMatchObject([{ role: 'assistant', content: '雨一直下，' }, { role: 'user' }]);
      expect(String(half.requests[1]?.messages.at(-1)?.content)).toMatch(/继续$/);
    });
  });

  it('the half answer that the length limit cut is, too; that it was cut is kept with the reply', () => {
    const cut = createScriptedClient([
      async function* () {
        yield { type: 'text', text: '雨一直下，' };
        yield { type: 'done', reason: 'length' };
      },
      says('下到了天亮。'),
    ]);
    return withEngine(book, cut, async ({ turn, branch }) => {
      await turn('写雨');
      expect(branch().find((entry) => entry.type === 'reply')?.data).toMatchObject({ status: 'unsealed', notices: [{ code: 'model.output-limit' }] });
      await turn('继续');
      expect(cut.requests[1]?.messages.at(-2)).toMatchObject({ role: 'assistant', content: '雨一直下，' });
    });
  });

  it('that nothing was answered is kept with the reply', () =>
    withEngine(book, createScriptedClient([says('  ')]), async ({ turn, branch }) => {
      await turn('说');
      expect(branch().find((entry) => entry.type === 'reply')?.data).toMatchObject({ notices: [{ code: 'turn.no-answer' }] });
    }));
});
