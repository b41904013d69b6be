// Child processes: started in their own group where that is possible, so that stopping one stops its children too.
import { spawn } from 'node:child_process';

const windows = process.platform === 'win32';
const running = new Set();

/** A command that could not be found or ended with a code other than 0. */
export class CommandFailed extends Error {
  constructor(command, code, output = '') {
    super(`${command} ended with ${code}${output ? `\n${output.trimEnd()}` : ''}`);
    this.name = 'CommandFailed';
    this.code = code;
  }
}

/** An error to show to people as one sentence, without a stack. The process ends with `exitCode`. */
export class Stop extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.name = 'Stop';
    this.exitCode = exitCode;
  }
}

/** Starts a command. Its whole group dies with `stopChild`, and with this process. */
export function start(command, args, options = {}) {
  const child = spawn(command, args, { stdio: 'inherit', detached: !windows, ...options });
  running.add(child);
  child.once('close', () => running.delete(child));
  child.once('error', () => running.delete(child));
  return child;
}

/** Resolves to the exit code; -1 for an end by signal. Rejects when the command does not exist. */
export function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode ?? -1);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? -1));
  });
}

/** Runs a command to its end with its output shown; throws `CommandFailed`. */
export async function run(command, args, options = {}) {
  const code = await ended(start(command, args, options));
  if (code !== 0) throw new CommandFailed(`${command} ${args.join(' ')}`, code);
}

/** Runs a command and returns what it printed: `{code, stdout, stderr}`. A missing command has code 127. */
export function capture(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = start(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => { stdout += text; });
    child.stderr.setEncoding('utf8').on('data', (text) => { stderr += text; });
    child.once('error', (error) => resolve({ code: 127, stdout, stderr: String(error) }));
    child.once('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
  });
}

function signalGroup(child, signal) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    if (windows) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** Asks a child and its group to end, and ends it by force after `graceMs`. */
export async function stopChild(child, graceMs = 5000) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => { child.once('close', resolve); });
  signalGroup(child, 'SIGTERM');
  const force = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
  await gone;
  clearTimeout(force);
}

const stopping = [];
const signals = [['SIGINT', 130], ['SIGTERM', 143], ['SIGHUP', 129]];
for (const [signal, code] of signals) {
  process.on(signal, () => {
    const waiting = stopping.splice(0);
    if (waiting.length > 0) {
      for (const stop of waiting) stop();
      return;
    }
    for (const child of running) signalGroup(child, 'SIGTERM');
    process.exit(code);
  });
}
process.once('exit', () => {
  for (const child of running) signalGroup(child, 'SIGTERM');
});

/** Resolves when the process is asked to end (Ctrl+C, or a signal); from then on it is the caller who ends it in good order. */
export function whenStopped() {
  return new Promise((resolve) => { stopping.push(resolve); });
}

/** Runs a script's main function: a `Stop` is told in one line, anything else with its stack. */
export async function main(work) {
  try {
    await work();
  } catch (error) {
    console.error(error instanceof Stop || error instanceof CommandFailed ? error.message : error);
    process.exitCode = error.exitCode ?? 1;
  }
}
