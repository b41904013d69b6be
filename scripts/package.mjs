// npm run package [-- --out <file>]: liyuan-<version>.vsix. Refused when it or what is read at activation is too large, or something is missing or too much.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { packedReadme } from './lib/packed-readme.mjs';
import { at, root } from './lib/paths.mjs';
import { ensureDependencies } from './lib/requirements.mjs';
import { capture, CommandFailed, main, run, Stop } from './lib/run.mjs';
import { writeNotices } from './notices.mjs';

const activationLimitBytes = 150_000;
const limitBytes = 3_000_000;
/** Put together apart, so that neither dist/ nor a running window notices. */
const stage = at('out/package');
const shipped = [
  '.vscodeignore', 'CHANGELOG.md', 'LICENSE', 'assets', 'l10n', 'media',
  'package.json', 'package.nls.json', 'package.nls.zh-cn.json',
];

async function vsce(args) {
  const { code, stdout, stderr } = await capture(process.execPath, [at('node_modules/@vscode/vsce/vsce'), ...args], { cwd: stage });
  if (code !== 0) throw new CommandFailed(`vsce ${args[0]}`, code, `${stdout}${stderr}`);
  return stdout;
}

/** Files that would ship: nothing outside the allow-list, no source map, nothing of the tests. */
async function checkFiles() {
  const files = (await vsce(['ls', '--no-dependencies'])).split('\n').map((line) => line.trim()).filter((line) => line !== '');
  const wanted = ['package.json', 'package.nls.json', 'package.nls.zh-cn.json', 'dist/extension.js', 'dist/webview/chat.js', 'LICENSE', 'README.md', 'ThirdPartyNotices.txt'];
  const missing = wanted.filter((file) => !files.includes(file));
  if (missing.length > 0) throw new Stop(`Would be missing from the package: ${missing.join(', ')}`);
  const stray = files.filter((file) => /^(src|test|node_modules|scripts|out|bench|docs)\//.test(file) || file.endsWith('.map'));
  if (stray.length > 0) throw new Stop(`Would be in the package by mistake: ${stray.slice(0, 10).join(', ')}`);
}

/** What is read at every activation stays small: whatever is heavy belongs behind an import(). */
function checkActivation() {
  const { size } = fs.statSync(path.join(stage, 'dist/extension.js'));
  if (size > activationLimitBytes) throw new Stop(`dist/extension.js is ${size} bytes, more than ${activationLimitBytes}: import what is heavy dynamically`);
}

await main(async () => {
  const { values } = parseArgs({ options: { out: { type: 'string' } } });
  await ensureDependencies();
  fs.rmSync(stage, { recursive: true, force: true });
  fs.mkdirSync(stage, { recursive: true });
  for (const name of shipped) fs.cpSync(at(name), path.join(stage, name), { recursive: true });
  fs.writeFileSync(path.join(stage, 'README.md'), packedReadme(fs.readFileSync(at('README.md'), 'utf8'), fs.readFileSync(at('README.zh-CN.md'), 'utf8')));
  await run(process.execPath, ['esbuild.mjs', '--production', '--dist', 'out/package/dist'], { cwd: root });
  const { inputs } = JSON.parse(fs.readFileSync(at('out/bundled.json'), 'utf8'));
  console.log(`${writeNotices(inputs, path.join(stage, 'ThirdPartyNotices.txt'))} packages named in ThirdPartyNotices.txt`);
  await checkFiles();
  checkActivation();
  const { name, version } = JSON.parse(fs.readFileSync(at('package.json'), 'utf8'));
  const file = path.resolve(values.out ?? at(`${name}-${version}.vsix`));
  await vsce(['package', '--no-dependencies', '--allow-missing-repository', '--out', file]);
  const { size } = fs.statSync(file);
  console.log(`${path.relative(process.cwd(), file)}: ${(size / 1_000_000).toFixed(2)} MB`);
  if (size > limitBytes) {
    fs.rmSync(file);
    throw new Stop(`Larger than ${limitBytes / 1_000_000} MB: not kept`);
  }
});
