import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { modelsStrings } from '../../src/protocol/models-strings';
import { profileEntry } from '../../src/protocol/model-profile';
import { emptyForm, entryOf, formOf, wrongKey } from '../../webview/models/form';
import { openModels, sample, type ModelsPageOptions } from './support/models-page';
import { asked, chineseStrings, overflowing, settle, shot } from './support/page';
import { usePages } from './support/use-pages';

const pages = usePages('models');
let chinese: Record<string, string>;

beforeAll(async () => {
  chinese = await chineseStrings(modelsStrings);
});

const open = (options: Partial<ModelsPageOptions> = {}): Promise<Page> => pages((context, bundle) => openModels(context, bundle, { snapshot: sample, ...options }));
const bodies = async (view: Page, name: string): Promise<readonly unknown[]> => (await asked(view, name)).map(({ body }) => body);

describe('the form', () => {
  const free = (_title: string): boolean => false;

  it('stands for an entry and back, with what is empty left out', () => {
    const entry = profileEntry.parse({ title: 'A', baseUrl: 'a.example', name: 'm', temperature: 0.7, headers: { 'X-A': 'b' }, price: { input: 1, cached: 0.1, output: 2, currency: 'CNY' }, idleTimeout: 60 });
    expect(entryOf(formOf(entry), 'openai', free)).toEqual({ entry: JSON.parse(JSON.stringify(entry)) as unknown });
    expect(entryOf({ ...emptyForm(), title: ' B ' }, 'openai', free)).toEqual({ entry: { title: 'B', provider: 'openai' } });
  });

  it('names the field that does not fit', () => {
    const wrong = (rest: Partial<ReturnType<typeof emptyForm>>, taken = free): unknown => entryOf({ ...emptyForm(), title: 'A', ...rest }, 'openai', taken);
    expect(wrong({ temperature: 'hot' })).toEqual({ field: 'temperature', says: 'models.wrongNumber' });
    expect(wrong({ contextWindow: '4096' })).toEqual({ field: 'contextWindow', says: 'models.wrongNumber' });
    expect(wrong({ extraBody: '[1]' })).toEqual({ field: 'extraBody', says: 'models.wrongJson' });
    expect(wrong({ headers: '{"X": "值"}' })).toEqual({ field: 'headers', says: 'models.wrongHeaders' });
    expect(wrong({ 'price.input': '2' })).toEqual({ field: 'price', says: 'models.wrongPrice' });
    expect(wrong({ 'price.currency': 'CNY' })).toEqual({ entry: { title: 'A', provider: 'openai' } });
    expect(wrong({}, (title) => title === 'A')).toEqual({ field: 'title', says: 'models.wrongTitle' });
  });

  it('never takes a mask for a key', () => {
    expect([wrongKey('••••1234'), wrongKey('****'), wrongKey('密钥'), wrongKey('sk-1'), wrongKey('')]).toEqual(['models.key.masked', 'models.key.masked', 'models.key.characters', undefined, undefined]);
  });
});

describe('the list', () => {
  it('shows the models, who writes and who does side work, and stands at the one that writes', async () => {
    const view = await open();
    expect(await view.locator('.item').count()).toBe(4);
    expect(await view.locator('.item[aria-current="true"]').innerText()).toMatch(/DeepSeek\s+deepseek-chat\s+writes/);
    expect(await view.locator('.item').nth(2).innerText()).toContain('side work');
    expect(await view.locator('.item').first().innerText()).toContain('Rehearsal');
    await view.locator('.item').nth(3).click();
    expect(await view.locator('.head').innerText()).toContain('set by this folder');
    expect(await view.locator('.problem').innerText()).toContain('topP');
  });

  it('opens at the model it is asked for, or at a new one', async () => {
    let view = await open({ place: { title: '本机小模型' } });
    expect(await view.locator('#field-title').inputValue()).toBe('本机小模型');
    await view.evaluate(() => { window.liyuanHost.event('place', 'e', 1, { add: true }); });
    await settle(view);
    expect(await view.locator('#field-title').inputValue()).toBe('');
    await view.close();
    view = await open({ place: { add: true } });
    expect(await view.locator('.item').last().innerText()).toBe('New model');
  });

  it('gives the roles, removes after asking once more, imports and exports', async () => {
    const view = await open({ place: { title: '本机小模型' } });
    await view.locator('.use-writing').click();
    expect(await bodies(view, 'use')).toEqual([{ title: '本机小模型', role: 'writing' }]);
    await view.locator('.remove vscode-button').click();
    await settle(view);
    expect(await asked(view, 'remove')).toHaveLength(0);
    await view.locator('.remove .confirm-yes').click();
    expect(await bodies(view, 'remove')).toEqual([{ title: '本机小模型' }]);
    await view.locator('.import').click();
    await view.locator('.export').click();
    expect([(await asked(view, 'importFile')).length, (await asked(view, 'exportFile')).length]).toEqual([1, 1]);
  });
});

