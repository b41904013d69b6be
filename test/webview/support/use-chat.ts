import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import type { ChatItem } from '../../../src/protocol/chat';
import { chatStrings } from '../../../src/protocol/chat-strings';
import { chineseStrings, openChat, overflowing, settle, shot, type OpenOptions } from './page';
import { snapshotOf } from './samples';
import type { ThemeName } from './theme';
import { usePages } from './use-pages';

export interface ChatPages {
  /** The view over these items. Closed after the test, in which the content security policy must have held. */
  open(items: readonly ChatItem[], options?: Partial<OpenOptions>): Promise<Page>;
  /** Pictures in Chinese and English, dark, light and high contrast, 300 px wide; nothing may stick out, everything to press must have a name. */
  pictures(name: string, options: Omit<OpenOptions, 'theme' | 'strings' | 'locale'>, prepare?: (page: Page) => Promise<void>): Promise<void>;
}

/** Things to press or to type into that say nothing to a screen reader, and ids that are there twice. */
export async function unnamed(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const name = (element: Element): string =>
      [element.getAttribute('aria-label'), element.getAttribute('title'), element.textContent, element.getAttribute('placeholder')].map((text) => text?.trim() ?? '').join('');
    const pressed = [...document.querySelectorAll('button, a, input, textarea, select, summary, vscode-button, vscode-text-field, [role="button"], [role="option"], [role="dialog"], [role="progressbar"], [role="meter"]')];
    const nameless = pressed.filter((element) => name(element) === '').map((element) => element.outerHTML.slice(0, 120));
    const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
    const twice = ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `id twice: ${id}`);
    const lost = [...document.querySelectorAll('[aria-controls], [aria-activedescendant], [aria-labelledby]')].flatMap((element) =>
      ['aria-controls', 'aria-activedescendant', 'aria-labelledby']
        .map((attribute) => element.getAttribute(attribute))
        .filter((id) => id !== null && id !== '' && document.getElementById(id) === null)
        .map((id) => `points nowhere: ${id}`));
    return [...nameless, ...twice, ...lost];
  });
}

/** The chat view for the tests of this file. */
export function useChat(): ChatPages {
  const open = usePages('chat');
  let chinese: Record<string, string>;

  beforeAll(async () => {
    chinese = await chineseStrings(chatStrings);
  });

  return {
    open: (items, options = {}) => open((context, bundle) => openChat(context, bundle, { snapshot: snapshotOf(items), ...options })),
    pictures: async (name, options, prepare = () => Promise.resolve()) => {
      const looks: readonly (readonly [string, ThemeName, boolean, Partial<OpenOptions>])[] = [
        ['zh-dark', 'dark', true, {}],
        ['zh-light', 'light', true, { width: 300 }],
        ['en-light', 'light', false, {}],
        ['en-dark', 'dark', false, { width: 300 }],
        ['zh-hc', 'hc', true, { forcedColors: true }],
      ];
      for (const [look, theme, inChinese, more] of looks) {
        const words = inChinese ? { strings: chinese, locale: 'zh-cn' } : {};
        const shown = await open((context, bundle) => openChat(context, bundle, { theme, ...words, ...options, ...more }));
        await prepare(shown);
        await settle(shown);
        await shown.waitForTimeout(50);
        await shot(shown, `${name}-${look}`);
        expect([look, await overflowing(shown), await unnamed(shown), await shown.evaluate(() => window.liyuanHost.violations)]).toEqual([look, [], [], []]);
        await shown.close();
      }
    },
  };
}
