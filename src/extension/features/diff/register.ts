import * as vscode from 'vscode';
import { objectScheme, parseIdentity } from '../../diffs/object-uris';
import type { Feature, Host } from '../../host';
import { localiseError } from '../../l10n/localise-error';

/** Serves stored texts as read-only documents, for the left side of diffs. */
export const diffFeature: Feature = {
  name: 'diff',
  register: (host) => vscode.workspace.registerTextDocumentContentProvider(objectScheme, { provideTextDocumentContent: (uri) => storedText(host, uri) }),
};

async function storedText(host: Host, uri: vscode.Uri): Promise<string> {
  const identity = parseIdentity(uri.query);
  if (identity === undefined) throw new Error(`not a stored text: ${uri.toString()}`);
  if (identity.kind === 'nothing') return '';
  const project = await host.project.opened();
  if (!project.ok) throw new Error(localiseError(project.error, host.t));
  const bytes = await project.value.engine.objects.get(identity.sha);
  if (!bytes.ok) throw new Error(localiseError(bytes.error, host.t));
  const { decodeBytes } = await import('../../../engine/index');
  const decoded = decodeBytes(bytes.value);
  if (!decoded.ok) throw new Error(localiseError(decoded.error, host.t));
  return decoded.value.text;
}
