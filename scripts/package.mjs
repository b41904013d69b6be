// npm run package: liyuan-<version>.vsix. Refused above 3 MB, or when something is missing or inside that should not be.
import fs from 'node:fs';
import { at, root } from './lib/paths.mjs';
import { ensureDependencies } from './lib/requirements.mjs';
import { capture, CommandFailed, main, run, Stop } from './lib/run.mjs';
import { writeNotices } from './notices.mjs';

const limitBytes = 3_000_000;

async function vsce(args) {
  const { code, stdout, stderr } = await capture(process.execPath, ['node_modules/@vscode/vsce/vsce', ...args], { cwd: root });
  if (code !== 0) throw new CommandFailed(`vsce ${args[0]}`, code, `${stdout}${stderr}`);
  return stdout;
}

/** Files that would ship: nothing outside the allow-list, no source map, nothing of the tests. */
async function checkFiles() {
  const files = (await vsce(['ls', '--no-dependencies'])).split('\n').map((line) => line.trim()).filter((line) => line !== '');
  const wanted = ['package.json', 'package.nls.json', 'package.nls.zh-cn.json', 'dist/extension.js', 'dist/webview/chat.js', 'LICENSE', 'ThirdPartyNotices.txt'];
  const missing = wanted.filter((file) => !files.includes(file));
  if (missing.length > 0) throw new Stop(`Would be missing from the package: ${missing.join(', ')}`);
  const stray = files.filter((file) => /^(src|test|node_modules|scripts|out|bench|docs)\//.test(file) || file.endsWith('.map'));
  if (stray.length > 0) throw new Stop(`Would be in the package by mistake: ${stray.slice(0, 10).join(', ')}`);
}

await main(async () => {
  await ensureDependencies();
  await run(process.execPath, ['esbuild.mjs', '--production'], { cwd: root });
  const { inputs } = JSON.parse(fs.readFileSync(at('out/bundled.json'), 'utf8'));
  console.log(`${writeNotices(inputs)} packages named in ThirdPartyNotices.txt`);
  await checkFiles();
  const { name, version } = JSON.parse(fs.readFileSync(at('package.json'), 'utf8'));
  const file = `${name}-${version}.vsix`;
  await vsce(['package', '--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '--out', file]);
  const { size } = fs.statSync(at(file));
  console.log(`${file}: ${(size / 1_000_000).toFixed(2)} MB`);
  if (size > limitBytes) {
    fs.rmSync(at(file));
    throw new Stop(`Larger than ${limitBytes / 1_000_000} MB: not kept`);
  }
});
