import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../../../scripts/lib/paths.mjs';
import type { Workbench } from './context';

/**
 * A picture for the README. Nothing of the moment is in it: no pointer over anything, no tooltip, no notification. Kept with the
 * other pictures of a run; replaced in `docs/pictures/` only when `LIYUAN_PICTURES` is `1`.
 */
export async function picture(workbench: Workbench, name: string): Promise<void> {
  const { page } = workbench;
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await page.mouse.move(width / 2, height - 4);
  await page.locator('.workbench-hover, .notification-toast').first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  const taken = await workbench.shot(name);
  if (process.env['LIYUAN_PICTURES'] !== '1') return;
  const file = path.join(root, 'docs/pictures', `${name}.png`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.copyFileSync(taken, file);
}

/** Draws the edge of the side bar until it is `px` wide, or as near as it goes. */
export async function sideBarWidth(page: Page, px: number): Promise<void> {
  const box = await page.locator('.part.sidebar').boundingBox();
  if (box === null) throw new Error('no side bar');
  const sashes = await page.locator('.monaco-sash.vertical').all();
  const places = await Promise.all(sashes.map((sash) => sash.boundingBox()));
  const edge = box.x + box.width;
  const sash = places.flatMap((place) => (place === null ? [] : [place.x + place.width / 2])).find((x) => Math.abs(x - edge) < 8);
  if (sash === undefined) throw new Error('no sash at the edge of the side bar');
  const y = box.y + box.height / 2;
  await page.mouse.move(sash, y);
  await page.mouse.down();
  await page.mouse.move(sash + px - box.width, y, { steps: 4 });
  await page.mouse.up();
  await page.mouse.move(box.x + px / 2, box.y + box.height + 8);
  await page.locator('.monaco-sash.hover, .monaco-sash.active').first().waitFor({ state: 'detached' });
}
