import type { ModelClient, ModelMessage, ModelRequest } from '../src/engine/ports/models';
import { canonicalMessage, canonicalRequest, canonicalTools, sharedBytes } from '../src/engine/prompt/canonical';
import { at } from '../scripts/lib/paths.mjs';
import { withEngine } from '../test/fakes/engine-bench';
import { asks, call, createScriptedClient, says, type ScriptedAnswer } from '../test/fakes/models';
import { sampleNovelFiles } from '../test/fakes/sample-novel';
import type { Bench, BenchCase } from './framework';
import { rewrites } from './rewrites';

const TURNS = 30;
const SLACK = 1024;

const bytesOf = (text: string): number => Buffer.byteLength(text);
const bytesOfAll = (messages: readonly ModelMessage[]): number => messages.reduce((sum, message) => sum + bytesOf(canonicalMessage(message)), 0);

interface Step {
  readonly within: boolean;
  /** Bytes of `{tools, messages}` that the request before does not begin with. */
  readonly fresh: number;
  readonly allowed: number;
  readonly bytes: number;
  readonly shared: number;
}

/** What each request shares with the one before it. `turnsAt`: the requests that begin a turn. */
function steps(requests: readonly ModelRequest[], turnsAt: ReadonlySet<number>): readonly Step[] {
  const sent = requests.map((request) => Buffer.from(canonicalRequest(request.messages, canonicalTools(request.tools ?? []))));
  return requests.slice(1).map(({ messages }, index) => {
    const n = index + 1;
    const [before, now] = [sent[n - 1] ?? Buffer.alloc(0), sent[n] ?? Buffer.alloc(0)];
    const shared = sharedBytes(before, now);
    const within = !turnsAt.has(n);
    // Within a turn one step is new: what the model asked for and what it got. Between turns the last exchange: the reply before, and the
    // author's words with the data blocks before them. Counted from the end, so that a change further up costs more than is allowed.
    const lastStep = messages.length - messages.findLastIndex((message) => message.role === 'assistant');
    return { within, fresh: now.length - shared, allowed: bytesOfAll(messages.slice(within ? -lastStep : -2)) + SLACK, bytes: now.length, shared };
  });
}

async function run(bench: Bench): Promise<void> {
  const files = sampleNovelFiles();
  const changes = rewrites(files, TURNS);
  const script = changes.flatMap(({ chapter, old, fresh }, turn): readonly ScriptedAnswer[] => {
    const look = turn % 3 === 0 ? [asks(call('outline', {}))] : turn % 3 === 1 ? [asks(call('grep', { pattern: '雨' }))] : [];
    return [...look, asks(call('read', { path: chapter })), asks(call('edit', { path: chapter, old, new: fresh })), says('改好了，这一句收得更稳。'.repeat(1 + (turn % 4)))];
  });
  const client = createScriptedClient(script, { window: 1_000_000 });
  const turnsAt = new Set<number>();
  await withEngine(files, client satisfies ModelClient, async ({ turn, documents }) => {
    for (let n = 0; n < TURNS; n += 1) {
      turnsAt.add(client.requests.length);
      const ended = (await turn(`第${n + 1}轮：读一章，把开头一句改得更稳。`)).find((event) => event.type === 'ended');
      if (ended?.type !== 'ended' || ended.status !== 'done') throw new Error(`turn ${n + 1} did not end well`);
      // The author writes too, so that data blocks differ from turn to turn.
      if (n % 4 === 2) await documents.type(changes[0]?.chapter ?? '', '\n', `\n作者在第${n + 1}轮后添的一句。\n`);
    }
  }, { assets: at('assets') });

  const all = steps(client.requests, turnsAt);
  for (const [id, name, some] of [
    ['B10a', `agent, ${TURNS} turns: calls whose bytes not shared with the call before are ≤ last exchange + data blocks + 1 KB, between turns`, all.filter((step) => !step.within)],
    ['B10b', 'the same within a turn: ≤ last step + 1 KB', all.filter((step) => step.within)],
  ] as const) {
    const good = some.filter((step) => step.fresh <= step.allowed).length;
    const value = (good / some.length) * 100;
    bench.figure({ id, name: `${name} (${some.length} calls)`, value, unit: '%', goal: '100 %', ok: some.length > 0 && good === some.length });
    bench.note(`${id}: largest ${Math.max(...some.map((step) => step.fresh))} bytes new; furthest from its limit ${Math.max(...some.map((step) => step.fresh - step.allowed))} bytes`);
  }
  const total = all.reduce((sum, { bytes }) => sum + bytes, 0);
  bench.note(`shared with the call before: ${((all.reduce((sum, { shared }) => sum + shared, 0) / total) * 100).toFixed(1)} % of ${(total / 1_000_000).toFixed(1)} MB in ${all.length + 1} calls`);
}

export const cases: readonly BenchCase[] = [{ id: 'B10', title: 'What a prompt shares with the one before it', run }];
