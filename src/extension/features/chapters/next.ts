import { newChapterPlace } from '../../../engine/index';
import { numbered } from './apply-plan';
import { chaptersNow, writable, type ChapterDesk } from './desk';

/** Asks the agent for the chapter behind the last one: it proposes ways to go, the author chooses, it writes. In the conversation that is shown. */
export async function writeNext(desk: ChapterDesk): Promise<void> {
  const { host } = desk;
  const project = await writable(desk);
  const chapters = project === undefined ? undefined : await chaptersNow(desk, project);
  if (project === undefined || chapters === undefined) return;
  const { number } = newChapterPlace(project.engine.manuscript.folder, numbered(chapters));
  const words = project.engine.project.config.language === 'zh' ? `写下一章（第 ${number} 章）` : `Write the next chapter (chapter ${number})`;
  host.signals.turnRequested.fire({ text: words, task: { kind: 'next-chapter' } });
}
