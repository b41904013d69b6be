// One running VS Code server with user data of its own, and the address of a workbench in it.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { startKeyFront } from './key-front.mjs';
import { Stop, start, stopChild } from './run.mjs';
import { nodeBin, serverMain } from '../vscode-server.mjs';

/** What every test and `npm start` pin, so that nothing of VS Code's own gets in the way. */
export const pinnedSettings = {
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'files.autoSave': 'off',
  'git.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
};

function writeUserData(dataDir, settings, locale, keepSettings) {
  const data = path.join(dataDir, 'data');
  const settingsFile = path.join(data, 'User/settings.json');
  if (!keepSettings || !fs.existsSync(settingsFile)) writeSettings(dataDir, settings);
  writeLanguage(data, locale);
}

/**
 * The settings of a server: `pinnedSettings` with these on top. What belongs to a machine (`scope: machine…`, as our model
 * settings do) counts in a window on a server only when it is set for that server. Windows that are open take them over.
 */
function writeSettings(dataDir, settings) {
  const write = (place, values) => {
    const file = path.join(dataDir, 'data', place, 'settings.json');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify(values, null, 2));
  };
  const isOfMachine = ([name]) => name === 'liyuan.models' || name.startsWith('liyuan.model.');
  const all = Object.entries({ ...pinnedSettings, ...settings });
  write('User', Object.fromEntries(all.filter((entry) => !isOfMachine(entry))));
  write('Machine', Object.fromEntries(all.filter(isOfMachine)));
}

/** Makes the extension in `folder` count as installed, as it stands there: no packing, and what is built next runs next. */
function installInPlace(dataDir, folder) {
  const { publisher, name, version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = path.join(dataDir, 'extensions/extensions.json');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify([{ identifier: { id: `${publisher}.${name}` }, version, location: { $mid: 1, path: folder, scheme: 'file' } }]));
}

/**
 * A display language without a language pack, in a user data folder: VS Code's own words stay English, the extension's follow
 * the language.
 */
export function writeLanguage(data, locale) {
  if (locale === undefined || locale === 'en') return;
  const strings = path.join(data, 'main.i18n.json');
  fs.writeFileSync(strings, JSON.stringify({ version: '1.0.0', contents: {} }));
  fs.writeFileSync(path.join(data, 'languagepacks.json'), JSON.stringify({
    [locale]: {
      hash: 'liyuan',
      label: locale,
      extensions: [{ extensionIdentifier: { id: 'liyuan.language-pack' }, version: '1.0.0' }],
      translations: { vscode: strings },
    },
  }));
}

function whenListening(child, log) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Stop('VS Code server did not come up within 60 s')), 60_000);
    const lines = readline.createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      log.write(`${line}\n`);
      const port = /^Extension host agent listening on (\d+)/.exec(line)?.[1];
      if (port === undefined) return;
      clearTimeout(late);
      resolve(Number(port));
    });
    child.stderr.on('data', (data) => log.write(data));
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(late);
      reject(new Stop(`VS Code server ended with ${code} before it listened`));
    });
  });
}

/**
 * Starts a server on 127.0.0.1 and waits until it listens.
 * @param {object} [options]
 * @param {Record<string, unknown>} [options.settings] user settings on top of `pinnedSettings`
 * @param {string} [options.locale] display language, e.g. `zh-cn`
 * @param {Record<string, string | undefined>} [options.env] environment of the extension host
 * @param {NodeJS.WritableStream} [options.log] where its output goes; stderr if not given
 * @param {number} [options.port] 0 for any free one
 * @param {string} [options.token] connection token; without one any local process may connect
 * @param {boolean} [options.trust] false: the workspace trust feature is on and folders start untrusted
 * @param {string} [options.dataDir] kept after the end when given, else a temporary one
 * @param {boolean} [options.keepSettings] settings that are in `dataDir` already stay as the user left them
 * @param {string} [options.extension] folder of an extension that counts as installed
 * @param {boolean} [options.driver] lets `workbenchUrl` load extensions in development and run tests; such a window shows no
 *   notifications of its own accord
 * @param {string[]} [options.extraArgs]
 */
export async function startServer({ settings = {}, locale, env = {}, log = process.stderr, port = 0, token, trust = true, dataDir, keepSettings = false, extension, driver = false, extraArgs = [] } = {}) {
  const folder = dataDir ?? fs.mkdtempSync(path.join(os.tmpdir(), 'liyuan-vscode-'));
  writeUserData(folder, settings, locale, keepSettings);
  if (extension !== undefined) installInPlace(folder, extension);
  const child = start(nodeBin, [
    serverMain,
    '--host', '127.0.0.1', '--port', '0',
    ...(token === undefined ? ['--without-connection-token'] : ['--connection-token', token]),
    '--accept-server-license-terms', '--server-data-dir', folder, '--telemetry-level', 'off',
    // Without it the workbench of a released build ignores extensionDevelopmentPath and extensionTestsPath.
    ...(driver ? ['--enable-smoke-test-driver'] : []),
    ...(trust ? ['--disable-workspace-trust'] : []),
    ...(locale === undefined ? [] : ['--locale', locale]),
    ...extraArgs,
  ], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  const remove = () => {
    if (dataDir === undefined) fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  let front;
  try {
    front = await startKeyFront({ port, target: await whenListening(child, log), keyFile: path.join(folder, 'data/key-half'), token });
  } catch (error) {
    await stopChild(child);
    remove();
    throw error;
  }
  return {
    port: front.port,
    authority: `127.0.0.1:${front.port}`,
    token,
    dataDir: folder,
    pid: child.pid,
    child,
    /** @param {Record<string, unknown>} next */
    configure: (next) => writeSettings(folder, next),
    async stop() {
      await stopChild(child);
      await front.close();
      remove();
    },
  };
}

/**
 * Address of a workbench of `server` on `folder`. On a server with `driver`, `extension` is loaded in development mode and
 * `tests` is a module whose `run()` the extension host calls. All paths absolute.
 * @param {{authority: string, token?: string | undefined}} server
 * @param {{folder: string, extension?: string, tests?: string}} what
 */
export function workbenchUrl(server, { folder, extension, tests }) {
  const remote = (place) => `vscode-remote://${server.authority}${place}`;
  const payload = [];
  if (extension !== undefined) payload.push(['extensionDevelopmentPath', remote(extension)]);
  if (tests !== undefined) payload.push(['extensionTestsPath', remote(tests)]);
  const parts = [`folder=${encodeURIComponent(folder)}`];
  if (payload.length > 0) parts.push(`payload=${encodeURIComponent(JSON.stringify(payload))}`);
  if (server.token !== undefined) parts.push(`tkn=${server.token}`);
  return `http://${server.authority}/?${parts.join('&')}`;
}
