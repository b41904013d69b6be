import { countWords, diffRuns, readCandidates, type Passage } from '../../../engine/index';
import type { Offered, PassageState } from '../../../protocol/passage';

export interface Progress {
  readonly phase: PassageState['phase'];
  /** All the model has said as its answer so far. */
  readonly answer: string;
  readonly error?: string;
}

/** What the panel shows of a passage and of how far its turn has come. */
export function stateOf(passage: Passage, place: { readonly turnId: string; readonly lines: readonly [number, number] }, progress: Progress): PassageState {
  const running = progress.phase === 'running';
  const { texts, remark } = readCandidates(progress.answer, !running);
  const { task, path, wish = '' } = passage;
  const text = passage.text.replaceAll('\r\n', '\n');
  const offer = (candidate: string): Offered => ({
    text: candidate,
    words: countWords(candidate),
    ...(running || task === 'continue' ? {} : { runs: diffRuns(text, candidate).map(({ text: run, fresh }) => ({ text: run, fresh })) }),
  });
  return {
    task,
    path,
    lines: [...place.lines],
    original: { text, words: countWords(text) },
    wish,
    phase: progress.phase,
    offers: texts.map(offer),
    // Where the texts were taken out, blank lines stay behind.
    remark: remark.replace(/\n(?:[ \t]*\n){2,}/g, '\n\n').trim(),
    turnId: place.turnId,
    ...(progress.error === undefined ? {} : { error: progress.error }),
  };
}
