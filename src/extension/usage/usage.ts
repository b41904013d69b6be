import fs from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Budget, Clock, Log, MeasuredAs, ModelClient, UsageMeter, UsageStore } from '../../engine/index';
import { dayLimits } from './settings';

/** What calls to models have taken, of all projects: it belongs to the person, so it lies in the extension's own storage. */
export interface HostUsage extends Budget, vscode.Disposable {
  measured(client: ModelClient, as: MeasuredAs): Promise<ModelClient>;
  store(): Promise<UsageStore>;
  /** A call was noted in this window. */
  readonly onDidChange: vscode.Event<void>;
  /** Tells about a change that is no call. */
  changed(): void;
  /** Resolves when what has ended by now is on the disk. */
  settled(): Promise<void>;
}

export interface HostUsageDeps {
  /** Absolute path of the extension's storage. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Light: what keeps the figures is loaded with the first call, or with the page that shows them. */
export function createHostUsage({ folder, clock, log }: HostUsageDeps): HostUsage {
  const emitter = new vscode.EventEmitter<void>();
  let loading: Promise<{ readonly store: UsageStore; readonly meter: UsageMeter }> | undefined;

  const load = (): NonNullable<typeof loading> =>
    (loading ??= import('../../engine/index').then(async ({ createNodeFiles, createUsageMeter, createUsageStore, countTokens }) => {
      // VS Code names the folder and leaves the making of it to us.
      await fs.mkdir(folder, { recursive: true }).catch((error: unknown) => { log.warn('usage: no folder to keep it in', { error: String(error) }); });
      const store = createUsageStore({ files: createNodeFiles(folder), clock, log });
      void store.tidy();
      return { store, meter: createUsageMeter({ store, clock, log, countTokens, limits: dayLimits, onNoted: () => { emitter.fire(); } }) };
    }));

  return {
    measured: async (client, as) => (await load()).meter.measured(client, as),
    store: async () => (await load()).store,
    allow: async (scope) => {
      await (await load()).meter.allow(scope);
      emitter.fire();
    },
    onDidChange: emitter.event,
    changed: () => { emitter.fire(); },
    settled: async () => (await loading)?.meter.settled(),
    dispose: () => { emitter.dispose(); },
  };
}
