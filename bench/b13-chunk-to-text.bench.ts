import type { Browser, Frame, Page } from 'playwright-core';
import type { Context } from '../test/e2e/harness/context';
import { buildChat, openChat } from '../test/webview/support/page';
import { assistant, idle, snapshotOf, user } from '../test/webview/support/samples';
import { feedPage, startModelProcess, type ModelProcess } from './chunk-feeds';
import { calibrate, median, p95, referenceCalibrationMs, type Bench, type BenchCase } from './framework';
import { packExtension } from './packed';
import { marker, watchedText, watchText, type Watched } from './visible-text';
import { loadNow, withWorkbenches } from './workbenches';

const rounds = 3;
/** Of one round; at this interval they are 100 a second. */
const chunks = 600;
const everyMs = 10;
/** Before the first round, not counted. */
const warmUp = 150;
const goalMs = 50;
/** How long a chunk may take before it counts as lost. */
const lostMs = 20_000;

const words = '雨下了一夜他没有走她问从哪里来说不出话只看着檐下的水线一滴落进青石缝里账房先生拨算盘把最后笔盐税记册子合上箱盖';

/** Eight characters with its number in them; every twentieth begins a paragraph, as chapters have them. */
function chunkText(n: number): string {
  const at = (n * 3) % (words.length - 3);
  return (n % 20 === 19 ? '。\n\n' : words.slice(at, at + 3)) + marker(n);
}

const chunkTexts = (first: number, count: number): readonly string[] => Array.from({ length: count }, (_, index) => chunkText(first + index));

interface Round {
  /** When each chunk was sent, ms since the epoch. */
  readonly sent: readonly number[];
  readonly watched: Watched;
}

/** Streams the chunks from `first` on and tells when they were sent and seen. */
type Run = (first: number, count: number) => Promise<Round>;

async function inWorkbench(context: Context, model: ModelProcess, vsix: string): Promise<Run> {
  const workbench = await context.open({
    vsix,
    settings: { 'liyuan.model.baseUrl': model.baseUrl, 'liyuan.model.name': 'fake' },
    env: { LIYUAN_API_KEY: 'sk-of-the-bench' },
  });
  await workbench.container('梨园');
  const frame = await workbench.webview('liyuan-chat');
  const box = frame.locator('textarea.composer-box');
  await box.waitFor({ state: 'visible' });
  let requests = 0;
  return async (first, count) => {
    const texts = chunkTexts(first, count);
    await model.script([{ text: texts.join(''), chunkSize: 8, everyMs }]);
    requests += 1;
    await box.fill('接着写');
    await watchText(frame, '.log', first, count);
    await box.press('Enter');
    const watched = await watchedText(frame, count * everyMs + lostMs);
    await frame.locator('.round-button.stop').waitFor({ state: 'detached' });
    await refuseOtherText(frame, texts);
    // The first event tells the role alone.
    return { sent: (await model.sent(requests)).slice(1, 1 + count), watched };
  };
}

/** The newest reply must be what was sent: every chunk once, in order. */
async function refuseOtherText(where: Frame | Page, texts: readonly string[]): Promise<void> {
  const shown = await where.locator('.row-assistant').last().locator('.md').innerText();
  const bare = (text: string): string => text.replace(/\s+/g, '');
  if (bare(shown) !== bare(texts.join(''))) throw new Error(`another text is shown than was sent: ${shown.slice(-200)}`);
}

/** The chat app in plain Chromium, each chunk given to it as the host would, without VS Code and the extension. */
async function appAlone(browser: Browser): Promise<Run> {
  const profile = await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce' });
  const snapshot = snapshotOf([user('u0', '接着写')], { status: { ...idle, phase: 'generating' } });
  const page = await openChat(profile, await buildChat(), { snapshot, width: 300, height: 720, theme: 'light' });
  return async (first, count) => {
    const texts = chunkTexts(first, count);
    const id = `r${first}`;
    const reply = assistant(id, '', { state: 'streaming' });
    await page.evaluate((item) => { window.liyuanHost.deltas({ op: 'put', item }); }, reply);
    await watchText(page, '.log', first, count);
    const sent = await feedPage(page, 'chat app', texts, everyMs, id);
    const watched = await watchedText(page, lostMs);
    await refuseOtherText(page, texts);
    return { sent, watched };
  };
}

/** Next to nothing: text appended to a page in the next frame. What Chromium itself takes. */
async function barePage(browser: Browser): Promise<Run> {
  const page = await browser.newPage({ viewport: { width: 300, height: 720 } });
  await page.setContent('<main class="log" style="height: 700px; overflow: auto"><div style="white-space: pre-wrap"></div></main>');
  return async (first, count) => {
    await watchText(page, '.log', first, count);
    const sent = await feedPage(page, 'bare page', chunkTexts(first, count), everyMs, '');
    return { sent, watched: await watchedText(page, lostMs) };
  };
}

interface Sums {
  readonly latencies: readonly number[];
  readonly lost: number;
  readonly max: number;
}

