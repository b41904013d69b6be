import { describe, expect, it } from 'vitest';
import { inShort, must, withEngine } from '../../fakes/engine-bench';
import { asks, call, createScriptedClient, says } from '../../fakes/models';

const book = { '正文/001-雨夜.md': '# 雨夜\n\n雨下了三天。\n门开了。\n' };
const edit = (old: string, fresh: string): ReturnType<typeof asks> => asks(call('edit', { path: '正文/001-雨夜.md', old, new: fresh }));

describe('restoring', () => {
  const client = (): ReturnType<typeof createScriptedClient> =>
    createScriptedClient([edit('三天', '五天'), says('一'), edit('五天', '七天'), says('二')]);

  it('files and conversation: both are as before the turn, its words come back', () =>
    withEngine(book, client(), async ({ turn, engine, branch, disk, documents }) => {
      await turn('改成五天');
      await turn('改成七天');
      await documents.type('正文/001-雨夜.md', '门开了。', '门开了。猫。');
      const [newest] = must(await engine.checkpoints.list());
      const restored = must(await engine.restore('files-and-conversation', newest?.id ?? ''));
      expect(restored.words).toBe('改成七天');
      expect(await disk('正文/001-雨夜.md')).toBe('# 雨夜\n\n雨下了五天。\n门开了。\n');
      expect(inShort(branch()).at(-1)).toBe('end done');
      expect(inShort(branch()).filter((line) => line.startsWith('user'))).toEqual(['user 改成五天']);
      // The author's unsaved words are in the checkpoint made before.
      const before = must(await engine.checkpoints.fileAt(restored.files?.pre ?? '', '正文/001-雨夜.md'));
      expect(new TextDecoder().decode(before)).toContain('猫');
    }));

  it('the conversation alone: files stay, the leaf survives a new opening', () =>
    withEngine(book, client(), async ({ turn, engine, session, disk }) => {
      await turn('改成五天');
      const [newest] = must(await engine.checkpoints.list());
      expect(must(await engine.restore('conversation', newest?.id ?? ''))).toEqual({ words: '改成五天', mentions: [] });
      expect(session.leaf()).toBeNull();
      expect(await disk('正文/001-雨夜.md')).toContain('五天');
      await session.close();
      expect(must(await engine.sessions.open(session.header.id)).leaf()).toBeNull();
    }));

  it('the files alone: the conversation stays', () =>
    withEngine(book, client(), async ({ turn, engine, branch, disk }) => {
      await turn('改成五天');
      const before = inShort(branch());
      const list = must(await engine.checkpoints.list());
      expect(must(await engine.restore('files', list.at(-1)?.id ?? ''))).not.toHaveProperty('words');
      expect(await disk('正文/001-雨夜.md')).toBe(book['正文/001-雨夜.md']);
      expect(inShort(branch())).toEqual(before);
    }));

  it('the conversation of a checkpoint that belongs to no turn is refused', () =>
    withEngine(book, client(), async ({ turn, engine }) => {
      await turn('改成五天');
      const list = must(await engine.checkpoints.list());
      const author = list.find((record) => record.author === 'user');
      expect(await engine.restore('conversation', author?.id ?? '')).toMatchObject({ error: { code: 'checkpoint.no-turn' } });
      expect(await engine.restore('files', 'none')).toMatchObject({ error: { code: 'checkpoint.not-found' } });
    }));

  it('while a restore runs no turn may start', () =>
    withEngine(book, client(), async ({ turn, engine, session, documents }) => {
      await turn('改成五天');
      let inside: unknown;
      documents.before('put', async () => {
        inside ??= (await turn('挤进来')).at(-1);
      });
      const list = must(await engine.checkpoints.list());
      must(await engine.restore('files', list.at(-1)?.id ?? ''));
      expect(inside).toMatchObject({ type: 'ended', error: { code: 'session.busy' } });
      expect(engine.turns.busy(session.header.id)).toBe(false);
    }));
});

describe('a turn that changes only AGENTS.md', () => {
  const files = { ...book, 'AGENTS.md': '短句。\n' };
  const client = (): ReturnType<typeof createScriptedClient> =>
    createScriptedClient([asks(call('edit', { path: 'AGENTS.md', old: '短句', new: '长句' })), says('好。'), says('还有呢？')]);

  it('ends in a checkpoint and a list of changes, and is undone', () =>
    withEngine(
      files,
      client(),
      async ({ turn, engine, session, ui, disk, branch }) => {
        ui.agree(true);
        const events = await turn('写长句');
        expect(await disk('AGENTS.md')).toBe('长句。\n');
        expect(events.find((event) => event.type === 'confirm')).toMatchObject({ path: 'AGENTS.md', change: '− 短句\n+ 长句' });
        expect(events.find((event) => event.type === 'changes')).toMatchObject({ changes: { files: [{ path: 'AGENTS.md', added: 1, removed: 1 }] } });
        expect(inShort(branch())).toContain('checkpoint agent 写长句');
        const turnOf = { sessionId: session.header.id, userEntryId: session.path()[0] ?? '' };
        expect(must(await engine.undoTurn(session, turnOf))).toMatchObject({ undone: ['AGENTS.md'], conflicts: [] });
        expect(await disk('AGENTS.md')).toBe('短句。\n');
      },
      { trusted: true },
    ));

  it('is taken back by a restore, of everything or of the one file', () =>
    withEngine(
      files,
      client(),
      async ({ turn, engine, ui, disk }) => {
        ui.agree(true);
        await turn('写长句');
        const list = must(await engine.checkpoints.list());
        must(await engine.restore('files', list.at(-1)?.id ?? ''));
        expect(await disk('AGENTS.md')).toBe('短句。\n');
        must(await engine.checkpoints.restore(list[0]?.id ?? '', { path: 'AGENTS.md' }));
        expect(await disk('AGENTS.md')).toBe('长句。\n');
      },
      { trusted: true },
    ));

  it('when it is the author’s change, is told to the agent in trusted folders only', async () => {
    for (const trusted of [true, false]) {
      const chatty = createScriptedClient([says('一'), says('二')]);
      await withEngine(
        files,
        chatty,
        async ({ turn, documents }) => {
          await turn('你好');
          await documents.type('AGENTS.md', '短句', '写秘密的长句');
          await turn('再来');
        },
        { trusted },
      );
      expect(JSON.stringify(chatty.requests.at(-1)).includes('秘密')).toBe(trusted);
    }
  });
});

