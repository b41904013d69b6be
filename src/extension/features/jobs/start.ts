import * as vscode from 'vscode';
import type { Chapter, JobPlan } from '../../../engine/index';
import { withCancel } from '../../cancellable';
import { showRefusal, writableProject } from '../../commands';
import type { Host } from '../../host';
import type { JobModel } from './model';
import { numbersIn, planDetail } from './words';

/** Asks what is to be done and where, shows what it would take, and begins. */
export async function startJob(host: Host, model: JobModel): Promise<void> {
  const project = await writableProject(host);
  if (project === undefined) return;
  await model.follow(project);
  const open = model.job;
  if (open !== undefined && (open.state === 'running' || open.state === 'paused')) return showRefusal(host, { code: 'job.open' });
  const chapters = await project.engine.manuscript.chapters();
  if (!chapters.ok) return showRefusal(host, chapters.error);
  const instruction = await askInstruction(host);
  if (instruction === undefined) return;
  const paths = await askScope(host, chapters.value);
  if (paths === undefined || paths.length === 0) return;
  const plan = await withCancel(host.t('Counting what it would take'), (signal) => project.engine.jobs.plan({ instruction, paths }, signal));
  if (!plan.ok) {
    if (plan.error.code !== 'turn.aborted') await showRefusal(host, plan.error);
    return;
  }
  const chosen = await confirmed(host, instruction, paths, plan.value);
  if (chosen === undefined) return;
  const started = await project.engine.jobs.start({ instruction, paths: chosen });
  if (!started.ok) await showRefusal(host, started.error);
}

async function askInstruction({ t }: Host): Promise<string | undefined> {
  const said = await vscode.window.showInputBox({
    title: t('Change the Whole Book'),
    prompt: t('What is to be done in every chapter? In your own words.'),
    placeHolder: t('e.g. Change “A” to “B”'),
    ignoreFocusOut: true,
  });
  const words = said?.trim() ?? '';
  return words === '' ? undefined : words;
}

interface ScopeItem extends vscode.QuickPickItem {
  readonly paths: readonly string[] | 'choose';
}

async function askScope({ t }: Host, chapters: readonly Chapter[]): Promise<readonly string[] | undefined> {
  const pathsOf = (inside: readonly Chapter[]): readonly string[] => inside.map(({ path }) => path);
  const counted = (count: number): string => t('{count} chapters', { count });
  const volumes = [...new Set(chapters.map(({ volume }) => volume))].filter((volume) => volume !== '');
  const items: readonly ScopeItem[] = [
    { label: t('The whole book'), description: counted(chapters.length), paths: pathsOf(chapters) },
    ...volumes.map((volume) => {
      const inside = chapters.filter((chapter) => chapter.volume === volume || chapter.volume.startsWith(`${volume}/`));
      return { label: volume, description: counted(inside.length), paths: pathsOf(inside) };
    }),
    { label: t('Chosen chapters…'), paths: 'choose' },
  ];
  const scope = await vscode.window.showQuickPick(items, { title: t('Change the Whole Book'), placeHolder: t('In which chapters?'), ignoreFocusOut: true });
  if (scope?.paths !== 'choose') return scope?.paths;
  const rows = chapters.map(({ title, volume, path }) => ({ label: title, description: volume, path }));
  const chosen = await vscode.window.showQuickPick(rows, { title: t('Change the Whole Book'), placeHolder: t('Mark the chapters'), canPickMany: true, ignoreFocusOut: true });
  return chosen?.map(({ path }) => path);
}

/** The chapters to begin with; nothing has been sent so far. */
async function confirmed({ t }: Host, instruction: string, paths: readonly string[], plan: JobPlan): Promise<readonly string[] | undefined> {
  const { literal } = plan;
  if (literal?.paths.length === 0) {
    void vscode.window.showInformationMessage(t('“{words}” stands in none of these chapters. Nothing was sent.', { words: literal.words }));
    return undefined;
  }
  const all = t('Start with all {count} chapters', { count: paths.length });
  const some = literal === undefined || literal.paths.length === paths.length ? undefined : t('Start with these {count} chapters', { count: literal.paths.length });
  const detail = planDetail(t, plan, numbersIn(vscode.env.language));
  const answer = await vscode.window.showWarningMessage(instruction, { modal: true, detail }, ...(some === undefined ? [all] : [some, all]));
  if (answer === undefined) return undefined;
  return answer === some ? literal?.paths : paths;
}
