import readline from 'node:readline';
import type { Page } from 'playwright-core';
import { root } from '../scripts/lib/paths.mjs';
import { start, stopChild } from '../scripts/lib/run.mjs';
import type { Answer } from '../test/fakes/model-server/script';

/** The fake model server as a process of its own, so that nobody waits for another's event loop. */
export interface ModelProcess {
  readonly baseUrl: string;
  script(answers: readonly Answer[]): Promise<void>;
  /** When each event of the answer to the `n`-th chat request was sent, in ms since the epoch. */
  sent(n: number): Promise<readonly number[]>;
  stop(): Promise<void>;
}

export async function startModelProcess(): Promise<ModelProcess> {
  const child = start(process.execPath, ['test/fakes/model-server/run.mjs'], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const { stdout } = child;
  if (stdout === null) throw new Error('no output of the model server');
  const first = await new Promise<string>((resolve, reject) => {
    readline.createInterface({ input: stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the model server ended with ${code ?? 'a signal'}`)));
  });
  const { origin, baseUrl } = JSON.parse(first) as { readonly origin: string; readonly baseUrl: string };
  return {
    baseUrl,
    async script(answers) {
      await fetch(`${origin}/control/script`, { method: 'PUT', body: JSON.stringify(answers) });
    },
    async sent(n) {
      return (await (await fetch(`${origin}/control/sent/${n}`)).json()) as readonly number[];
    },
    stop: () => stopChild(child),
  };
}

/** What a page does with one chunk. */
export type Taker = 'chat app' | 'bare page';

/**
 * Sends the chunks into a page from a worker of its own, at this interval, and gives the times at which they were sent, in ms since
 * the epoch. The page must be open to workers (`bypassCSP`).
 */
export async function feedPage(page: Page, taker: Taker, chunks: readonly string[], everyMs: number, id: string): Promise<readonly number[]> {
  return page.evaluate(feedInPage, { taker, chunks, everyMs, id });
}

/** Runs in the page; nothing from outside but the options. */
function feedInPage(options: { readonly taker: Taker; readonly chunks: readonly string[]; readonly everyMs: number; readonly id: string }): Promise<readonly number[]> {
  const { taker, chunks, everyMs, id } = options;
  const source = `onmessage = ({ data: { chunks, everyMs } }) => {
    const sent = [];
    const began = performance.now();
    const step = () => {
      if (sent.length === chunks.length) return postMessage({ sent });
      sent.push(performance.timeOrigin + performance.now());
      postMessage({ chunk: chunks[sent.length - 1] });
      setTimeout(step, Math.max(0, began + sent.length * everyMs - performance.now()));
    };
    step();
  };`;
  let waiting = '';
  /** The least a page can do: the text appended in the next frame. */
  const appendInFrame = (text: string): void => {
    if (waiting === '') requestAnimationFrame(() => {
      document.querySelector('.log div')?.append(waiting);
      waiting = '';
      const log = document.querySelector('.log');
      if (log) log.scrollTop = log.scrollHeight;
    });
    waiting += text;
  };
  const appendByHost = (text: string): void => {
    window.liyuanHost.deltas({ op: 'append', id, field: 'text', text });
  };
  const take = taker === 'chat app' ? appendByHost : appendInFrame;
  return new Promise((resolve) => {
    const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
    worker.onmessage = ({ data }: MessageEvent<{ readonly chunk: string } | { readonly sent: readonly number[] }>) => {
      if ('chunk' in data) return take(data.chunk);
      worker.terminate();
      resolve(data.sent);
    };
    worker.postMessage({ chunks, everyMs });
  });
}
