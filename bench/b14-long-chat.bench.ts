import type { CDPSession, Page } from 'playwright-core';
import type { ChatItem } from '../src/protocol/chat';
import { launchBrowser } from '../test/e2e/harness/browser';
import { buildChat, openChat, openContext, settle } from '../test/webview/support/page';
import { assistant, snapshotOf, tool, user } from '../test/webview/support/samples';
import type { Bench, BenchCase } from './framework';

const FLOORS = 5_000;
const APPENDS = 100;
/** Frames of scrolling in each direction, and how far one goes: some 6,000 px a second. */
const FRAMES = 400;
const STEP_PX = 100;

/** A floor: the author's words and a reply; each fifth with a step of the agent, each third longer. */
const floors: readonly ChatItem[] = Array.from({ length: FLOORS }, (_, n): readonly ChatItem[] => {
  const turnId = `u${n}`;
  return [
    user(turnId, `第 ${n + 1} 层：把这一段收得再安静一些。`),
    ...(n % 5 === 0 ? [tool(`c${n}`, 'read', `读了 正文/${n}.md`, { turnId, note: '第 1–42 行', result: JSON.stringify({ text: '潮水。'.repeat(200) }) })] : []),
    assistant(`r${n}`, `第 ${n + 1} 层的回答。\n\n${'雨下了一夜，他没有走，只看着檐下的水线。'.repeat(n % 3 === 0 ? 12 : 3)}\n\n> 闻钟必返。`, { turnId, reply: true }),
  ];
}).flat();

/** Runs in the page before anything of it: notes when the snapshot came and when its last row was painted. */
function notePaint(): void {
  const times: { received?: number; painted?: number } = {};
  Object.assign(window, { liyuanPaint: times });
  window.addEventListener('message', (event: MessageEvent<{ readonly body?: { readonly snapshot?: unknown } }>) => {
    if (event.data.body?.snapshot === undefined || times.received !== undefined) return;
    times.received = performance.now();
    const look = (): void => {
      const rows = document.querySelectorAll('.row:not(.row-plain)');
      const last = rows[rows.length - 1]?.getBoundingClientRect();
      const log = document.querySelector('.log')?.getBoundingClientRect();
      if (last === undefined || log === undefined || last.height === 0 || last.top > log.bottom) {
        requestAnimationFrame(look);
        return;
      }
      // What is drawn in this frame is on the screen with the task after it.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => { times.painted = performance.now(); };
        port2.postMessage(0);
      });
    };
    requestAnimationFrame(look);
  });
}

async function firstPaint(page: Page): Promise<number> {
  await page.waitForFunction(() => (window as unknown as { liyuanPaint: { painted?: number } }).liyuanPaint.painted !== undefined);
  return page.evaluate(() => {
    const { received = 0, painted = 0 } = (window as unknown as { liyuanPaint: { received?: number; painted?: number } }).liyuanPaint;
    return painted - received;
  });
}

async function layoutObjects(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'LayoutObjects')?.value ?? NaN;
}

/** Scrolls up and down again; the share of frames in which a part of the view showed no row, as it was painted. */
async function uncovered(page: Page): Promise<{ readonly share: number; readonly frames: number }> {
  return page.evaluate(
    ({ frames, step }) =>
      new Promise<{ share: number; frames: number }>((resolve) => {
        const log = document.querySelector('.log') as HTMLElement;
        let seen = 0;
        let bare = 0;
        const isBare = (): boolean => {
          const box = log.getBoundingClientRect();
          for (let y = box.top + 4; y < box.bottom - 4; y += 16) {
            const there = document.elementFromPoint(box.left + box.width / 2, y);
            const chunk = there?.closest('.chunk');
            // A chunk without a row at that place is drawn as an empty box.
            if (chunk !== null && chunk !== undefined && there?.closest('.row') === null) return true;
          }
          return false;
        };
        const frame = (): void => {
          // Before anything is changed, the page is what was painted last.
          seen += 1;
          if (isBare()) bare += 1;
          if (seen === frames * 2) {
            resolve({ share: (bare / seen) * 100, frames: seen });
            return;
          }
          log.scrollTop += seen < frames ? -step : step;
          requestAnimationFrame(frame);
        };
        log.dispatchEvent(new WheelEvent('wheel', { deltaY: -step }));
        requestAnimationFrame(frame);
      }),
    { frames: FRAMES, step: STEP_PX },
  );
}

async function furthestFromBottom(page: Page): Promise<number> {
  let furthest = 0;
  for (let n = 0; n < APPENDS; n += 1) {
    await page.evaluate((at) => {
      const { deltas } = window.liyuanHost;
      if (at === 0) deltas({ op: 'put', item: { kind: 'assistant', id: 'live', turnId: 'live', text: '', reasoning: '', state: 'streaming' } });
      deltas({ op: 'append', id: 'live', field: 'text', text: `第 ${at} 段，写着写着就长了起来。\n\n` });
    }, n);
    await settle(page);
    const px = await page.evaluate(() => {
      const log = document.querySelector('.log') as HTMLElement;
      // How far it can still go: heights are whole pixels, places are not.
      const before = log.scrollTop;
      log.scrollTop = log.scrollHeight;
      return log.scrollTop - before;
    });
    furthest = Math.max(furthest, px);
  }
  return furthest;
}

async function run(bench: Bench): Promise<void> {
  const [browser, bundle] = await Promise.all([launchBrowser(), buildChat()]);
  try {
    const context = await openContext(browser);
    await context.addInitScript(notePaint);
    const open = (): Promise<Page> => openChat(context, bundle, { snapshot: snapshotOf(floors), width: 380, height: 720 });
    await bench.absolute({
      id: 'B14a',
      name: `a chat of ${FLOORS.toLocaleString('en')} floors (${floors.length.toLocaleString('en')} rows): from the snapshot received to its end painted`,
      goalMs: 500,
      samples: 7,
      async run() {
        const page = await open();
        const ms = await firstPaint(page);
        await page.close();
        return ms;
      },
    });
    const page = await open();
    await firstPaint(page);
    const cdp = await context.newCDPSession(page);
    await cdp.send('Performance.enable');
    const objects = await layoutObjects(cdp);
    bench.figure({ id: 'B14b', name: 'layout objects then', value: objects, unit: '', goal: '≤ 1,500', ok: objects <= 1_500 });
    const furthest = await furthestFromBottom(page);
    bench.figure({ id: 'B14d', name: `from the bottom after each of ${APPENDS} appends while following, the furthest`, value: furthest, unit: 'px', goal: '0 px', ok: furthest === 0 });
    const { share, frames } = await uncovered(page);
    bench.figure({ id: 'B14c', name: `frames of scrolling (${frames}, ${STEP_PX} px each) with uncovered area`, value: share, unit: '%', goal: '≤ 1 %', ok: share <= 1 });
    bench.note(`layout objects after scrolling: ${await layoutObjects(cdp)}`);
  } finally {
    await browser.close();
  }
}

export const cases: readonly BenchCase[] = [{ id: 'B14', title: 'A long chat', run }];
