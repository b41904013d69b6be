import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { NumbersChapter } from '../../src/protocol/numbers';
import type { NumbersStringKey } from '../../src/protocol/numbers-strings';
import type { Translator } from '../shared/strings';

/** One bar a chapter: against its target where it has one, else against the longest chapter. Volumes as headings. */
export function chapterBars(chapters: readonly NumbersChapter[], words: Translator<NumbersStringKey>, open: (path: string) => void): TemplateResult {
  const { t } = words;
  if (chapters.length === 0) return html`<p class="muted">${t('numbers.noChapters')}</p>`;
  const longest = Math.max(1, ...chapters.map((one) => Math.max(one.words, one.target ?? 0)));
  let volume: string | undefined;
  const rows = chapters.map((chapter) => {
    const heading = chapter.volume === volume || (volume === undefined && chapter.volume === '') ? undefined : chapter.volume;
    volume = chapter.volume;
    return { chapter, heading };
  });
  return html`<ul class="bars">
    ${repeat(rows, ({ chapter }) => chapter.path, ({ chapter, heading }) => html`${heading === undefined || heading === '' ? nothing : html`<li class="volume">${heading}</li>`}${bar(chapter, longest, words, open)}`)}
  </ul>`;
}

/** Set as a property: the page's policy allows no style attributes. */
const width = (part: number): string => `width: ${(Math.min(1, part) * 100).toFixed(1)}%`;

function bar(chapter: NumbersChapter, longest: number, { t, n, number }: Translator<NumbersStringKey>, open: (path: string) => void): TemplateResult {
  const { title, words, target, path } = chapter;
  const label = target === undefined ? t('numbers.openChapter', title, n('numbers.words', words)) : t('numbers.openChapterOf', title, number(words), number(target));
  const full = target !== undefined && words >= target;
  return html`<li>
    <button type="button" class="bar ${full ? 'full' : ''}" title=${label} aria-label=${label} @click=${() => { open(path); }}>
      <span class="bar-title">${title}</span>
      <span class="bar-count">${full ? html`<span class="codicon codicon-check" aria-hidden="true"></span>` : nothing}${target === undefined ? number(words) : t('numbers.chapterOf', number(words), number(target))}</span>
      <span class="bar-track" .style=${width((target ?? words) / longest)}>
        <span class="bar-fill" .style=${width(target === undefined ? 1 : words / target)}></span>
      </span>
    </button>
  </li>`;
}