describe('changing a model', () => {
  it('saves what is in the form on Enter, and not while a word is being composed', async () => {
    const view = await open();
    await view.evaluate(() => { window.liyuanHost.answers['save'] = { title: 'DeepSeek' }; });
    const name = view.locator('#field-name');
    await name.fill('deepseek-reasoner');
    await name.evaluate((box) => {
      box.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
      box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, isComposing: true }));
      box.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
    });
    await view.waitForTimeout(40);
    expect(await asked(view, 'save')).toHaveLength(0);
    await name.press('Enter');
    await settle(view);
    expect(await bodies(view, 'save')).toEqual([
      {
        draft: { was: 'DeepSeek', key: '', entry: { title: 'DeepSeek', provider: 'openai', baseUrl: 'https://api.deepseek.com/v1', name: 'deepseek-reasoner', contextWindow: 128_000, price: { input: 2, output: 8, currency: 'CNY' } } },
        ownKey: false,
      },
    ]);
    expect(await view.locator('.said').innerText()).toBe('Saved.');
  });

  it('keeps what is typed when settings change elsewhere, and gives it back when that is asked for', async () => {
    const view = await open();
    await view.locator('#field-name').fill('typed');
    await view.evaluate((next) => { window.liyuanHost.event('snapshot', 'e', 1, next); }, { ...sample, writing: '' });
    await settle(view);
    expect(await view.locator('#field-name').inputValue()).toBe('typed');
    expect(await view.locator('.use-writing').count()).toBe(1);
    await view.locator('.discard').click();
    expect(await view.locator('#field-name').inputValue()).toBe('deepseek-chat');
  });

  it('never shows a key, and refuses its mask', async () => {
    const view = await open();
    expect(await view.locator('.key-state').innerText()).toContain('••••1234 is stored');
    const key = view.locator('#field-key');
    expect([await key.inputValue(), await key.getAttribute('type')]).toEqual(['', 'password']);
    await key.fill('••••1234');
    await view.locator('.save').click();
    await settle(view);
    expect(await asked(view, 'save')).toHaveLength(0);
    expect(await view.locator('[data-field="key"] [role="alert"]').innerText()).toContain('masked');
    await key.fill('sk-new');
    await view.locator('.own-key').check();
    await view.locator('.save').click();
    await settle(view);
    expect((await bodies(view, 'save'))[0]).toMatchObject({ draft: { key: 'sk-new' }, ownKey: true });
    await view.locator('.item').nth(1).click();
    await view.locator('.remove-key').click();
    expect(await bodies(view, 'removeKey')).toEqual([{ title: 'DeepSeek' }]);
  });

  it('says that the machine keeps no keys, and what works instead', async () => {
    const view = await open({ snapshot: { ...sample, profiles: sample.profiles.map((one) => ({ ...one, key: { kind: 'unreadable' as const } })) } });
    expect(await view.locator('.key-state').innerText()).toContain('LIYUAN_API_KEY');
  });

  it('points at the field that does not fit, also where it was folded away', async () => {
    const view = await open();
    await view.locator('.more summary').click();
    await view.locator('#field-temperature').fill('9');
    await view.locator('.more summary').click();
    await view.locator('.save').click();
    await settle(view);
    expect(await view.locator('#field-temperature').isVisible()).toBe(true);
    expect(await view.evaluate(() => document.activeElement?.id)).toBe('field-temperature');
    expect(await view.locator('[data-field="temperature"] [role="alert"]').count()).toBe(1);
  });

  it('fills in what a service needs, shows where keys are made, and the exact address', async () => {
    const view = await open({ place: { add: true } });
    await view.evaluate(() => { window.liyuanHost.answers['address'] = { url: 'https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions', origin: 'https://dashscope.aliyuncs.com' }; });
    await view.locator('#field-preset').selectOption('通义千问 Qwen');
    await settle(view);
    expect(await view.locator('#field-title').inputValue()).toBe('通义千问 Qwen');
    expect(await view.locator('#field-extraBody').inputValue()).toBe('{\n  "enable_thinking": false\n}');
    expect(await view.locator('.key-at a').getAttribute('href')).toContain('bailian.console.aliyun.com');
    expect(await view.locator('.url').innerText()).toBe('Requests go to https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions');
    expect(await view.locator('.key-state').innerText()).toContain('sent only to https://dashscope.aliyuncs.com');
  });
});

