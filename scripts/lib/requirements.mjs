// What must be on the machine before anything can run. Debian as root: installed here. Elsewhere: the one missing command is
// printed and the process ends with 2.
import fs from 'node:fs';
import path from 'node:path';
import { at, root } from './paths.mjs';
import { capture, run, Stop } from './run.mjs';

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** Path of a program on the PATH, or undefined. */
export function which(name) {
  const names = process.platform === 'win32' ? [`${name}.cmd`, `${name}.exe`, name] : [name];
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    for (const candidate of names) {
      const file = path.join(folder, candidate);
      if (folder !== '' && fs.existsSync(file)) return file;
    }
  }
  return undefined;
}

const browserPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** A Chromium to drive: `CHROMIUM_PATH`, or one in a usual place; undefined when there is none. */
export function findChromium() {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH) return CHROMIUM_PATH;
  return browserPlaces.find((file) => fs.existsSync(file));
}

async function hasCjkFont() {
  if (process.platform !== 'linux') return true;
  const { code, stdout } = await capture('fc-list', [':lang=zh', 'family']);
  return code === 0 && stdout.trim() !== '';
}

/** @returns the Debian packages that are missing for `needs`: any of 'browser', 'font', 'compiler'. */
async function missingPackages(needs) {
  const missing = [];
  if (needs.includes('browser') && !findChromium()) missing.push('chromium');
  if (needs.includes('font') && !(await hasCjkFont())) missing.push('fontconfig', 'fonts-noto-cjk');
  if (needs.includes('compiler')) {
    if (!which('g++')) missing.push('g++');
    if (!which('make')) missing.push('make');
    if (!which('python3')) missing.push('python3');
  }
  return missing;
}

/** Sees to programs and fonts. `needs`: any of 'browser', 'font', 'compiler'. */
export async function ensureSystem(needs) {
  const missing = await missingPackages(needs);
  if (missing.length === 0) return;
  const install = ['install', '-y', '--no-install-recommends', ...missing];
  const isRoot = process.getuid?.() === 0;
  if (!which('apt-get') || !isRoot) {
    const command = which('apt-get')
      ? `sudo apt-get update && sudo apt-get ${install.join(' ')}`
      : process.platform === 'darwin' ? 'brew install --cask chromium && xcode-select --install' : `install: ${missing.join(' ')}`;
    throw new Stop(`Missing on this machine: ${missing.join(', ')}. Run:\n  ${command}`, 2);
  }
  console.log(`Installing ${missing.join(', ')} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-qq'], { env });
  await run('apt-get', ['-qq', ...install], { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

function readLock(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).packages;
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether what is in `folder/node_modules` is what `folder/package-lock.json` asks for. */
export function dependenciesAreInstalled(folder = root) {
  const wanted = readLock(path.join(folder, 'package-lock.json'));
  const present = readLock(path.join(folder, 'node_modules/.package-lock.json'));
  if (wanted === undefined) throw new Stop(`No readable package-lock.json in ${folder}`);
  if (present === undefined) return false;
  return Object.entries(wanted).every(([place, entry]) =>
    place === '' || entry.optional || entry.devOptional || (present[place]?.version === entry.version && fs.existsSync(path.join(folder, place))));
}

/** `npm ci` when the lockfile and `node_modules` disagree. */
export async function ensureDependencies() {
  checkNode();
  if (dependenciesAreInstalled()) return;
  console.log('Installing npm packages …');
  await run(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root });
}

function checkNode() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 20) throw new Stop(`Node 20 or newer is needed; this is ${process.version}.`, 2);
}

/** Whether the built extension is older than its sources, or missing. */
export function buildIsStale() {
  const built = at('dist/extension.js');
  if (!fs.existsSync(built)) return true;
  const builtAt = fs.statSync(built).mtimeMs;
  const sources = ['src', 'webview', 'media', 'l10n', 'esbuild.mjs', 'package-lock.json'].map((name) => at(name));
  return sources.some((source) => newest(source) > builtAt);
}

function newest(place) {
  const stat = fs.statSync(place, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return fs.readdirSync(place).reduce((latest, name) => Math.max(latest, newest(path.join(place, name))), 0);
}

/** Builds the extension when it is missing or older than its sources. */
export async function ensureBuilt() {
  if (!buildIsStale()) return;
  await run(process.execPath, [at('esbuild.mjs')], { cwd: root });
}
