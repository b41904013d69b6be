import * as vscode from 'vscode';
import { showRefusal } from '../../commands';
import type { Host } from '../../host';
import type { OpenProject } from '../../project/active-project';
import { uriIn } from '../../project/uris';

const outlineName = /大纲|细纲|outline/iu;

/** The project's folder for outlines; `undefined`: none of its folders is named so. */
export function outlineFolder({ engine }: OpenProject): string | undefined {
  return engine.project.config.folders.texts.find((folder) => outlineName.test(folder));
}

/** Its texts, in order. */
export async function outlineFiles(project: OpenProject): Promise<readonly string[]> {
  const folder = outlineFolder(project);
  if (folder === undefined) return [];
  const { compareNatural } = await import('../../../engine/index');
  const files = await project.documents.list(folder);
  return files.map(({ path }) => path).filter((path) => /\.(?:md|txt)$/i.test(path)).sort(compareNatural);
}

/** Opens the outline; a project without one gets a small one to begin with, in its own language. */
export async function openOutline(host: Host): Promise<void> {
  const project = await host.project.opened();
  if (!project.ok) return showRefusal(host, project.error);
  const { engine, documents, root, readOnly } = project.value;
  const [first] = await outlineFiles(project.value);
  let path = first;
  if (path === undefined) {
    if (readOnly) return showRefusal(host, { code: 'workspace.untrusted' });
    const { language, folders } = engine.project.config;
    const known = outlineFolder(project.value);
    const folder = known ?? (language === 'zh' ? '大纲' : 'outline');
    if (known === undefined) {
      const updated = await engine.project.update({ folders: { ...folders, texts: [folder, ...folders.texts] } });
      if (!updated.ok) return showRefusal(host, updated.error);
    }
    path = `${folder}/${language === 'zh' ? '大纲' : 'outline'}.md`;
    const template = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(host.context.extensionUri, 'assets', 'templates', language, 'outline.md'));
    const title = engine.project.config.title;
    const created = await documents.create(path, new TextDecoder().decode(template).replace('{title}', () => title));
    if (!created.ok) return showRefusal(host, created.error);
  }
  await vscode.window.showTextDocument(uriIn(root, path), { preview: false });
}