function sums(done: readonly Round[]): Sums {
  const all = done.flatMap(({ sent, watched }) => watched.painted.map((at, index) => (at === 0 ? undefined : at - (sent[index] ?? NaN))));
  const latencies = all.filter((ms) => ms !== undefined);
  if (latencies.some(Number.isNaN)) throw new Error('a chunk was seen that was not sent');
  return { latencies, lost: all.length - latencies.length, max: Math.max(...latencies) };
}

const tell = (values: readonly number[]): string => `${median(values).toFixed(1)} / ${p95(values).toFixed(1)} / ${Math.max(...values).toFixed(1)}`;

/** Where the time goes, for who wants to make it less. */
function explain(bench: Bench, name: string, done: readonly Round[]): void {
  const parts = (of: (round: Round, index: number) => readonly [from: number | undefined, to: number | undefined]): readonly number[] =>
    done.flatMap((round) => round.sent.map((_, index) => of(round, index)).flatMap(([from = 0, to = 0]) => (from === 0 || to === 0 ? [] : [to - from])));
  const arrival = parts(({ sent, watched }, index) => [sent[index], watched.arrived[index]]);
  const toDom = parts(({ watched }, index) => [watched.arrived[index], watched.inDom[index]]);
  const toPaint = parts(({ watched }, index) => [watched.inDom[index], watched.painted[index]]);
  const seconds = done.reduce((sum, { sent }) => sum + ((sent.at(-1) ?? 0) - (sent[0] ?? 0)) / 1000, 0);
  const frames = done.reduce((sum, { watched }) => sum + watched.frames, 0);
  bench.note(
    [
      `${name}: whole ${tell(sums(done).latencies)} (p50 / p95 / max, ms)`,
      ...(arrival.length === 0 ? [] : [`sent → message ${tell(arrival)}`, `message → DOM ${tell(toDom)}`]),
      `DOM → painted ${tell(toPaint)}`,
      `${((done.length * (chunks - 1)) / seconds).toFixed(1)} chunks/s`,
      `${(frames / seconds).toFixed(0)} frames/s, longest ${Math.max(...done.map(({ watched }) => watched.longestFrameMs)).toFixed(0)} ms`,
      `never further than ${Math.max(...done.map(({ watched }) => watched.farthestPx)).toFixed(0)} px from the end`,
    ].join('; '),
  );
}

async function run(bench: Bench): Promise<void> {
  const { file } = await packExtension(bench.folder());
  const model = await startModelProcess();
  try {
    await withWorkbenches('bench-b13', async (context, browser) => {
      const sides = [await inWorkbench(context, model, file), await appAlone(browser), await barePage(browser)] as const;
      for (const side of sides) await side(9000, warmUp);
      const done: readonly [Round[], Round[], Round[]] = [[], [], []];
      const loops = [calibrate()];
      bench.note(loadNow());
      for (let round = 0; round < rounds; round += 1) {
        for (const [place, side] of sides.entries()) done[place]?.push(await side(round * chunks, chunks));
        loops.push(calibrate());
      }
      bench.note(loadNow());
      for (const [place, name] of ['in VS Code', 'the chat app alone', 'a bare page'].entries()) explain(bench, name, done[place] ?? []);
      addRows(bench, done, median(loops) / referenceCalibrationMs);
    });
  } finally {
    await model.stop();
  }
}

function addRows(bench: Bench, done: readonly [readonly Round[], readonly Round[], readonly Round[]], speed: number): void {
  const [product, app, bare] = [sums(done[0]), sums(done[1]), sums(done[2])];
  // Most of it is waiting for frames, which a faster machine does not shorten.
  const scale = Math.max(1, speed);
  const what = 'chunk sent by the provider → painted in the webview, 100 chunks/s';
  const reported = { unit: 'ms', goal: 'reported', ok: true };
  const value = p95(product.latencies);
  const baseline = p95(app.latencies);
  bench.figure({
    id: 'B13a',
    name: `${what}: p95`,
    value,
    unit: 'ms',
    baseline,
    baselineName: 'the chat app alone in plain Chromium',
    ratio: value / baseline,
    goal: `≤ ${goalMs} ms (× ${scale.toFixed(2)} for this machine)`,
    ok: value <= goalMs * scale,
  });
  bench.figure({ ...reported, id: 'B13b', name: 'the same: p50', value: median(product.latencies), baseline: median(app.latencies), baselineName: 'the chat app alone in plain Chromium' });
  bench.figure({ ...reported, id: 'B13c', name: 'the same: max', value: product.max, baseline: app.max, baselineName: 'the chat app alone in plain Chromium' });
  bench.figure({ id: 'B13d', name: `chunks dropped of ${rounds * chunks}`, value: product.lost, unit: '', goal: '0', ok: product.lost === 0 });
  bench.figure({ ...reported, id: 'B13e', name: 'calibration: text appended to a bare page, p95', value: p95(bare.latencies) });
}

export const cases: readonly BenchCase[] = [{ id: 'B13', title: 'From the provider to the eye', run }];
