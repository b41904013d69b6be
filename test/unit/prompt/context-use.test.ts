import { describe, expect, it } from 'vitest';
import { contextUse } from '../../../src/engine/prompt/context-use';
import type { TraceBlock, TraceLine } from '../../../src/engine/prompt/trace-schema';
import type { ModelEvent } from '../../../src/engine/ports/models';
import { lastUsage, sessionUsage } from '../../../src/engine/session/usage';
import { must, withEngine } from '../../fakes/engine-bench';
import { asks, call, createScriptedClient, says } from '../../fakes/models';

const rain = '正文/001-雨夜.md';
const book = { [rain]: '# 雨夜\n\n雨下了三天。\n' };
const block = (m: number, role: TraceBlock['role'], kind: string, tokens: number): TraceBlock => ({ m, role, kind, title: kind, source: kind, tokens });

describe('what a call was made of', () => {
  it('is told by part: what stands in the system message and is no rule is material, other blocks before the words are the state', () => {
    const line = { ts: 5, model: 'm', blocks: [block(0, 'system', 'rules', 10), block(0, 'system', 'lore', 4), block(0, 'system', 'facts', 3), block(1, 'user', 'history', 7), block(2, 'assistant', 'history', 2), block(3, 'user', 'outline', 6), block(3, 'user', 'author-changes', 1), block(3, 'user', 'words', 9)] } as unknown as TraceLine;
    expect(contextUse(line, 40)).toEqual({
      ts: 5,
      model: 'm',
      parts: [
        { part: 'rules', tokens: 10 },
        { part: 'material', tokens: 4 },
        { part: 'facts', tokens: 3 },
        { part: 'tools', tokens: 40 },
        { part: 'history', tokens: 9 },
        { part: 'state', tokens: 7 },
        { part: 'words', tokens: 9 },
      ],
    });
  });

  it('is told in the model’s own tokens once they are known', () => {
    const line = { ts: 5, model: 'm', blocks: [block(0, 'system', 'rules', 10), block(1, 'user', 'words', 5)] } as unknown as TraceLine;
    expect(contextUse(line, 0, { factor: 0.8, learned: true })).toEqual({ ts: 5, model: 'm', calibrated: true, parts: [{ part: 'rules', tokens: 8 }, { part: 'words', tokens: 4 }] });
    expect(contextUse(line, 0, { factor: 1.3, learned: false })).toEqual({ ts: 5, model: 'm', parts: [{ part: 'rules', tokens: 13 }, { part: 'words', tokens: 7 }] });
  });

  it('is read from the trace of the newest call, tools counted as they were sent; nothing before the first', () =>
    withEngine(book, createScriptedClient([asks(call('read', { path: rain })), says('好。'), says('再见。')]), async ({ engine, session, turn }) => {
      expect(must(await engine.contextUse(session.header.id))).toBeUndefined();
      await turn('看第一章');
      await turn('再说一句');
      const use = must(await engine.contextUse(session.header.id));
      expect(use?.parts.map(({ part }) => part)).toEqual(['rules', 'facts', 'tools', 'history', 'state', 'words']);
      expect(use?.parts.find(({ part }) => part === 'words')?.tokens).toBeLessThan(10);
      expect(use?.parts.find(({ part }) => part === 'tools')?.tokens).toBeGreaterThan(300);
    }));
});

describe('what a session has used', () => {
  it('is known to be an estimate where the service gave no figures', () => {
    const estimate: ModelEvent = { type: 'usage', usage: { input: 9, output: 2, estimated: true } };
    return withEngine(book, createScriptedClient([[{ type: 'text', text: '好。' }, estimate, { type: 'done', reason: 'stop' }]]), async ({ session, turn }) => {
      await turn('一');
      expect(lastUsage(session)).toEqual({ input: 9, cached: 0, output: 2, estimated: true });
    });
  });

  it('is all calls in all, on other branches too, and by turn on the branch, newest first', () =>
    withEngine(book, createScriptedClient([asks(call('read', { path: rain })), says('好。'), says('二。'), says('三。')]), async ({ engine, session, turn }) => {
      expect(sessionUsage(session)).toEqual({ total: { input: 0, cached: 0, output: 0, calls: 0 }, turns: [] });
      expect(lastUsage(session)).toBeUndefined();
      await turn('一');
      await turn('二');
      const second = session.path().filter((id) => session.stub(id)?.type === 'user')[1] ?? '';
      must(await engine.goBack(session, second, 'conversation'));
      await turn('三');
      const one = { input: 100, cached: 0, output: 10 };
      const { total, turns } = sessionUsage(session);
      // The scripted model counts no tokens of a call that asks for tools.
      expect(total).toEqual({ input: 300, cached: 0, output: 30, calls: 3 });
      expect(turns.map(({ turnId, calls }) => [session.path().indexOf(turnId) > 0, calls])).toEqual([[true, 1], [false, 1]]);
      expect(turns[0]).toMatchObject(one);
      expect(lastUsage(session)).toEqual(one);
    }));
});
