import * as vscode from 'vscode';
import { newChapterPlace } from '../../../engine/index';
import { showRefusal, writableProject } from '../../commands';
import { numbered } from './apply-plan';
import { chaptersNow, type ChapterDesk } from './desk';

/** Asks the agent for the chapter behind the last one: it proposes ways to go, the author chooses, it writes. In the conversation that is shown. */
export async function writeNext(desk: ChapterDesk): Promise<void> {
  const { host } = desk;
  const project = await writableProject(desk.host);
  const chapters = project === undefined ? undefined : await chaptersNow(desk, project);
  if (project === undefined || chapters === undefined) return;
  const { number } = newChapterPlace(project.engine.manuscript.folder, numbered(chapters));
  const words = project.engine.project.config.language === 'zh' ? `写下一章（第 ${number} 章）` : `Write the next chapter (chapter ${number})`;
  await vscode.commands.executeCommand('liyuan.chat.open');
  const started = await (await host.conversation()).run({ text: words, task: { kind: 'next-chapter' } }, () => undefined);
  if (!started.ok) await showRefusal(host, started.error);
}
