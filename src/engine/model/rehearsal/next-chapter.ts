import type { ModelMessage } from '../../ports/models';
import { lookUpCast } from './cast';
import { lookUpChapters } from './chapters';
import type { Intent } from './intents';
import type { Speaker, Work } from './talk';
import { call, errorIn, listIn, need, textIn } from './talk';

type Next = Extract<Intent, { kind: 'next-chapter' }>;

const BLOCK = /(?:^|\n\n)【(?:下一章|Next chapter)】\n([^]*?)(?=\n\n|$)/u;
const PLACE = /`([^`\n]+\.(?:md|txt))`/u;
const HEADING = /`# ([^`\n]*)`/u;
const TITLE = /〔章名〕|\[title\]/u;

/** 「下一章」, as the program asks for it before the author's words: where it is to be written, and under which heading. */
export function nextChapterIn(message: ModelMessage | undefined): Next | undefined {
  const block = BLOCK.exec(message?.content ?? '')?.[1];
  const path = block === undefined ? undefined : PLACE.exec(block)?.[1];
  if (block === undefined || path === undefined) return undefined;
  return { kind: 'next-chapter', path, heading: HEADING.exec(block)?.[1] ?? '', placeholder: TITLE.exec(path)?.[0] ?? '' };
}

/** Asks which way to go, then writes a short chapter that says what it is. */
export function* writeNextChapter(intent: Next, speaker: Speaker): Work {
  speaker.say('nextLook');
  const chapters = yield* lookUpChapters();
  const cast = yield* lookUpCast(chapters, listIn(yield* need('list', {}), 'entries'));
  const a = cast.people[0] ?? speaker.phrase('someone');
  const b = cast.people[1] ?? speaker.phrase('someoneElse');
  const place = cast.places[0] ?? speaker.phrase('somewhere');
  const receipt = yield* call('ask', {
    question: speaker.phrase('nextQuestion'),
    options: [speaker.phrase('optionAsk', { a }), speaker.phrase('optionLeave', { a, place }), speaker.phrase('optionOther', { b })],
  });
  const answer = textIn(receipt, 'answer').replace(/[。.]+$/u, '');
  if (answer === '') return speaker.say('stopped');
  const named = (text: string): string => (intent.placeholder === '' ? text : text.replaceAll(intent.placeholder, speaker.phrase('nextTitle')));
  const path = named(intent.path);
  speaker.say('nextWriting', { answer });
  const lines = [
    `# ${named(intent.heading)}`,
    speaker.phrase('nextDraft'),
    speaker.phrase('nextBeat', { answer }),
    speaker.phrase('draftPlace', { place }),
    speaker.phrase('draftOne', { a }),
    speaker.phrase('draftTwo', { a, b }),
    speaker.phrase('draftEnd'),
  ];
  const written = yield* call('write', { path, content: `${lines.join('\n\n')}\n` });
  const error = errorIn(written);
  if (error !== undefined) return speaker.say('failedAt', { path, error });
  const words = written['words'];
  speaker.say('written', { path: textIn(written, 'path') || path, words: typeof words === 'number' ? words : 0, names: '' });
  speaker.say('nextOpen', { a });
}
