// VS Code's host loads CommonJS only, and esbuild splits only ES modules: so the host is built as ES modules, split where it
// imports dynamically, and each piece is then turned into CommonJS. What is not needed at activation is not read at activation.
import fs from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';

const isScript = (file) => file.endsWith('.js');

/**
 * @param {{ readonly folder: string, readonly minify: boolean, readonly target: string }} options `folder`: where the build writes to.
 * @returns {esbuild.Plugin} For a build with `format: 'esm'`, `splitting: true`, `write: false`.
 */
export function commonJsChunks({ folder, minify, target }) {
  return {
    name: 'common-js-chunks',
    setup(build) {
      build.onEnd(async ({ outputFiles = [] }) => {
        fs.rmSync(path.join(folder, 'chunks'), { recursive: true, force: true });
        const maps = new Map(outputFiles.filter(({ path: file }) => file.endsWith('.js.map')).map(({ path: file, text }) => [file, text]));
        await Promise.all(outputFiles.filter(({ path: file }) => isScript(file)).map((output) => write(output, maps.get(`${output.path}.map`))));
      });
    },
  };

  async function write({ path: file, text }, map) {
    const inline = map === undefined ? '' : `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`;
    const made = await esbuild.transform(text.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '') + inline, {
      loader: 'js',
      format: 'cjs',
      platform: 'node',
      target,
      minify,
      supported: { 'dynamic-import': false },
      sourcemap: map === undefined ? false : 'external',
      sourcefile: path.basename(file),
    });
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, map === undefined ? made.code : `${made.code}//# sourceMappingURL=${path.basename(file)}.map\n`);
    if (map !== undefined) fs.writeFileSync(`${file}.map`, made.map);
  }
}
