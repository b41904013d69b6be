import type { KnownChapter } from './chapters';
import { fileName, folderOf } from './chapters';
import type { PlannedCall, Receipt, Work } from './talk';
import { listIn, numberIn, textIn } from './talk';

/** Who and where, as found in the author's files. */
export interface Cast {
  readonly people: readonly string[];
  readonly places: readonly string[];
  /** Text of the last chapter, `''` without one. */
  readonly lastText: string;
}

const CARDS = /角色|人物|card|character/i;
const NOTES = /设定|资料|人物|角色|setting|note|character|cast|world/i;
const LORE = /世界书|lore|world/i;
const PLACE_NOTES = /地点|地理|地名|place|location/i;
const PLACE_NAME = /[渡滩沙楼塔局镇村城山河湖洲港桥巷街宫殿寺院店馆岛湾]$|\b(?:Bay|Bridge|Harbou?r|House|Inn|Island|Lake|Road|Square|Street|Tower|Town|Village)$/;
const MOST_FILES = 3;
const MOST_NAMES = 40;

/** Looks the last chapter, the cards, the notes and the lorebooks through for names, by `list`, then `read` and `grep`. */
export function* lookUpCast(chapters: readonly KnownChapter[], folders: readonly Receipt[]): Work<Cast> {
  const last = chapters.at(-1);
  const others = folders.map((folder) => textIn(folder, 'path')).filter((path) => path !== '' && (last === undefined || !last.path.startsWith(path)));
  const listed = others.length === 0 ? [] : yield others.map((path): PlannedCall => ({ name: 'list', args: { path: path.replace(/\/$/, '') } }));
  const files = listed.flatMap((receipt) => listIn(receipt, 'entries').map((entry) => textIn(entry, 'path')));
  const cardNames = files.filter((path) => CARDS.test(folderOf(path)) && /\.json$/.test(path)).map((path) => fileName(path).replace(/\.json$/, ''));
  const notes = files.filter((path) => NOTES.test(path) && /\.(?:md|txt)$/.test(path)).slice(0, MOST_FILES);
  const lore = others.filter((path) => LORE.test(path)).slice(0, 1);
  const calls: readonly PlannedCall[] = [
    ...(last === undefined ? [] : [{ name: 'read', args: { path: last.path } }]),
    ...notes.map((path) => ({ name: 'read', args: { path } })),
    ...lore.map((path) => ({ name: 'grep', args: { pattern: '"comment":', path: path.replace(/\/$/, ''), limit: MOST_NAMES } })),
  ];
  const receipts = calls.length === 0 ? [] : yield calls;
  const fromNotes = receipts.slice(last === undefined ? 0 : 1, calls.length - lore.length).map((receipt, at) => ({ path: notes[at] ?? '', names: headingsIn(textIn(receipt, 'text')) }));
  const loreNames = lore.length === 0 ? [] : listIn(receipts.at(-1) ?? {}, 'matches').flatMap((match) => /"comment":\s*"([^"]+)"/.exec(textIn(match, 'text'))?.[1] ?? []);
  const lastText = last === undefined ? '' : textIn(receipts[0] ?? {}, 'text');
  const noted = fromNotes.filter(({ path }) => !PLACE_NOTES.test(path)).flatMap(({ names }) => names);
  const notedPlaces = fromNotes.filter(({ path }) => PLACE_NOTES.test(path)).flatMap(({ names }) => names);
  const people = inText([...new Set([...cardNames, ...noted.filter((name) => !PLACE_NAME.test(name))])], lastText);
  const places = inText([...new Set([...notedPlaces, ...loreNames.filter((name) => PLACE_NAME.test(name))])], lastText).filter((name) => !people.includes(name));
  return { people, places, lastText };
}

/** The folders of the project, and the manuscript among them when there is no chapter yet to tell. */
export function manuscriptFolder(folders: readonly Receipt[], system: string): string {
  const paths = folders.map((folder) => textIn(folder, 'path')).filter((path) => path !== '');
  const named = /`([^`\n]+\/)`/.exec(system)?.[1];
  return paths.find((path) => path === named) ?? paths.find((path) => /正文|manuscript|chapters/i.test(path)) ?? paths[0] ?? named ?? '正文/';
}

/** Words of a receipt's chapter list in all. */
export function totalWords(chapters: readonly KnownChapter[]): number {
  return chapters.reduce((sum, chapter) => sum + chapter.words, 0);
}

export function wordsIn(receipt: Receipt): number {
  return numberIn(receipt, 'words');
}

function headingsIn(text: string): readonly string[] {
  return [...text.matchAll(/^#{2,3}[ \t]+(.{1,20}?)[ \t]*$/gmu)].map((match) => match[1] ?? '').filter((name) => !/[，。：:（(]/.test(name));
}

/** Those that occur in the text (by full name, or without a one-sign family name) first, in the order of their first mention. */
function inText(names: readonly string[], text: string): readonly string[] {
  const at = (name: string): number => {
    const whole = text.indexOf(name);
    return whole !== -1 || [...name].length !== 3 ? whole : text.indexOf([...name].slice(1).join(''));
  };
  const present = names.filter((name) => at(name) !== -1).sort((a, b) => at(a) - at(b));
  return present.length > 0 ? present : names;
}