describe('testing and listing', () => {
  it('tests what is in the form, tells line by line, and drops lines of an older test', async () => {
    const view = await open();
    await view.evaluate(() => { window.liyuanHost.held.add('test'); });
    await view.locator('.test').click();
    await settle(view);
    expect((await bodies(view, 'test'))[0]).toMatchObject({ run: 1, draft: { was: 'DeepSeek', entry: { name: 'deepseek-chat' } } });
    expect(await view.locator('.running').count()).toBe(1);
    await view.locator('.stop').click();
    expect(await asked(view, 'stopTest')).toHaveLength(1);
    const lines = [{ subject: 'address', verdict: 'ok', text: 'https://x/v1/chat/completions answers after 12 ms.' }, { subject: 'tools', verdict: 'no', text: 'none' }];
    await view.evaluate((body) => {
      window.liyuanHost.event('probe', 'e', 1, { ...body, run: 0 });
      window.liyuanHost.event('probe', 'e', 2, body);
    }, { run: 1, running: false, lines, baseUrl: 'https://api.deepseek.com' });
    await settle(view);
    expect(await view.locator('.line').count()).toBe(2);
    expect(await view.locator('.line').last().getAttribute('data-verdict')).toBe('no');
    expect(await view.locator('.line dt').last().innerText()).toContain('does not work');
    await view.locator('.use-address').click();
    expect(await view.locator('#field-baseUrl').inputValue()).toBe('https://api.deepseek.com');
  });

  it('asks for the word about a folder’s address', async () => {
    const view = await open();
    await view.locator('.test').click();
    await view.evaluate(() => { window.liyuanHost.event('probe', 'e', 1, { run: 1, running: false, lines: [], problem: 'Not allowed.', asksFor: 'https://relay.example' }); });
    await settle(view);
    expect(await view.locator('.test-problem').innerText()).toBe('Not allowed.');
    await view.locator('.allow').click();
    expect(await bodies(view, 'allow')).toEqual([{ address: 'https://relay.example' }]);
  });

  it('lists the models, narrowed by what is typed, and fills in the name', async () => {
    const view = await open();
    await view.evaluate(() => { window.liyuanHost.answers['listModels'] = { names: ['deepseek-chat', 'deepseek-reasoner', 'other'] }; });
    await view.locator('.list-models').click();
    await settle(view);
    expect(await view.locator('.name').count()).toBe(3);
    await view.locator('#field-name').fill('reas');
    expect(await view.locator('.name').allInnerTexts()).toEqual(['deepseek-reasoner']);
    await view.locator('#field-name').fill('gone');
    expect(await view.locator('.name').count()).toBe(3);
    await view.locator('#field-name').fill('reas');
    await view.locator('.name').click();
    expect(await view.locator('#field-name').inputValue()).toBe('deepseek-reasoner');
    await view.evaluate(() => { window.liyuanHost.answers['listModels'] = { problem: 'No list.' }; });
    await view.locator('.list-models').click();
    await settle(view);
    expect(await view.locator('[data-field="name"] [role="alert"]').innerText()).toBe('No list.');
  });
});

describe('pictures', () => {
  it.each(['light', 'dark', 'hc'] as const)('in %s, 300 px, Chinese', async (theme) => {
    const view = await open({ theme, width: 300, height: 1_500, strings: chinese, locale: 'zh-cn' });
    await view.locator('.more summary').click();
    await settle(view);
    await shot(view, `models-300-${theme}`);
    expect(await overflowing(view)).toEqual([]);
  });

  it('wide, English, with a test', async () => {
    const view = await open({ theme: 'light' });
    await view.locator('.test').click();
    await view.evaluate(() => {
      const line = (subject: string, verdict: string, text: string): unknown => ({ subject, verdict, text });
      window.liyuanHost.event('probe', 'e', 1, { run: 1, running: false, lines: [line('address', 'ok', 'https://api.deepseek.com/v1/chat/completions answers after 182 ms.'), line('answer', 'ok', 'First word after 411 ms.'), line('reasoning', 'unknown', 'These answers came without thinking.'), line('tools', 'no', 'The service takes no tools.')] });
    });
    await settle(view);
    await shot(view, 'models-wide');
    expect(await overflowing(view)).toEqual([]);
  });

  it('with forced colours', async () => {
    const view = await open({ theme: 'hc', forcedColors: true, strings: chinese, locale: 'zh-cn' });
    await shot(view, 'models-forced-colours');
    expect(await view.locator('.item[aria-current="true"]').evaluate((item) => getComputedStyle(item).outlineStyle)).toBe('solid');
  });
});
