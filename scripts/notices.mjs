// ThirdPartyNotices.txt: the licences of what is really inside the bundles (esbuild's record of them) and of the icon font.
// Fails when a licence is not one of those the project takes.
import fs from 'node:fs';
import path from 'node:path';
import { at } from './lib/paths.mjs';
import { Stop } from './lib/run.mjs';

const accepted = new Set(['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MPL-2.0']);
/** Taken although outside that list, with the reason. */
const exceptions = new Map([['@vscode/codicons', 'CC-BY-4.0 (icons; named here as it asks)']]);

/** `node_modules/a/node_modules/@b/c/x.js` -> `node_modules/a/node_modules/@b/c` */
export function packageFolder(input) {
  const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
  return match?.[1];
}

/** An SPDX expression as it stands in package.json is fine when one of its alternatives is. */
export function licenceIsAccepted(licence) {
  return licence.replace(/[()]/g, '').split(' OR ').some((choice) => accepted.has(choice.trim()));
}

function licenceText(folder) {
  const name = fs.readdirSync(folder).find((file) => /^licen[cs]e(\.|$)/i.test(file));
  return name === undefined ? undefined : fs.readFileSync(path.join(folder, name), 'utf8').trim();
}

/** Writes the notices for these esbuild inputs into `file`; returns how many packages they name. */
export function writeNotices(inputs, file) {
  const folders = new Set(inputs.map(packageFolder).filter((folder) => folder !== undefined));
  folders.add('node_modules/@vscode/codicons');
  const entries = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(fs.readFileSync(at(folder, 'package.json'), 'utf8'));
    const licence = typeof license === 'string' ? license : (license?.type ?? 'unknown');
    if (!licenceIsAccepted(licence) && !exceptions.has(name)) throw new Stop(`${name}@${version} has the licence ${licence}, which the project does not take`);
    return { name, version, licence, text: licenceText(at(folder)) };
  }).sort((a, b) => (a.name < b.name ? -1 : 1));
  const body = entries.map(({ name, version, licence, text }) =>
    `${'='.repeat(80)}\n${name} ${version}\nLicence: ${exceptions.get(name) ?? licence}\n\n${text ?? '(the package carries no licence file)'}\n`);
  fs.writeFileSync(file, `Liyuan contains the following works of others.\n\n${body.join('\n')}`);
  return entries.length;
}
