import type * as vscode from 'vscode';
import type { Clock, Ids, Log, Mention, Secrets } from '../engine/index';
import type { Conversation } from './conversation';
import type { Translate } from './l10n/translate';
import type { Asks } from './asks';
import type { ActiveProject } from './project/active-project';
import type { HostModels } from './models/models';
import type { HostUsage } from './usage/usage';
import type { LogEvent } from './ports/log';

/** The conversation of a session went back to an earlier place; `words` are for the input box. */
export interface ConversationMoved {
  readonly sessionId: string;
  readonly words?: string;
  /** What those words pointed at. */
  readonly mentions?: readonly Mention[];
}

/** News between features, which do not know one another. */
export interface HostSignals {
  readonly checkpointsChanged: vscode.EventEmitter<void>;
  readonly conversationMoved: vscode.EventEmitter<ConversationMoved>;
  /** The author's standing rules, or whether they are used, have changed. */
  readonly rulesChanged: vscode.EventEmitter<void>;
  /** A turn has begun. */
  readonly turnStarted: vscode.EventEmitter<void>;
}

/** What every feature is given. Made once, in `activate`. */
export interface Host {
  readonly context: vscode.ExtensionContext;
  readonly channel: vscode.LogOutputChannel;
  readonly log: Log & { recent(): readonly LogEvent[] };
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secrets: Secrets;
  readonly t: Translate;
  readonly project: ActiveProject;
  readonly models: HostModels;
  readonly usage: HostUsage;
  readonly asks: Asks;
  readonly signals: HostSignals;
  /** Loads the chat when nobody has yet. */
  conversation(): Promise<Conversation>;
}

/** One feature: registers what it contributes; light, since it runs at activation. */
export interface Feature {
  readonly name: string;
  register(host: Host): vscode.Disposable;
}
