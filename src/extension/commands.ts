import * as vscode from 'vscode';
import type { EngineError } from '../engine/index';
import type { Host } from './host';
import { localiseError } from './l10n/localise-error';
import type { OpenProject } from './project/active-project';

/** The typed refusal inside a thrown failure, if it is one of the engine's. */
export function refusalOf(error: unknown): EngineError | undefined {
  if (!(error instanceof Error) || error.name !== 'EngineFailure' || !('error' in error)) return undefined;
  return error.error as EngineError;
}

/** Shows a refusal in the person's language; the log is one click away for what they cannot mend. */
export async function showRefusal(host: Host, error: EngineError): Promise<void> {
  host.log.warn('refused', { code: error.code, cause: error.cause ?? '' });
  const log = host.t('Show the log');
  const chosen = await vscode.window.showErrorMessage(localiseError(error, host.t), log);
  if (chosen === log) host.channel.show();
}

/** The project, for what writes. `undefined`: there is none, or its folder is not trusted; that has been told. */
export async function writableProject(host: Host): Promise<OpenProject | undefined> {
  const project = await host.project.opened();
  if (!project.ok) await showRefusal(host, project.error);
  else if (project.value.readOnly) await showRefusal(host, { code: 'workspace.untrusted' });
  else return project.value;
  return undefined;
}

/** Registers a command whose failures are told to the person, not only thrown. */
export function registerCommand<A extends readonly unknown[]>(host: Host, id: string, run: (...args: A) => unknown): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (...args: unknown[]) => {
    try {
      return await run(...(args as unknown as A));
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) host.log.error('command failed', { id, error: String(error instanceof Error ? error.stack : error) });
      void showRefusal(host, refusal ?? { code: 'internal' });
      return undefined;
    }
  });
}
