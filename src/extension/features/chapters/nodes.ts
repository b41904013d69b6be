import type { Chapter, OpenNote } from '../../../engine/index';

/** A row of the chapters view. One object for each thing for as long as it is there, so that single rows can be drawn anew. */
export type ChaptersNode =
  | { readonly kind: 'volume'; readonly path: string }
  | { readonly kind: 'chapter'; readonly path: string }
  | { readonly kind: 'note'; readonly path: string; readonly note: OpenNote; readonly index: number }
  | { readonly kind: 'outline' }
  | { readonly kind: 'text'; readonly path: string };

export const nodeId = (node: ChaptersNode): string =>
  node.kind === 'note' ? `note:${node.path}:${node.index}` : node.kind === 'outline' ? 'outline' : `${node.kind}:${node.path}`;

/** What a volume's row sums up. */
export interface VolumeSum {
  readonly chapters: number;
  readonly words: number;
}

/** The volumes and chapters directly in a volume ('' = the manuscript), in the order in which they first come. Volumes by their path. */
export function childrenOf(chapters: readonly Chapter[], volume: string): readonly { readonly kind: 'volume' | 'chapter'; readonly path: string }[] {
  const seen = new Set<string>();
  const found: { readonly kind: 'volume' | 'chapter'; readonly path: string }[] = [];
  for (const chapter of chapters) {
    if (chapter.volume === volume) found.push({ kind: 'chapter', path: chapter.path });
    else if (volume === '' || chapter.volume.startsWith(`${volume}/`)) {
      const rest = volume === '' ? chapter.volume : chapter.volume.slice(volume.length + 1);
      const path = (volume === '' ? '' : `${volume}/`) + (rest.split('/')[0] ?? '');
      if (!seen.has(path)) found.push({ kind: 'volume', path });
      seen.add(path);
    }
  }
  return found;
}

export function sumOf(chapters: readonly Chapter[], volume: string): VolumeSum {
  const inside = chapters.filter((chapter) => volume === '' || chapter.volume === volume || chapter.volume.startsWith(`${volume}/`));
  return { chapters: inside.length, words: inside.reduce((sum, { words }) => sum + words, 0) };
}

/** Volumes from the outermost to the one a chapter is in. */
export function volumesAbove(volume: string): readonly string[] {
  return volume === '' ? [] : volume.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'));
}

/** All volumes, in order. */
export function volumesOf(chapters: readonly Chapter[]): readonly string[] {
  return [...new Set(chapters.flatMap(({ volume }) => volumesAbove(volume)))];
}
