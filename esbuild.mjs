// Builds everything that runs inside VS Code, and with --tests what the test runners load.
//   node esbuild.mjs [--production] [--watch] [--tests] [--dist <folder>]
// dist/extension.js           the host, CommonJS
// dist/chunks/*.js            what the host loads on first use: one piece for each import()
// dist/webview/<app>.js|.css  one pair per folder of webview/ that has a main.ts
// dist/webview/codicon.*      the icon font and its rules
// out/test/…                  integration and end-to-end tests
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { commonJsChunks } from './scripts/lib/common-js-chunks.mjs';
import { at, root } from './scripts/lib/paths.mjs';

const { production, watch, tests: withTests, dist } = parseArgs({
  options: {
    production: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    tests: { type: 'boolean', default: false },
    /** From the root, with `/`. */
    dist: { type: 'string', default: 'dist' },
  },
}).values;

/**
 * `@vscode/webview-ui-toolkit` names react as a peer. It must never get in.
 * @type {esbuild.Plugin}
 */
const noReact = {
  name: 'no-react',
  setup(build) {
    build.onResolve({ filter: /^(react|react-dom|@microsoft\/fast-react-wrapper)($|\/)/ }, ({ path: name, importer }) => ({
      errors: [{ text: `${name} must not be bundled (imported by ${path.relative(root, importer)})` }],
    }));
  },
};

/**
 * The harness uses scripts/ as they stand, so that they find the repository from their own place.
 * @type {esbuild.Plugin}
 */
const scriptsStayOutside = {
  name: 'scripts-stay-outside',
  setup(build) {
    build.onResolve({ filter: /\/scripts\/.*\.mjs$/ }, ({ path: name, resolveDir }) => ({
      path: pathToFileURL(path.resolve(resolveDir, name)).href,
      external: true,
    }));
  },
};

/** @type {esbuild.BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  metafile: true,
  logLevel: 'warning',
  sourcemap: production ? false : 'linked',
  minify: production,
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
};

const hostTarget = 'node20';

/** @type {esbuild.BuildOptions} */
const host = {
  ...common,
  platform: 'node',
  format: 'esm',
  splitting: true,
  write: false,
  chunkNames: 'chunks/[name]-[hash]',
  target: hostTarget,
  external: ['vscode'],
  outdir: dist,
  plugins: [noReact, commonJsChunks({ folder: at(dist), minify: production, target: hostTarget })],
};

/** Folders of webview/ that are apps. */
function webviewApps() {
  return fs.readdirSync(at('webview')).filter((name) => fs.existsSync(at('webview', name, 'main.ts')));
}

