import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { root } from '../../../scripts/lib/paths.mjs';
import { capture } from '../../../scripts/lib/run.mjs';
import { startServer } from '../../../scripts/lib/server-process.mjs';
import { nodeBin, serverMain } from '../../../scripts/vscode-server.mjs';

type Server = Awaited<ReturnType<typeof startServer>>;

/** What cannot be changed once a server runs. */
export interface ServerKind {
  readonly locale?: 'en' | 'zh-cn' | undefined;
  /** Environment of its extension hosts. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Default true. */
  readonly trust?: boolean | undefined;
  /** A packed extension, installed before the server starts. */
  readonly vsix?: string | undefined;
}

/** Running VS Code servers, one for each kind, shared by scenarios that run one after the other. */
export interface Servers {
  /** A server of this kind with exactly these user settings on top of the pinned ones. */
  get(kind: ServerKind, settings: Readonly<Record<string, unknown>>): Promise<Server>;
  /** Where the servers' output goes from now on. */
  logTo(log: NodeJS.WritableStream | undefined): void;
  /** Ends all of them. */
  stop(): Promise<void>;
}

export function createServers(): Servers {
  const running = new Map<string, Server>();
  const folders: string[] = [];
  let log: NodeJS.WritableStream | undefined;
  const output = new Writable({
    write(chunk, _encoding, done) {
      log?.write(chunk as Buffer);
      done();
    },
  });

  /** Installs a packed extension into a fresh folder, as a user would. */
  async function install(vsix: string): Promise<readonly string[]> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'liyuan-extensions-'));
    folders.push(folder);
    const where = ['--extensions-dir', folder];
    const { code, stdout, stderr } = await capture(nodeBin, [serverMain, '--accept-server-license-terms', ...where, '--install-extension', vsix]);
    if (code !== 0) throw new Error(`The extension could not be installed: ${stdout}${stderr}`);
    return where;
  }

  return {
    async get(kind, settings) {
      const name = JSON.stringify([kind.locale ?? 'en', kind.trust ?? true, kind.vsix ?? '', Object.entries(kind.env ?? {}).sort()]);
      const there = running.get(name);
      if (there !== undefined && there.child.exitCode === null && there.child.signalCode === null) {
        there.configure(settings);
        return there;
      }
      const installed = kind.vsix === undefined ? [] : await install(kind.vsix);
      const server = await startServer({
        settings,
        env: { TZ: 'Asia/Shanghai', EXTENSIONS_GALLERY: '{}', ...kind.env },
        log: output,
        trust: kind.trust ?? true,
        ...(kind.vsix === undefined ? { extension: root } : {}),
        // A host whose window is gone for good is not kept waiting for it.
        extraArgs: ['--reconnection-grace-time', '10', ...installed],
        ...(kind.locale === undefined ? {} : { locale: kind.locale }),
      });
      running.set(name, server);
      return server;
    },
    logTo: (next) => { log = next; },
    async stop() {
      const all = [...running.values()];
      running.clear();
      await Promise.all(all.map((server) => server.stop()));
      for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}
