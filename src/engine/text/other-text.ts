import { profileOf, similarity } from './similarity';

/** A sentence or line this long is in two texts by chance only rarely. */
const TELLING = 5;
/** From this length on, a text that was only worked over has a sentence left. */
const LONG = 300;
/** Short texts may be changed in every sentence, and be alike nevertheless. */
const ALIKE = 0.2;

/**
 * Whether `now` is no version of `before` but another text altogether, as when chapters have changed names: not a sentence of one is in the
 * other. Then no place of the one is meant by a place in the other, however well it seems to fit.
 */
export function isOtherText(before: string, now: string): boolean {
  if (before.trim() === '' || now.trim() === '') return false;
  const known = new Set(sentencesOf(before));
  if (known.size === 0) return false;
  const other = sentencesOf(now);
  if (other.length === 0 || other.some((sentence) => known.has(sentence))) return false;
  return Math.min(before.length, now.length) >= LONG || similarity(profileOf([...known].join('\n')), profileOf(other.join('\n'))) < ALIKE;
}

function sentencesOf(text: string): readonly string[] {
  return text
    .split(/[。！？!?\n\r]+/)
    .map((sentence) => sentence.trim())
    // Headings are numbers, for the most part.
    .filter((sentence) => sentence.length >= TELLING && !sentence.startsWith('#'));
}