/** Files under `folder` whose names end in `ending`, as paths from the root. */
function filesEnding(folder, ending) {
  if (!fs.existsSync(at(folder))) return [];
  return fs.readdirSync(at(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .sort();
}

/** @returns {esbuild.BuildOptions[]} */
function hostBuilds() {
  const entries = { extension: 'src/extension/activate.ts', 'language-server': 'src/extension/language/server.ts' };
  const there = Object.entries(entries).filter(([, file]) => fs.existsSync(at(file)));
  return there.length === 0 ? [] : [{ ...host, entryPoints: Object.fromEntries(there) }];
}

/** @returns {esbuild.BuildOptions[]} */
function webviewBuilds() {
  const entryPoints = {};
  for (const app of webviewApps()) {
    entryPoints[app] = `webview/${app}/main.ts`;
    const sheet = ['main.css', `${app}.css`].find((name) => fs.existsSync(at('webview', app, name)));
    if (sheet !== undefined) entryPoints[`${app}-style`] = `webview/${app}/${sheet}`;
  }
  if (Object.keys(entryPoints).length === 0) return [];
  return [{
    ...common,
    plugins: [noReact, { name: 'style-names', setup: nameStyleSheets }],
    platform: 'browser',
    format: 'esm',
    target: 'chrome128',
    external: ['*.ttf'],
    tsconfig: 'webview/tsconfig.json',
    entryPoints,
    outdir: `${dist}/webview`,
  }];
}

/**
 * A style sheet beside main.ts becomes `<app>.css`; esbuild would not let it share the name of the script's own.
 * @param {esbuild.PluginBuild} build
 */
function nameStyleSheets(build) {
  build.onEnd(() => {
    for (const app of webviewApps()) {
      const made = at(dist, 'webview', `${app}-style.css`);
      if (fs.existsSync(made)) fs.renameSync(made, at(dist, 'webview', `${app}.css`));
      fs.rmSync(`${made}.map`, { force: true });
    }
  });
}

/** @returns {esbuild.BuildOptions[]} */
function testBuilds() {
  /** @type {esbuild.BuildOptions} */
  const tests = { ...common, minify: false, sourcemap: 'inline', platform: 'node', packages: 'external', plugins: [scriptsStayOutside] };
  const suite = ['test/integration/index.ts', ...filesEnding('test/integration', '.test.ts')];
  const builds = [
    { ...tests, format: 'cjs', target: 'node20', external: ['vscode'], entryPoints: suite, outbase: 'test', outdir: 'out/test' },
    { ...tests, format: 'esm', target: 'node20', outExtension: { '.js': '.mjs' }, entryPoints: ['test/integration/run.ts'], outbase: 'test', outdir: 'out/test' },
  ];
  const scenarios = filesEnding('test/e2e', '.e2e.ts');
  const list = scenarios.map((file, index) => `import * as s${index} from ${JSON.stringify(`./${file}`)};`).join('\n');
  const table = scenarios.map((file, index) => `[${JSON.stringify(path.basename(file, '.e2e.ts'))}, s${index}.scenarios]`).join(', ');
  builds.push({
    ...tests,
    format: 'esm',
    target: 'node20',
    stdin: {
      contents: `${list}\nimport { runScenarios } from './test/e2e/run';\nawait runScenarios([${table}]);\n`,
      resolveDir: root,
      sourcefile: 'e2e-entry.ts',
      loader: 'ts',
    },
    outfile: 'out/test/e2e/run.mjs',
  });
  return builds;
}

function copyIcons() {
  fs.mkdirSync(at(dist, 'webview'), { recursive: true });
  for (const name of ['codicon.css', 'codicon.ttf']) {
    fs.copyFileSync(at('node_modules/@vscode/codicons/dist', name), at(dist, 'webview', name));
  }
}

/** @param {esbuild.Metafile[]} metafiles */
function printSizes(metafiles) {
  const outputs = metafiles.flatMap((metafile) => Object.entries(metafile.outputs))
    .filter(([file]) => file.startsWith(`${dist}/`) && !file.endsWith('.map'));
  for (const [file, { bytes }] of outputs) {
    console.log(`${(bytes / 1024).toFixed(0).padStart(7)} KB  ${file.replace('-style.css', '.css')}`);
  }
}

/** @param {esbuild.Metafile[]} metafiles */
function refuseReact(metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const found = inputs.find((input) => /node_modules\/(react|react-dom)\//.test(input));
  if (found !== undefined) throw new Error(`react was bundled: ${found}`);
}

/**
 * What went into dist/, for the third-party notices.
 * @param {esbuild.Metafile[]} metafiles
 */
function recordInputs(metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.entries(metafile.outputs))
    .filter(([file]) => file.startsWith(`${dist}/`))
    .flatMap(([, output]) => Object.keys(output.inputs));
  fs.mkdirSync(at('out'), { recursive: true });
  fs.writeFileSync(at('out/bundled.json'), JSON.stringify({ inputs: [...new Set(inputs)].sort() }, null, 1));
}

const builds = [...hostBuilds(), ...webviewBuilds(), ...(withTests ? testBuilds() : [])];

if (watch) {
  copyIcons();
  const contexts = await Promise.all(builds.map((options) => esbuild.context({ ...options, logLevel: 'info' })));
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  if (production) fs.rmSync(at(dist), { recursive: true, force: true });
  copyIcons();
  try {
    const results = await Promise.all(builds.map((options) => esbuild.build(options)));
    const metafiles = results.flatMap((result) => result.metafile ?? []);
    refuseReact(metafiles);
    recordInputs(metafiles);
    printSizes(metafiles);
  } catch (error) {
    // esbuild has printed its messages already.
    if (!Array.isArray(error.errors)) console.error(error);
    process.exitCode = 1;
  }
}
