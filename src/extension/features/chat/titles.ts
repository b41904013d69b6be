/** Characters of a title taken from somebody's first words. */
const mostCharacters = 30;

/** Any white space, line ends too, as one space. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** What a new conversation is called by its first words: their first line, cut where it is too long. */
export function titleOf(firstWords: string): string {
  const [first = ''] = firstWords.trim().split(/[\r\n\u2028\u2029]/);
  const characters = Array.from(new Intl.Segmenter().segment(oneLine(first)), ({ segment }) => segment);
  return characters.length <= mostCharacters ? characters.join('') : `${characters.slice(0, mostCharacters - 1).join('').trimEnd()}…`;
}

/** A title as the name of a file that every system takes, without its ending. */
export function fileNameOf(title: string): string {
  const name = oneLine(title.replace(/[<>:"/\\|?*\p{Cc}]/gu, ' ')).replace(/[. ]+$/, '').replace(/^\.+/, '');
  return name === '' ? 'liyuan' : Array.from(name).slice(0, 60).join('').trimEnd();
}
