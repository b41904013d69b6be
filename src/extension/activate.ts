import * as vscode from 'vscode';
import type { Secrets } from '../engine/index';
import { createAsks } from './asks';
import type { Conversation } from './conversation';
import { chaptersFeature } from './features/chapters/register';
import { createChatFeature } from './features/chat/register';
import type { ChatFeature } from './features/chat/register';
import { diagnosticsFeature } from './features/diagnostics/register';
import { diffFeature } from './features/diff/register';
import { historyFeature } from './features/history/register';
import { jobsFeature } from './features/jobs/register';
import { modelsFeature } from './features/models/register';
import { passageFeature } from './features/passage/register';
import { numbersFeature } from './features/numbers/register';
import { projectFeature } from './features/project/register';
import { quickDiffFeature } from './features/quick-diff/register';
import { reviewFeature } from './features/review/register';
import { rulesFeature } from './features/rules/register';
import { usageFeature } from './features/usage/register';
import type { ConversationMoved, Feature, Host } from './host';
import type { Translate } from './l10n/translate';
import { createHostModels } from './models/models';
import { createClock } from './ports/clock';
import { hostFetch } from './ports/fetch';
import { createIds } from './ports/ids';
import { createLog } from './ports/log';
import { createActiveProject } from './project/active-project';
import type { ActiveProject } from './project/active-project';
import { registerFeatures } from './register-features';
import { createUi } from './ui';
import { createHostUsage } from './usage/usage';
import type { HostUsage } from './usage/usage';

/** What other extensions, and the tests, may look at. Grows, never changes its meaning within a version. */
export interface LiyuanApi {
  readonly version: 1;
  /** The active project of this window, if there is one. */
  project(): { readonly root: vscode.Uri } | undefined;
  /** Only while the extension is developed or tested: everything. */
  readonly internal?: Host & Pick<ChatFeature, 'controller'>;
}

let active: ActiveProject | undefined;
let metered: HostUsage | undefined;

/** The secrets port, loaded with the first key that is asked for. */
function createLazySecrets(context: vscode.ExtensionContext): Secrets {
  let loaded: Promise<Secrets> | undefined;
  const load = (): Promise<Secrets> => (loaded ??= import('./ports/secrets').then(({ createSecrets }) => createSecrets(context)));
  return {
    get: async (name) => (await load()).get(name),
    set: async (name, value) => (await load()).set(name, value),
    delete: async (name) => (await load()).delete(name),
  };
}

/** The composition root. Light: whatever is heavy is loaded by the feature that needs it, when it needs it. */
export function activate(context: vscode.ExtensionContext): LiyuanApi {
  const started = performance.now();
  const channel = vscode.window.createOutputChannel('梨园 Liyuan', { log: true });
  const clock = createClock();
  const log = createLog(channel, clock);
  const ids = createIds();
  const t: Translate = (message, args) => (args === undefined ? vscode.l10n.t(message) : vscode.l10n.t(message, { ...args }));
  const secrets = createLazySecrets(context);
  const asks = createAsks();
  const editorLanguage = vscode.env.language.startsWith('zh') ? 'zh' : 'en';
  const usage = createHostUsage({ folder: context.globalStorageUri.fsPath, clock, log });
  const models = createHostModels({
    secrets,
    memory: context.globalState,
    clock,
    log,
    fetch: hostFetch,
    usage,
    language: () => active?.language() ?? editorLanguage,
  });
  const signals = {
    checkpointsChanged: new vscode.EventEmitter<void>(),
    conversationMoved: new vscode.EventEmitter<ConversationMoved>(),
    rulesChanged: new vscode.EventEmitter<void>(),
    turnStarted: new vscode.EventEmitter<void>(),
  };
  const project = createActiveProject({ context, log, clock, ids, models, ui: createUi(asks, t), budget: usage, onCheckpoint: () => { signals.checkpointsChanged.fire(); } });
  active = project;
  metered = usage;
  const conversation = async (): Promise<Conversation> => (await chat.controller()).conversation;
  const host: Host = { context, channel, log, clock, ids, secrets, t, project, models, usage, asks, signals, conversation };
  const chat = createChatFeature(host);
  const features: readonly Feature[] = [
    projectFeature,
    modelsFeature,
    diffFeature,
    chat,
    chaptersFeature,
    jobsFeature,
    historyFeature,
    reviewFeature,
    quickDiffFeature,
    passageFeature,
    numbersFeature,
    usageFeature,
    rulesFeature,
    diagnosticsFeature,
  ];
  context.subscriptions.push(channel, models, usage, ...Object.values(signals), registerFeatures(features, host));
  log.info('activated', { ms: Math.round(performance.now() - started), version: (context.extension.packageJSON as { readonly version: string }).version });
  return Object.freeze({
    version: 1 as const,
    project: () => (project.root === undefined ? undefined : { root: project.root }),
    ...(context.extensionMode === vscode.ExtensionMode.Production ? {} : { internal: { ...host, controller: () => chat.controller() } }),
  });
}

/** Waits until what is being written is on the disk and the locks are free. A turn that runs is left for the next window to go on with. */
export async function deactivate(): Promise<void> {
  await active?.dispose();
  await metered?.settled();
  active = undefined;
}
