import { describe, expect, it } from 'vitest';
import { createRehearsalClient } from '../../../src/engine/model/rehearsal';
import type { EngineBench } from '../../fakes/engine-bench';
import { inShort, withEngine } from '../../fakes/engine-bench';
import { createFakeClock } from '../../fakes/clock';
import { must } from '../manuscript/world';

const book = {
  '大纲/大纲.md': '# 总纲\n\n## 第一卷\n\n- 第一章 雨夜：来信\n- 第二章 来信：出门\n- 第三章：过桥\n',
  '正文/第一卷/001-雨夜.md': '---\nstatus: 定稿\n---\n# 第一章 雨夜\n\n雨下了三天。\n',
  '正文/第一卷/002-来信.md': '# 第二章 来信\n\n信到了。\n\n他把门带上，<!-- 注：太快 -->走了。\n',
};

const rehearsal = (language: 'zh' | 'en' = 'zh'): ReturnType<typeof createRehearsalClient> => {
  const clock = createFakeClock();
  return createRehearsalClient({ language, clock: { ...clock, after: (_, f) => (queueMicrotask(f), () => undefined) } });
};

async function run(bench: EngineBench): Promise<void> {
  for await (const event of bench.engine.turns.run(bench.session, { text: '写下一章（第 3 章）', task: { kind: 'next-chapter' } }, new AbortController().signal)) {
    if (event.type === 'ended') expect(event.status).not.toBe('error');
  }
}

describe('「下一章」', () => {
  it('asks first, with different ways to go, then writes at the right place', () =>
    withEngine(book, rehearsal(), async (bench) => {
      bench.ui.answer({ kind: 'answer', text: '两个人在桥上碰见', by: 'text' });
      await run(bench);
      const [asked] = bench.ui.asked;
      expect(new Set(asked?.options).size).toBe(3);
      const chapter = await bench.disk('正文/第一卷/003-排练.md');
      expect(chapter).toMatch(/^# 第三章 排练\n/);
      expect(chapter).toContain('排练模型写的');
      expect(chapter).toContain('两个人在桥上碰见');
      expect(inShort(bench.branch()).at(-1)).toBe('end done');
    }));

  it('writes nothing when the question is stopped', () =>
    withEngine(book, rehearsal(), async (bench) => {
      bench.ui.answer({ kind: 'stopped' });
      await run(bench);
      expect((await bench.documents.list('正文')).length).toBe(2);
      expect(inShort(bench.branch()).at(-1)).toMatch(/^end /);
    }));

  it('gives the model the outline, the latest titles, the end of the last chapter, and what to do; frozen, and out of the words', () =>
    withEngine(book, rehearsal(), async (bench) => {
      bench.ui.answer({ kind: 'stopped' });
      await run(bench);
      const user = bench.branch().find((entry) => entry.type === 'user');
      const context = bench.branch().find((entry) => entry.type === 'context');
      if (user?.type !== 'user' || context?.type !== 'context') throw new Error('no turn');
      expect(user.data).toEqual({ text: '写下一章（第 3 章）', task: { kind: 'next-chapter' } });
      const sent = Buffer.from(must(await bench.engine.objects.get(context.data.sha))).toString();
      expect(sent).toContain('【大纲】大纲/大纲.md\n# 总纲');
      expect(sent).toContain('【最近几章】\n第一章 雨夜　正文/第一卷/001-雨夜.md\n第二章 来信');
      expect(sent).toContain('【上一章的结尾】正文/第一卷/002-来信.md\n# 第二章 来信\n\n信到了。\n\n他把门带上，走了。');
      expect(sent).toContain('`正文/第一卷/003-〔章名〕.md`');
      expect(sent).toContain('`# 第三章 〔章名〕`');
      expect(context.data.blocks.map(({ kind }) => kind)).toEqual(['material', 'material', 'material', 'outline', 'task']);
    }));

  it('goes on after its host has died with the question open', () =>
    withEngine(book, rehearsal(), async (bench) => {
      const stop = new AbortController();
      const asked = bench.ui.waiting();
      const events = bench.engine.turns.run(bench.session, { text: '写下一章（第 3 章）', task: { kind: 'next-chapter' } }, stop.signal);
      void (async () => { for await (const event of events) void event; })();
      await asked;
      await bench.killed(rehearsal(), async (again) => {
        again.ui.answer({ kind: 'answer', text: '过桥', by: 'text' });
        for await (const event of again.engine.turns.resume(again.session, new AbortController().signal)) void event;
        expect(await again.disk('正文/第一卷/003-排练.md')).toContain('过桥');
      });
    }));

  it('begins a book that has no chapter and no outline yet', () =>
    withEngine({}, rehearsal('en'), async (bench) => {
      bench.ui.answer({ kind: 'answer', text: 'A storm', by: 'text' });
      await run(bench);
      expect(await bench.disk('正文/001-Rehearsal.md')).toContain('A storm');
    }, { language: 'en' }));
});
