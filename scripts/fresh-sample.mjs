// A fresh copy of the sample novel at out/sample-novel, for the launch configurations.
import fs from 'node:fs';
import { at, sampleNovel } from './lib/paths.mjs';

fs.rmSync(at('out/sample-novel'), { recursive: true, force: true });
fs.cpSync(sampleNovel, at('out/sample-novel'), { recursive: true });
console.log(at('out/sample-novel'));
