import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeOf, must, turn, withWorld, type World } from './world';

const PATH = '正文/a.md';

type Step =
  | { readonly kind: 'author' | 'agent'; readonly what: 'insert' | 'replace' | 'remove'; readonly at: number; readonly lines: number; readonly cut: 'no' | 'applied' | 'announced' }
  | { readonly kind: 'take' | 'end' | 'wait' };

const change = (kind: 'author' | 'agent'): fc.Arbitrary<Step> =>
  fc.record({
    kind: fc.constant(kind),
    what: fc.constantFrom('insert', 'replace', 'remove'),
    at: fc.nat(9),
    lines: fc.integer({ min: 1, max: 3 }),
    cut: kind === 'author' ? fc.constant('no' as const) : fc.constantFrom('no', 'no', 'applied', 'announced'),
  });
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: change('author') },
    { weight: 4, arbitrary: change('agent') },
    { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('take' as const, 'end' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const) }) },
  ),
  { minLength: 4, maxLength: 18 },
);

const takenBackInWordsOnly: Step[] = [
  { kind: 'agent', what: 'insert', at: 0, lines: 1, cut: 'no' },
  { kind: 'author', what: 'insert', at: 0, lines: 1, cut: 'no' },
  { kind: 'agent', what: 'insert', at: 0, lines: 2, cut: 'no' },
  { kind: 'agent', what: 'remove', at: 0, lines: 2, cut: 'announced' },
];

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');
/** No character stands in two lines: whose words are whose can be told apart, as far as anything can be. */
const lineOf = (nth: number): string => Array.from({ length: 8 }, (_, i) => String.fromCodePoint(0x4e00 + nth * 8 + i)).join('');
const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** What each checkpoint holds, in the order they were taken. */
async function states(world: World): Promise<readonly { readonly id: string; readonly author: string; readonly lines: readonly string[] }[]> {
  const records = [...must(await world.checkpoints.list())].reverse();
  return Promise.all(
    records.map(async ({ id, author }) => ({ id, author, lines: linesOf(Buffer.from(must(await world.checkpoints.fileAt(id, PATH)) ?? []).toString()) })),
  );
}

describe('checkpoints of an author and an agent who write into one chapter, whose host may be killed at any point', () => {
  it('hold only lines that somebody wrote, each once, and never the agent’s words as the author’s', { timeout: 120_000 }, () =>
    fc.assert(
      fc.asyncProperty(steps, (given) =>
        withWorld(async (first) => {
          let world = first;
          let nth = 0;
          let turns = 1;
          /** Lines that stood at some time, and whose they are; what was announced and never written is in neither. */
          const authors = new Set<string>([0, 1, 2, 3].map(lineOf));
          const agents = new Set<string>();
          const credited = new Set<string>();
          let seen = 0;
          let live: readonly string[] = [...authors];
          await world.write(PATH, textOf(live));
          must(await world.checkpoints.take({ author: 'user', message: '起' }));

          const check = async (): Promise<void> => {
            const all = await states(world);
            for (const { author, lines } of all.slice(seen)) {
              const known = author === 'user' ? (line: string): boolean => authors.has(line) || credited.has(line) : (line: string): boolean => authors.has(line) || agents.has(line);
              expect(lines.filter((line) => !known(line)), `a record of the ${author} holds what is not theirs`).toEqual([]);
              expect(lines, 'a line twice').toEqual([...new Set(lines)]);
              if (author === 'agent') for (const line of lines) if (agents.has(line)) credited.add(line);
            }
            seen = all.length;
            expect(all.at(-1)?.lines, 'the newest checkpoint holds what stands').toEqual(live);
          };

          for (const step of given) {
            switch (step.kind) {
              case 'wait':
                world.clock.advance(70_000);
                break;
              case 'take':
                must(await world.checkpoints.take({ author: 'user', message: '取' }));
                await check();
                break;
              case 'end':
                must(await world.checkpoints.endTurn(turn(turns), '改', false));
                turns += 1;
                await check();
                break;
              case 'author':
              case 'agent': {
                nth += 1;
                world.clock.advance(1_000);
                const fresh = step.what === 'remove' ? [] : Array.from({ length: step.lines }, (_, i) => lineOf(nth * 4 + i));
                const at = step.at % (live.length + 1);
                const next = [...live.slice(0, at), ...fresh, ...live.slice(step.what === 'insert' ? at : at + step.lines)];
                if (step.kind === 'author') {
                  fresh.forEach((line) => authors.add(line));
                  await world.write(PATH, textOf(next));
                  live = next;
                  break;
                }
                const journal = world.checkpoints.journal(turn(turns));
                must(await journal.record({ path: PATH, before: Buffer.from(textOf(live)), after: Buffer.from(textOf(next)) }));
                if (step.cut !== 'announced') {
                  fresh.forEach((line) => agents.add(line));
                  await world.write(PATH, textOf(next));
                  live = next;
                }
                if (step.cut === 'no') await journal.settled();
                else {
                  world = world.reopen();
                  turns += 1;
                }
                break;
              }
            }
          }
          expect(codeOf(await world.checkpoints.take({ author: 'user', message: '终' }))).toBe('ok');
          await check();
        }),
      ),
      // What takes an edit back exactly, and was announced only, has taken nothing back.
      { numRuns: 80, examples: [[takenBackInWordsOnly]] },
    ));
});
