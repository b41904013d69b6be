// npm run bench: the cases of bench/*.bench.ts, one process per file. Prints a table, writes bench/results.json, and ends with 1
// when a goal was missed.   --only B1,B4   only these cases
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { at, root } from './lib/paths.mjs';
import { dependenciesAreInstalled, ensureDependencies } from './lib/requirements.mjs';
import { ended, main, run, start, Stop } from './lib/run.mjs';

const folder = at('out/bench');

/** Packages of others that are measured against; only the bench has them. */
async function ensureBaselines() {
  if (!fs.existsSync(at('bench/package-lock.json')) || dependenciesAreInstalled(at('bench'))) return;
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: at('bench') });
}

/** The case files, bundled into one program each; packages stay outside. */
async function bundle(names) {
  const esbuild = await import('esbuild');
  await Promise.all(names.map((name) => esbuild.build({
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'warning',
    plugins: [{
      name: 'scripts-stay-outside',
      setup(build) {
        build.onResolve({ filter: /\/scripts\/.*\.mjs$/ }, ({ path: file, resolveDir }) => ({ path: path.resolve(resolveDir, file), external: true }));
      },
    }],
    stdin: {
      contents: `import { cases } from './bench/${name}';\nimport { runCases } from './bench/framework';\nawait runCases(cases, process.argv[2], JSON.parse(process.argv[3]));\n`,
      resolveDir: root,
      sourcefile: 'bench-entry.ts',
      loader: 'ts',
    },
    // Beside the cases, so that the packages of bench/node_modules are found.
    outfile: at('bench/node_modules/.liyuan', `${name}.mjs`),
  })));
}

const number = (value) => (Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 1 ? value.toFixed(2) : value.toPrecision(3));

function printTable(rows) {
  const cells = rows.map((row) => [
    row.id,
    row.name,
    `${number(row.value)} ${row.unit}`,
    row.baseline === undefined ? '' : `${number(row.baseline)} ${row.unit}  ${row.baselineName ?? ''}`,
    row.ratio === undefined ? '' : `${number(row.ratio)} ×`,
    row.goal,
    row.ok ? 'ok' : 'MISSED',
  ]);
  const head = ['id', 'case', 'value', 'baseline', 'ratio', 'goal', ''];
  const widths = head.map((title, column) => Math.max(title.length, ...cells.map((line) => line[column].length)));
  const print = (line) => console.log(line.map((cell, column) => cell.padEnd(widths[column])).join('  ').trimEnd());
  console.log();
  print(head);
  for (const line of cells) print(line);
}

await main(async () => {
  const { values } = parseArgs({ options: { only: { type: 'string' } } });
  const only = values.only?.split(',') ?? [];
  await ensureDependencies();
  await ensureBaselines();
  const names = fs.readdirSync(at('bench')).filter((name) => name.endsWith('.bench.ts')).map((name) => name.slice(0, -'.ts'.length)).sort();
  if (names.length === 0) throw new Stop('No bench/*.bench.ts');
  fs.mkdirSync(folder, { recursive: true });
  await bundle(names);
  const rows = [];
  for (const name of names) {
    const result = path.join(folder, `${name}.json`);
    fs.rmSync(result, { force: true });
    const program = at('bench/node_modules/.liyuan', `${name}.mjs`);
    const code = await ended(start(process.execPath, ['--expose-gc', '--enable-source-maps', program, result, JSON.stringify(only)], { cwd: root }));
    if (fs.existsSync(result)) rows.push(...JSON.parse(fs.readFileSync(result, 'utf8')));
    else rows.push({ id: name, name: `ended with ${code}`, value: 0, unit: '', goal: 'runs', ok: false });
  }
  if (rows.length === 0) throw new Stop(`No case ${only.join(', ')}`, 2);
  printTable(rows);
  fs.writeFileSync(at('bench/results.json'), `${JSON.stringify(rows, null, 1)}\n`);
  const missed = rows.filter((row) => !row.ok).length;
  console.log(`\n${rows.length - missed} of ${rows.length} goals met; bench/results.json`);
  if (missed > 0) process.exitCode = 1;
});
