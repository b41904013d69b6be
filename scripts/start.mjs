// npm start: the sample novel in VS Code, with the rehearsal model until another is set up.
//   --server        VS Code server in the browser even when desktop VS Code is there
//   --port <n>      port of the server (any free one if not given)
//   --folder <dir>  this novel instead of a fresh copy of the sample; it is opened where it stands
//   --lang <l>      display language, en or zh-cn (the system's if not given)
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { at, root, sampleNovel } from './lib/paths.mjs';
import { ensureBuilt, ensureDependencies, which } from './lib/requirements.mjs';
import { ended, main, start, Stop, whenStopped } from './lib/run.mjs';
import { startServer, workbenchUrl, writeLanguage } from './lib/server-process.mjs';
import { ensureVscodeServer } from './vscode-server.mjs';

const languages = ['en', 'zh-cn'];

function options() {
  const { values } = parseArgs({
    options: {
      server: { type: 'boolean', default: false },
      port: { type: 'string', default: '0' },
      folder: { type: 'string' },
      lang: { type: 'string' },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Stop(`--port ${values.port}: not a port`, 2);
  const lang = values.lang ?? systemLanguage();
  if (!languages.includes(lang)) throw new Stop(`--lang ${lang}: one of ${languages.join(', ')}`, 2);
  return { ...values, port, lang };
}

function systemLanguage() {
  const name = process.env.LC_ALL || process.env.LC_MESSAGES || process.env.LANG || Intl.DateTimeFormat().resolvedOptions().locale;
  return /^zh/i.test(name) ? 'zh-cn' : 'en';
}

/** The novel to open. The sample is copied first, so that the asset itself is never edited. */
function novelFolder(given) {
  if (given !== undefined) {
    const folder = path.resolve(given);
    if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new Stop(`--folder ${given}: no such folder`, 2);
    return folder;
  }
  const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'liyuan-sample-'));
  const folder = path.join(parent, '盐渡来信');
  fs.cpSync(sampleNovel, folder, { recursive: true });
  console.log(`A fresh copy of the sample novel: ${folder}`);
  return fs.realpathSync(folder);
}

const desktop = () => process.env.VSCODE_EXECUTABLE_PATH || which('code');

/** Settings and state of its own, so that a model set up elsewhere does not answer in place of the rehearsal. */
async function openDesktop(command, folder, { lang, folder: given }) {
  const userData = at('out/start/user-data');
  const settings = path.join(userData, 'User/settings.json');
  if (!fs.existsSync(settings)) {
    fs.mkdirSync(path.dirname(settings), { recursive: true });
    fs.writeFileSync(settings, JSON.stringify({ 'workbench.startupEditor': 'none', 'telemetry.telemetryLevel': 'off' }, null, 2));
  }
  writeLanguage(userData, lang);
  const args = [
    '--new-window', '--wait', '--skip-welcome', '--locale', lang,
    ...(given === undefined ? ['--disable-workspace-trust'] : []),
    '--user-data-dir', userData, '--extensions-dir', at('out/start/extensions'),
    `--extensionDevelopmentPath=${root}`, folder,
  ];
  console.log(`Opening ${folder} in desktop VS Code. This ends when its window is closed.`);
  const code = await ended(start(command, args, { shell: process.platform === 'win32' }));
  if (code !== 0) throw new Stop(`${command} ended with ${code}`);
}

async function openServer(folder, { port, lang, folder: given }) {
  await ensureVscodeServer();
  const logFile = at('out/start/server.log');
  const dataDir = at('out/start/server-data');
  fs.mkdirSync(path.dirname(logFile), { recursive: true });
  const server = await startServer({
    port,
    locale: lang,
    token: randomBytes(16).toString('hex'),
    trust: given === undefined,
    dataDir,
    keepSettings: true,
    extension: root,
    log: fs.createWriteStream(logFile),
  });
  console.log(`Open ${workbenchUrl(server, { folder })}`);
  console.log('Ctrl+C ends it.');
  const crashed = ended(server.child).then((code) => {
    throw new Stop(`VS Code server ended with ${code}; its log is ${path.relative(process.cwd(), logFile)}`);
  });
  await Promise.race([crashed, whenStopped()]);
  await server.stop();
}

await main(async () => {
  const chosen = options();
  await ensureDependencies();
  await ensureBuilt();
  const folder = novelFolder(chosen.folder);
  const command = chosen.server ? undefined : desktop();
  if (command !== undefined) await openDesktop(command, folder, chosen);
  else await openServer(folder, chosen);
});
