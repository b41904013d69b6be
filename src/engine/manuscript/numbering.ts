import { compareLabels, leadingNumber, secondNumber, type NumberMark } from '../text/chapter-number';

/** What numbering needs to know of a chapter. */
export interface NumberedChapter {
  readonly path: string;
  /** Path of its volume below the manuscript folder; '' at the top. */
  readonly volume: string;
  /** Its `# ` heading, when it has one. */
  readonly heading?: string;
}

/** A chapter with the numbers that its name and heading carry. */
export interface ChapterMarks {
  readonly chapter: NumberedChapter;
  /** File name without extension, and the extension. */
  readonly stem: string;
  readonly extension: string;
  readonly name: NumberMark | undefined;
  /** 第N章 behind the digits of the name. */
  readonly second: NumberMark | undefined;
  readonly heading: NumberMark | undefined;
}

export function marksOf(chapter: NumberedChapter): ChapterMarks {
  const file = chapter.path.slice(chapter.path.lastIndexOf('/') + 1);
  const extension = /\.(?:md|txt)$/i.exec(file)?.[0] ?? '';
  const stem = file.slice(0, file.length - extension.length);
  const name = leadingNumber(stem);
  const found = chapter.heading === undefined ? undefined : leadingNumber(chapter.heading);
  // Bare digits at the head of a title may be part of it (1984), unless they say the same as the file's name.
  const heading = found === undefined || found.spoken || compareLabels(found.label, name?.label ?? []) === 0 ? found : undefined;
  return { chapter, stem, extension, name, second: secondNumber(stem), heading };
}

/** Things by the volume they stand in, in the order of their first one. */
export function byVolume<T>(items: readonly T[], volumeOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const volumes = new Map<string, T[]>();
  for (const item of items) {
    const inside = volumes.get(volumeOf(item));
    if (inside === undefined) volumes.set(volumeOf(item), [item]);
    else inside.push(item);
  }
  return volumes;
}

/** Whether one kind of number goes on through all volumes of the manuscript, or begins anew in each. In one volume it goes on. */
export function goesOnThrough(all: readonly ChapterMarks[], mark: (one: ChapterMarks) => NumberMark | undefined): boolean {
  const volumes = [...byVolume(all, ({ chapter }) => chapter.volume).values()];
  const numbered = volumes.map((inside) => inside.flatMap((one) => mark(one) ?? [])).filter((marks) => marks.length > 0);
  return numbered.every(([first], at) => {
    const last = numbered[at - 1]?.at(-1);
    return last === undefined || first === undefined || compareLabels(last.label, first.label) < 0;
  });
}
