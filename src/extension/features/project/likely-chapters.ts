/** Names that are hardly chapters. */
const OTHERS = /^(?:readme|agents|changelog|license|notes?)\b|^(?:大纲|设定|人物|备注|说明)/i;
const NUMERAL = '[0-9０-９零〇一二两三四五六七八九十百千]';
/** 「第一章 …」, `001-…`, `Chapter 3`. */
const CHAPTER = new RegExp(`^(?:第\\s*${NUMERAL}+\\s*[章回节話话]|[0-9０-９]+(?:[^0-9０-９]|$)|chapter\\b|序章|楔子|引子|尾声|番外)`, 'i');
/** 「第一卷 退潮」, 「卷二」, `02 第二部`, `Volume 1`. */
const VOLUME = new RegExp(`^(?:[0-9０-９]+\\s*[-_.、]?\\s*)?(?:第\\s*${NUMERAL}+\\s*[卷部集册篇]|卷\\s*${NUMERAL}+|(?:volume|vol|book|part)\\b|番外)`, 'i');

export const isVolume = (folder: string): boolean => VOLUME.test(folder);

/** Of the texts that lie in a folder, those that are chapters by their names: the numbered ones where most are numbered, else all but notes. */
export function likelyChapters(names: readonly string[]): readonly string[] {
  const chapters = names.filter((name) => !OTHERS.test(name));
  const numbered = chapters.filter((name) => CHAPTER.test(name));
  return numbered.length >= 2 && numbered.length * 2 >= chapters.length ? numbered : chapters;
}
