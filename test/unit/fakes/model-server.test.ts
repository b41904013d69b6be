import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import type { Answer, JsonScript, Script } from '../../fakes/model-server/script';
import type { ModelServer } from '../../fakes/model-server/server';
import { startModelServer } from '../../fakes/model-server/server';
import { withTempFolder } from '../../fakes/temp-folder';

async function withServer(script: Script, f: (server: ModelServer) => Promise<void>): Promise<void> {
  const server = await startModelServer({ script });
  try {
    await f(server);
  } finally {
    await server.close();
  }
}

async function ask(baseUrl: string, ...messages: readonly (readonly [string, string])[]): Promise<string> {
  const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body: JSON.stringify({ messages: messages.map(([role, content]) => ({ role, content })) }) });
  const body = (await response.json()) as { readonly choices?: readonly { readonly message: { readonly content: string } }[] };
  return body.choices?.[0]?.message.content ?? String(response.status);
}

const say = (text: string): Answer => ({ text });

describe('scripts', () => {
  it('answers in order, then says that there is nothing left', async () => {
    await withServer([say('一'), say('二')], async ({ baseUrl }) => {
      expect([await ask(baseUrl, ['user', 'x']), await ask(baseUrl, ['user', 'x']), await ask(baseUrl, ['user', 'x'])]).toEqual(['一', '二', '500']);
    });
  });

  it('answers by turn, by round and by words; a rule may serve a number of times', async () => {
    const script: JsonScript = {
      rules: [
        { turn: 1, round: 2, answer: say('第一轮第二次') },
        { turn: 2, answer: say('第二轮') },
        { words: '读', times: 1, answer: say('读了') },
      ],
      otherwise: say('别的'),
    };
    await withServer(script, async ({ baseUrl }) => {
      expect(await ask(baseUrl, ['user', '读'])).toBe('读了');
      expect(await ask(baseUrl, ['user', '读'])).toBe('别的');
      expect(await ask(baseUrl, ['user', '读'], ['assistant', ''], ['tool', ''])).toBe('第一轮第二次');
      expect(await ask(baseUrl, ['user', '一'], ['assistant', '好'], ['user', '二'])).toBe('第二轮');
    });
  });

  it('answers by a function of the request, and can be given another while it runs', async () => {
    await withServer((request, n) => say(`${String(n)}:${request.body?.messages?.at(-1)?.content as string}`), async (server) => {
      expect(await ask(server.baseUrl, ['user', '甲'])).toBe('1:甲');
      server.script([say('新')]);
      expect(await ask(server.baseUrl, ['user', '乙'])).toBe('新');
      expect(server.requests.map((request) => request.raw)).toEqual(['{"messages":[{"role":"user","content":"甲"}]}', '{"messages":[{"role":"user","content":"乙"}]}']);
    });
  });

  it('a script that throws is an answer of 500, not a hang', async () => {
    await withServer(
      () => {
        throw new Error('oops');
      },
      async ({ baseUrl }) => {
        expect(await ask(baseUrl, ['user', 'x'])).toBe('500');
      },
    );
  });
});

it('sends at an even pace and tells when each piece left', async () => {
  await withServer([{ text: '一二三四五六七八', chunkSize: 1, everyMs: 15 }], async (server) => {
    const before = Date.now();
    const response = await fetch(`${server.baseUrl}/chat/completions`, { method: 'POST', body: JSON.stringify({ stream: true, messages: [] }) });
    const events = (await response.text()).trim().split('\n\n');
    const sent = server.sent(1);
    expect(sent).toHaveLength(events.length);
    // The pace is counted from the first piece: none is early (a timer may round down by a millisecond), and lateness does not add up.
    sent.forEach((at, index) => expect(at - (sent[0] ?? 0)).toBeGreaterThan(index * 15 - 2));
    expect(sent[0]).toBeGreaterThan(before - 2);
    expect(await (await fetch(`${server.origin}/control/sent/1`)).json()).toEqual(sent);
    expect(await (await fetch(`${server.origin}/control/sent/2`)).json()).toEqual([]);
  });
});

it('runs as a process of its own with a JSON script, and takes a new one over HTTP', async () => {
  await withTempFolder(async (folder) => {
    const file = join(folder, 'script.json');
    await writeFile(file, JSON.stringify({ answers: [say('好')] }));
    const child = spawn(process.execPath, ['test/fakes/model-server/run.mjs', '--script', file, '--models', 'a,b'], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
      const { origin, baseUrl } = JSON.parse(line) as { readonly origin: string; readonly baseUrl: string };
      expect(await ask(baseUrl, ['user', 'x'])).toBe('好');
      await fetch(`${origin}/control/script`, { method: 'PUT', body: JSON.stringify([say('换了')]) });
      expect(await ask(baseUrl, ['user', 'y'])).toBe('换了');
      expect(await (await fetch(`${origin}/control/requests`)).json()).toMatchObject([{ turn: 1, round: 1 }, { turn: 1 }]);
      expect(await (await fetch(`${baseUrl}/models`)).json()).toMatchObject({ data: [{ id: 'a' }, { id: 'b' }] });
    } finally {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    }
  });
});
