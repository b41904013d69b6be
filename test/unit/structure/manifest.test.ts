import { describe, expect, test } from 'vitest';
import { exists, firstArguments, parse, readJson, readText, sourceFiles, stringsOf } from './source-tree';

interface Manifest {
  readonly main: string;
  readonly icon?: string;
  readonly l10n?: string;
  readonly engines: { readonly vscode: string };
  readonly activationEvents?: readonly string[];
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category?: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly icon?: string }[]>>;
    readonly viewsContainers: Readonly<Record<string, readonly { readonly id: string; readonly icon: string }[]>>;
    readonly menus?: Readonly<Record<string, readonly { readonly command?: string }[]>>;
    readonly keybindings?: readonly { readonly command: string }[];
    readonly configuration: Configuration | readonly Configuration[];
  };
}
interface Configuration {
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const manifest = readJson<Manifest>('package.json');
const manifestText = readText('package.json');
const english = readJson<Readonly<Record<string, string>>>('package.nls.json');
const chinese = readJson<Readonly<Record<string, string>>>('package.nls.zh-cn.json');
const { contributes } = manifest;

const sources = sourceFiles('src/extension').map((file) => parse(file));
const literals = new Set(sources.flatMap(stringsOf));
const registered = new Set(sources.flatMap((source) => firstArguments(source, 'registerCommand')).concat(tableCommands()));

function isId(text: string): boolean {
  return /^liyuan(\.[a-z][A-Za-z]*){2,}$/.test(text);
}

/** Commands that are registered from a table `['liyuan.x.y', run]` rather than by a call of their own. */
function tableCommands(): readonly string[] {
  return sources
    .filter((source) => /registerCommand\(\s*(host,\s*)?id\b/.test(source.text))
    .flatMap(stringsOf)
    .filter((text) => isId(text));
}

const commands = contributes.commands.map((one) => one.command);
const views = Object.values(contributes.views).flat();
const settings = [contributes.configuration].flat().flatMap((part) => Object.keys(part.properties));

/** `%key%` places of the manifest. */
const manifestKeys = new Set([...manifestText.matchAll(/"%([^%"]+)%"/g)].map((match) => match[1] ?? ''));

describe('commands', () => {
  test('of the manifest are all registered by the code', () => {
    expect(commands.filter((command) => !registered.has(command))).toEqual([]);
  });

  test('that the code registers are all in the manifest', () => {
    const contributed = new Set([...commands, ...settings, ...contextKeys()]);
    expect([...registered].filter((command) => isId(command) && !contributed.has(command))).toEqual([]);
  });

  test('that the code or a menu calls exist', () => {
    const called = sources.flatMap((source) => firstArguments(source, 'executeCommand')).filter(isId);
    const inMenus = Object.values(contributes.menus ?? {}).flat().map((item) => item.command).filter((command) => command !== undefined);
    const inKeys = (contributes.keybindings ?? []).map((binding) => binding.command);
    const inWelcome = [...(readText('package.nls.json') + readText('package.nls.zh-cn.json')).matchAll(/command:(liyuan[\w.]+)/g)].map((match) => match[1] ?? '');
    const known = new Set([...commands, ...views.map((view) => `${view.id}.focus`)]);
    expect([...called, ...inMenus, ...inKeys, ...inWelcome].filter((command) => !known.has(command))).toEqual([]);
  });

  test('carry a title from the language files and one category', () => {
    for (const command of contributes.commands) {
      expect(command.title, command.command).toMatch(/^%.+%$/);
      expect(command.category, command.command).toBe('%category%');
    }
  });
});

/** First arguments after 'setContext'. */
function contextKeys(): readonly string[] {
  return sources.flatMap((source) => [...source.text.matchAll(/'setContext',\s*'([^']+)'/g)].map((match) => match[1] ?? ''));
}

describe('views', () => {
  test('of the manifest are all known to the code', () => {
    expect(views.map((view) => view.id).filter((id) => !literals.has(id))).toEqual([]);
  });

  test('and containers and the extension have icons that exist', () => {
    const icons = [...views.map((view) => view.icon), ...Object.values(contributes.viewsContainers).flat().map((one) => one.icon), manifest.icon];
    expect(icons.filter((icon) => icon === undefined || (!icon.startsWith('$(') && !exists(icon)))).toEqual([]);
  });
});

describe('settings', () => {
  test('of the manifest are all read by the code', () => {
    const unread = settings.filter((setting) => {
      if (literals.has(setting)) return false;
      const parts = setting.split('.');
      return !parts.some((_, cut) => {
        const section = parts.slice(0, cut).join('.');
        const rest = parts.slice(cut).join('.');
        return literals.has(section) && (literals.has(rest) || sources.some((source) => new RegExp(`\\b${rest}:`).test(source.text)));
      });
    });
    expect(unread).toEqual([]);
  });

  test('that the code asks for by section are in the manifest', () => {
    const sections = sources.flatMap((source) => [...firstArguments(source, 'getConfiguration'), ...firstArguments(source, 'affectsConfiguration')])
      .filter((section) => section.startsWith('liyuan'));
    expect(sections.filter((section) => !settings.some((setting) => setting === section || setting.startsWith(`${section}.`)))).toEqual([]);
  });

  test('have a description from the language files and a scope', () => {
    for (const part of [contributes.configuration].flat()) {
      for (const [name, setting] of Object.entries(part.properties)) {
        expect(String(setting['markdownDescription'] ?? setting['description']), name).toMatch(/^%.+%$/);
        expect(setting['scope'], name).toBeTypeOf('string');
      }
    }
  });
});

describe('language files of the manifest', () => {
  test('have the same keys in English and Chinese', () => {
    expect(Object.keys(chinese).sort()).toEqual(Object.keys(english).sort());
  });

  test('have every key that the manifest uses, and no other', () => {
    expect(Object.keys(english).sort()).toEqual([...manifestKeys].sort());
  });

  test('say something in both', () => {
    expect(Object.entries({ ...english }).filter(([, text]) => text.trim() === '')).toEqual([]);
    expect(Object.entries({ ...chinese }).filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  test('keep links to the same commands and settings', () => {
    const targets = (text: string): readonly string[] => [...text.matchAll(/command:[\w.]+|#liyuan[\w.]+#/g)].map((match) => match[0]).sort();
    for (const [key, text] of Object.entries(english)) expect(targets(chinese[key] ?? ''), key).toEqual(targets(text));
  });
});

describe('the manifest', () => {
  test('activates only for novels and for what the user opens', () => {
    const events = manifest.activationEvents ?? [];
    expect(events.filter((event) => event === '*' || event === 'onStartupFinished')).toEqual([]);
    expect(events.length).toBeGreaterThan(0);
  });

  test('asks for the VS Code whose types it is built with', () => {
    const types = readJson<{ readonly devDependencies: Readonly<Record<string, string>> }>('package.json').devDependencies['@types/vscode'];
    expect(`^${types ?? ''}`).toBe(manifest.engines.vscode);
  });
});
