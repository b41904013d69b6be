import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exists, parse, readJson, readText, sourceFiles, stringsOf } from './source-tree';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly visibility?: string; readonly initialSize?: number }[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string; readonly when: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command?: string; readonly when?: string; readonly group?: string }[]>>;
    readonly configuration: readonly { readonly order: number; readonly properties: Readonly<Record<string, { readonly order: number }>> }[];
    readonly walkthroughs: readonly { readonly steps: readonly Step[] }[];
  };
}
interface Step {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly media: { readonly svg: string; readonly altText: string };
  readonly completionEvents: readonly string[];
}

const { contributes } = readJson<Manifest>('package.json');
const english = readJson<Readonly<Record<string, string>>>('package.nls.json');
const said = (key: string): string => english[key.replaceAll('%', '')] ?? '';
const commands = new Set(contributes.commands.map(({ command }) => command));
const views = contributes.views['liyuan'] ?? [];
const settings = contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
/** Strings of the host: context keys are among them. */
const literals = new Set(sourceFiles('src/extension').flatMap((file) => stringsOf(parse(file))));

describe('the walkthrough', () => {
  const steps = contributes.walkthroughs[0]?.steps ?? [];

  test('has five steps', () => {
    expect(steps.map(({ id }) => id)).toEqual(['project', 'model', 'chat', 'history', 'passage']);
  });

  test.each(steps.map((step) => [step.id, step] as const))('%s has a picture in the colours of the theme, words for who cannot see it, and a button', (_, { media, title, description }) => {
    expect(exists(media.svg)).toBe(true);
    expect(readText(media.svg)).toContain('var(--vscode-');
    expect([said(media.altText), said(title)].filter((text) => text === '')).toEqual([]);
    // A link alone in its line is shown as a button.
    expect(said(description).split('\n').some((line) => /^\[[^\]]+\]\(command:[\w.]+\)$/.test(line))).toBe(true);
  });

  test.each(steps.map((step) => [step.id, step] as const))('%s is done by something that can happen', (_, { completionEvents }) => {
    expect(completionEvents.length).toBeGreaterThan(0);
    for (const event of completionEvents) {
      const [, kind, id = ''] = /^(\w+):(.+)$/.exec(event) ?? [];
      const known = kind === 'onCommand' ? commands.has(id) : kind === 'onView' ? views.some((view) => view.id === id) : kind === 'onSettingChanged' ? settings.includes(id) : kind === 'onContext' && literals.has(id);
      expect(known, event).toBe(true);
    }
  });
});

/** The value of `a && !b && c != 0` where every name has a value. */
function holds(when: string, values: Readonly<Record<string, boolean | number>>): boolean {
  return when.split(' && ').every((term) => {
    const [, not, name = '', , operator, number] = /^(!?)([\w.]+)(\s*(==|!=)\s*(\d+))?$/.exec(term) ?? [];
    const value = values[name];
    if (value === undefined) throw new Error(`${term} is not known here`);
    if (operator !== undefined) return (operator === '==') === (value === Number(number));
    return (not === '!') !== Boolean(value);
  });
}

describe('an empty view', () => {
  const situations = [0, 1, 2].flatMap((folders) => [true, false].flatMap((trusted) => (folders === 0 ? [false] : [true, false]).map((open) => ({ folders, trusted, open }))));

  test.each(['liyuan.chapters', 'liyuan.history'])('%s has exactly one text with a button in every situation', (view) => {
    for (const { folders, trusted, open } of situations) {
      const values = { workspaceFolderCount: folders, isWorkspaceTrusted: trusted, 'liyuan.project.open': open, 'liyuan.project.settled': true };
      const shown = contributes.viewsWelcome.filter((one) => one.view === view && holds(one.when, values));
      expect(shown.map(({ contents }) => contents), JSON.stringify(values)).toHaveLength(1);
      expect(said(shown[0]?.contents ?? '')).toMatch(/\n\[[^\]]+\]\(command:/);
    }
  });

  test('says nothing while it is not known yet whether there is a project', () => {
    const values = { workspaceFolderCount: 1, isWorkspaceTrusted: true, 'liyuan.project.open': false, 'liyuan.project.settled': false };
    expect(contributes.viewsWelcome.filter(({ when }) => holds(when, values))).toEqual([]);
  });
});

