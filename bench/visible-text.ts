import type { Frame, Page } from 'playwright-core';

/** When the markers of a text came to be seen, each in ms since the epoch by the machine's clock; 0: never. */
export interface Watched {
  /** The message that brought it arrived in the page. Nothing in a page without messages. */
  readonly arrived: readonly number[];
  /** It stood in the DOM. */
  readonly inDom: readonly number[];
  /** The frame in which it stood there had been laid out and painted. */
  readonly painted: readonly number[];
  /** Frames while it was watched, and the longest time between two, ms. */
  readonly frames: number;
  readonly longestFrameMs: number;
  /** Greatest distance of the view's lower edge from the end of its content after a paint, px. */
  readonly farthestPx: number;
}

interface Watching {
  done(): boolean;
  result(): Watched;
}

declare global {
  interface Window {
    liyuanWatching?: Watching;
  }
}

/** `#0042`: stands in a streamed text once, to be found again on the other side. */
export const marker = (n: number): string => `#${String(n).padStart(4, '0')}`;

/** Begins to watch `selector`, a scrolling element, for the markers `first` … `first + count - 1`, which come in this order. */
export async function watchText(where: Page | Frame, selector: string, first: number, count: number): Promise<void> {
  await where.evaluate(watchInPage, { selector, first, count });
}

/** Resolves when all have been seen, or with what was seen after `timeoutMs`. */
export async function watchedText(where: Page | Frame, timeoutMs: number): Promise<Watched> {
  await where
    .waitForFunction(() => window.liyuanWatching?.done() === true, undefined, { timeout: timeoutMs, polling: 250 })
    .catch((error: unknown) => {
      if (!(error instanceof Error && error.name === 'TimeoutError')) throw error;
    });
  const watched = await where.evaluate(() => window.liyuanWatching?.result());
  if (watched === undefined) throw new Error('the page was loaded again while it was watched');
  return watched;
}

/** Runs in the page; nothing from outside but the options. */
function watchInPage({ selector, first, count }: { readonly selector: string; readonly first: number; readonly count: number }): void {
  const root = document.querySelector(selector);
  if (root === null) throw new Error(`no ${selector}`);
  if (document.visibilityState !== 'visible') throw new Error('the page is not visible');

  /** How far the page's own clock is from the machine's: exact where `Date.now()` has just moved on. */
  const offsetNow = (): number => {
    const before = Date.now();
    let now = before;
    while (now === before) now = Date.now();
    return performance.timeOrigin + performance.now() - now;
  };
  const offset = Math.min(...Array.from({ length: 15 }, offsetNow));
  const now = (): number => performance.timeOrigin + performance.now() - offset;
  const name = (n: number): string => `#${String(n).padStart(4, '0')}`;

  const arrived = new Array<number>(count).fill(0);
  const inDom: number[] = [];
  const painted: number[] = [];
  let frames = 0;
  let longestFrameMs = 0;
  let lastFrame = 0;
  let farthestPx = 0;
  let ended = false;

  const onMessage = ({ data }: MessageEvent<unknown>): void => {
    const event = data as { readonly name?: string; readonly body?: unknown } | null;
    if (event?.name !== 'deltas') return;
    const at = now();
    for (const [, digits] of JSON.stringify(event.body).matchAll(/#(\d{4})/g)) {
      const index = Number(digits) - first;
      if (index >= 0 && index < count && arrived[index] === 0) arrived[index] = at;
    }
  };
  addEventListener('message', onMessage, { capture: true });

  const observer = new MutationObserver(() => {
    const at = now();
    const text = root.textContent;
    while (inDom.length < count && text.includes(name(first + inDom.length))) inDom.push(at);
  });
  observer.observe(root, { subtree: true, childList: true, characterData: true });

  // A message sent from within a frame's callbacks arrives right after that frame was laid out and painted.
  const afterPaint = new MessageChannel();
  afterPaint.port1.onmessage = () => {
    const at = now();
    while (painted.length < inDom.length) painted.push(at);
    farthestPx = Math.max(farthestPx, root.scrollHeight - root.clientHeight - root.scrollTop);
    if (painted.length < count && !ended) return;
    ended = true;
    observer.disconnect();
    removeEventListener('message', onMessage, { capture: true });
  };
  const onFrame = (time: number): void => {
    if (ended) return;
    frames += 1;
    if (lastFrame > 0) longestFrameMs = Math.max(longestFrameMs, time - lastFrame);
    lastFrame = time;
    afterPaint.port2.postMessage(0);
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);

  const whole = (times: readonly number[]): number[] => Array.from({ length: count }, (_, index) => times[index] ?? 0);
  window.liyuanWatching = {
    done: () => painted.length === count,
    result: () => {
      ended = true;
      return { arrived, inDom: whole(inDom), painted: whole(painted), frames, longestFrameMs, farthestPx };
    },
  };
}
