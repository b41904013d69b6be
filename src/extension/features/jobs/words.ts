import type { JobChapter, JobEstimate, JobPlan, JobProgress, JobView } from '../../../engine/index';
import { moneyWords } from '../../l10n/money';
import { wordsChanged } from '../../diffs/word-counts';
import type { Translate } from '../../l10n/translate';

/** Numbers as people read them: 「1,203」, and 「190万」 or “1.9M” where only the size counts. */
export interface Numbers {
  readonly exact: (value: number) => string;
  readonly about: (value: number) => string;
}

export function numbersIn(language: string): Numbers {
  const exact = new Intl.NumberFormat(language);
  const about = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  return { exact: (value) => exact.format(value), about: (value) => about.format(value) };
}

/** 「120/300 · +1203 / −1203 字 · 2 章未成」 */
export function progressWords(t: Translate, progress: JobProgress): string {
  const { settled, total, failed, added, removed } = progress;
  return [
    `${settled}/${total}`,
    ...(added + removed === 0 ? [] : [wordsChanged(t, { added, removed })]),
    ...(failed === 0 ? [] : [t('{count} failed', { count: failed })]),
  ].join(' · ');
}

/** How a job has come out: 「改了 12 章，3 章没有改动 · +1,203 / −1,203 字 · 2 章没做成」 */
export function resultWords(t: Translate, chapters: readonly JobChapter[], { added, removed, failed }: JobProgress): string {
  const count = (state: JobChapter['state']): number => chapters.filter((chapter) => chapter.state === state).length;
  return [
    t('{changed} chapters changed, {same} left as they are', { changed: count('done'), same: count('skipped') }),
    ...(added + removed === 0 ? [] : [wordsChanged(t, { added, removed })]),
    ...(failed === 0 ? [] : [t('{count} failed', { count: failed })]),
  ].join(' · ');
}

/** What the whole job is at, in a few words. */
export function stateWords(t: Translate, job: JobView): string {
  switch (job.state) {
    case 'running':
      if (job.blocked) return t('Waiting for another turn to end');
      return job.pausing ? t('Pausing after this chapter') : t('Under way');
    case 'paused':
      return t('Paused');
    case 'finished':
      return t('Finished');
    case 'takenBack':
      return t('Taken back');
  }
}

/** What a chapter is at. `why`: words for the code of a failure. */
export function chapterWords(t: Translate, chapter: JobChapter, running: boolean, why: (code: string) => string): string {
  const { state, added = 0, removed = 0, proposed = false, code } = chapter;
  const counts = wordsChanged(t, { added, removed });
  switch (state) {
    case 'waiting':
      return t('waits');
    case 'running':
      return running ? t('under way') : t('interrupted');
    case 'done':
      return proposed ? t('proposed {words}', { words: counts }) : counts;
    case 'skipped':
      return t('unchanged');
    case 'undone':
      return t('taken back');
    case 'failed':
      return added + removed === 0 ? why(code ?? 'internal') : `${counts} · ${why(code ?? 'internal')}`;
  }
}

export function estimateWords(t: Translate, estimate: JobEstimate, { about, exact }: Numbers): string {
  const size = t('{chapters} chapters, about {in} tokens in and {out} tokens out', { chapters: exact(estimate.chapters), in: about(estimate.tokensIn), out: about(estimate.tokensOut) });
  const calls = t(', {calls} calls to the model.', { calls: exact(estimate.calls) });
  const { cost } = estimate;
  return `${size}${calls}${cost === undefined ? '' : t(' About {cost}, less what the service has cached.', { cost: moneyWords(cost.amount, cost.currency) })}`;
}

/** What is shown before anything is sent. */
export function planDetail(t: Translate, { all, literal }: JobPlan, numbers: Numbers): string {
  const some = literal !== undefined && literal.paths.length < all.chapters;
  const lines = [
    ...(literal === undefined ? [] : [t('“{words}” stands in {chapters} of {all} chapters, {places} times.', { words: literal.words, chapters: numbers.exact(literal.paths.length), all: numbers.exact(all.chapters), places: numbers.exact(literal.places) })]),
    some ? t('Only those: {estimate}', { estimate: estimateWords(t, literal.estimate, numbers) }) : estimateWords(t, all, numbers),
    ...(some ? [t('All: {estimate}', { estimate: estimateWords(t, all, numbers) })] : []),
    '',
    t('This is an estimate; nothing is sent before you start. One chapter after another is changed, each with a checkpoint of its own. You can pause at any time, and take back a chapter or all of it.'),
  ];
  return lines.join('\n');
}