describe('what is seen first', () => {
  test('is the conversation, large, then the chapters; the rest is folded', () => {
    expect(views.map(({ id, visibility }) => [id, visibility ?? 'visible'])).toEqual([
      // That of long jobs is there only while there is one.
      ['liyuan.chat', 'visible'], ['liyuan.chapters', 'visible'], ['liyuan.jobs', 'visible'], ['liyuan.history', 'collapsed'], ['liyuan.numbers', 'collapsed'],
    ]);
    const [chat, ...others] = views.map(({ initialSize }) => initialSize ?? 0);
    expect(others.every((size) => size < (chat ?? 0))).toBe(true);
  });

  test('has no more than three buttons on top of a view', () => {
    const buttons = (contributes.menus['view/title'] ?? []).filter(({ group }) => group?.startsWith('navigation') === true);
    for (const { id } of views) expect(buttons.filter(({ when }) => when?.startsWith(`view == ${id}`) === true && !when.includes('history.filtered')).length, id).toBeLessThanOrEqual(3);
  });

  test('is the same where the files are on another machine: their scheme is not `file` there', () => {
    const whens = Object.values(contributes.menus).flat().map(({ when }) => when ?? '');
    expect(whens.filter((when) => /resourceScheme == file/.test(when))).toEqual([]);
    expect(whens.filter((when) => when.includes('(file|vscode-remote)')).length).toBeGreaterThan(2);
  });

  test('in the menu of an editor and of the explorer is not more than one entry for a chapter and two for a file', () => {
    expect((contributes.menus['editor/context'] ?? []).length).toBe(1);
    expect((contributes.menus['explorer/context'] ?? []).filter(({ when }) => when?.includes('!explorerResourceIsFolder') === true).length).toBe(2);
  });
});

describe('titles and settings', () => {
  const small = /^(?:a|an|the|of|to|in|as|at|and|or|for|this|with|before|between|over|from|it|up|down|s|was|sets)$/i;

  test('of commands begin every word of weight with a capital letter', () => {
    const odd = Object.entries(english)
      .filter(([key]) => key.startsWith('command.'))
      .filter(([, title]) => title.split(/[\s,()…-]+/).some((word) => /^[a-z]/.test(word) && !small.test(word)));
    expect(odd.map(([key, title]) => `${key}: ${title}`)).toEqual([]);
  });

  test('stand in one order, no two in the same place', () => {
    const orders = contributes.configuration.map(({ order }) => order);
    expect(orders).toEqual(orders.map((_, at) => at + 1));
    for (const { properties } of contributes.configuration) {
      const places = Object.values(properties).map(({ order }) => order);
      expect(places).toEqual(places.map((_, at) => at + 1));
    }
  });
});

describe('the page on the house', () => {
  const house = readText('docs/architecture.md').split('```')[1] ?? '';
  const folders = (path: string): readonly string[] => fs.readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name);

  test.each(['src/engine', 'src/extension', 'src/extension/features', 'webview', 'assets', 'src'])('names every folder of %s', (path) => {
    expect(folders(path).filter((name) => !new RegExp(`(?:^|[\\s/])${name}/`, 'm').test(house))).toEqual([]);
  });

  test('names no folder that is not there', () => {
    const all = new Set(['', 'src', 'test', 'src/engine', 'src/engine/manuscript', 'src/engine/model', 'src/extension', 'src/extension/features', 'src/extension/ports', 'webview', 'media', 'assets', 'assets/prompts'].flatMap((path) => folders(path === '' ? '.' : path)));
    const named = [...house.matchAll(/(?:^|[\s(,])((?:[a-z][\w-]*\/)+)/gm)].flatMap(([, path = '']) => path.split('/').filter((part) => part !== ''));
    expect(named.filter((name) => !all.has(name))).toEqual([]);
  });
});

describe('the READMEs and the change log', () => {
  const pages = { english: readText('README.md'), chinese: readText('README.zh-CN.md') };
  const chineseTitles = readJson<Readonly<Record<string, string>>>('package.nls.zh-cn.json');
  const titlesOf = (texts: Readonly<Record<string, string>>): ReadonlySet<string> => new Set(Object.entries(texts).filter(([key]) => key.startsWith('command.')).map(([, title]) => title));
  const flat = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

  test('have the same parts in both languages', () => {
    const shape = (text: string): readonly string[] => [...text.matchAll(/^(##|!\[|\d\.|\| `?)/gm)].map(([, mark = '']) => mark);
    expect(shape(pages.chinese)).toEqual(shape(pages.english));
  });

  test('name commands by their titles', () => {
    const named = [...flat(pages.english).matchAll(/\*\*Liyuan: ([^*]+)\*\*/g)].map(([, title = '']) => title).filter((title) => title !== 'Open or Begin …');
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((title) => !titlesOf(english).has(title))).toEqual([]);
    const inChinese = [...pages.chinese.matchAll(/「梨园: ([^」]+)」/g)].map(([, title = '']) => title);
    expect(inChinese.length).toBeGreaterThan(8);
    expect(inChinese.filter((title) => !titlesOf(chineseTitles).has(title))).toEqual([]);
  });

  test('name every setting, and none that is not there', () => {
    for (const text of Object.values(pages)) {
      const table = text.split('\n').filter((line) => /^\| `liyuan\./.test(line));
      const named = table.flatMap((line) => {
        const [, cell = ''] = line.split('|');
        let section = '';
        return [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => {
          if (!name.startsWith('.')) section = name.slice(0, name.lastIndexOf('.'));
          return name.startsWith('.') ? `${section}${name}` : name;
        });
      });
      expect([...named].sort()).toEqual([...settings].sort());
    }
  });

  test('show pictures that are there', () => {
    const shown = Object.values(pages).flatMap((text) => [...text.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = '']) => path));
    expect(shown.filter((path) => !exists(path))).toEqual([]);
  });
});