describe('undoing a turn', () => {
  it('takes back the agent’s edits, keeps the author’s words, and gives the words back', () =>
    withEngine(book, createScriptedClient([edit('三天', '五天'), says('好。')]), async ({ turn, engine, session, documents }) => {
      await turn('改成五天');
      await documents.type('正文/001-雨夜.md', '门开了。', '门开了。猫。');
      const undone = must(await engine.undoTurn(session, { sessionId: session.header.id, userEntryId: session.path()[0] ?? '' }));
      expect(undone).toMatchObject({ undone: ['正文/001-雨夜.md'], conflicts: [], words: '改成五天' });
      expect(await documents.text('正文/001-雨夜.md')).toBe('# 雨夜\n\n雨下了三天。\n门开了。猫。\n');
      expect(session.leaf()).toBeNull();
    }));

  it('what save participants made of an edit belongs to the turn: to its checkpoint, and to what is taken back', () =>
    withEngine(book, createScriptedClient([edit('三天。', '五天。  '), says('好。'), says('还有呢？')]), async ({ turn, engine, session, disk, documents, branch }) => {
      documents.onSave((_, text) => text.replaceAll(/ +$/gm, '').replace(/\n*$/, '\n\n'));
      await turn('改成五天');
      await turn('再来');
      expect(await disk('正文/001-雨夜.md')).toBe('# 雨夜\n\n雨下了五天。\n门开了。\n\n');
      // The first state, then the agent's: nothing counts as the author's.
      expect(must(await engine.checkpoints.list()).map(({ author }) => author)).toEqual(['agent', 'user']);
      expect(inShort(branch()).filter((line) => line.startsWith('checkpoint'))).toEqual(['checkpoint agent 改成五天']);
      const undone = must(await engine.undoTurn(session, { sessionId: session.header.id, userEntryId: session.path()[0] ?? '' }));
      expect(undone.conflicts).toEqual([]);
      const before = must(await engine.checkpoints.list()).at(-1)?.id ?? '';
      expect(new TextDecoder().decode(must(await engine.checkpoints.fileAt(before, '正文/001-雨夜.md')))).toBe(book['正文/001-雨夜.md']);
      expect(await disk('正文/001-雨夜.md')).toContain('雨下了三天。\n门开了。\n');
    }));

  it('that changed nothing takes back the conversation alone', () =>
    withEngine(book, createScriptedClient([says('好。')]), async ({ turn, engine, session }) => {
      await turn('聊聊');
      const undone = must(await engine.undoTurn(session, { sessionId: session.header.id, userEntryId: session.path()[0] ?? '' }));
      expect(undone).toEqual({ undone: [], conflicts: [], words: '聊聊', mentions: [] });
      expect(session.leaf()).toBeNull();
    }));

  it('whose edit the author typed into while it was made lists no conflict that is none', () =>
    withEngine(book, createScriptedClient([edit('三天', '五天'), says('好。')]), async ({ turn, engine, session, documents }) => {
      const stop = documents.before('apply', async (path) => {
        stop();
        await documents.type(path, '雨下了三天', '大雨下了三天');
      });
      await turn('改成五天');
      expect(await documents.text('正文/001-雨夜.md')).toBe('# 雨夜\n\n大雨下了五天。\n门开了。\n');
      const undone = must(await engine.undoTurn(session, { sessionId: session.header.id, userEntryId: session.path()[0] ?? '' }));
      expect(undone.conflicts).toEqual([]);
      expect(await documents.text('正文/001-雨夜.md')).toBe('# 雨夜\n\n大雨下了三天。\n门开了。\n');
    }));

  it('brings a deleted chapter back and takes a new one away', () =>
    withEngine(
      book,
      createScriptedClient([
        asks(call('delete', { path: '正文/001-雨夜.md' }), call('write', { path: '正文/002-新.md', content: '新的。\n' })),
        says('好。'),
      ]),
      async ({ turn, engine, session, documents, disk }) => {
        await turn('换一章');
        expect(await documents.bytes('正文/001-雨夜.md')).toBeUndefined();
        must(await engine.undoTurn(session, { sessionId: session.header.id, userEntryId: session.path()[0] ?? '' }));
        expect(await disk('正文/001-雨夜.md')).toBe(book['正文/001-雨夜.md']);
        expect(await documents.bytes('正文/002-新.md')).toBeUndefined();
      },
    ));
});
