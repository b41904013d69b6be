import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { JsonScript } from './script';
import { startModelServer } from './server';

/** The server as a process: `--script <file.json>`, `--port <n>`, `--key <key>`, `--models a,b`. Prints its address as one line of JSON. */
const { values } = parseArgs({
  options: { script: { type: 'string' }, port: { type: 'string' }, key: { type: 'string' }, models: { type: 'string' } },
});
const script = values.script === undefined ? undefined : (JSON.parse(await readFile(values.script, 'utf8')) as JsonScript);
const server = await startModelServer({
  ...(script === undefined ? {} : { script }),
  ...(values.port === undefined ? {} : { port: Number(values.port) }),
  ...(values.key === undefined ? {} : { apiKey: values.key }),
  ...(values.models === undefined ? {} : { models: values.models.split(',') }),
});
process.stdout.write(`${JSON.stringify({ origin: server.origin, baseUrl: server.baseUrl })}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
