import { html, nothing, type TemplateResult } from 'lit';
import { splitPath } from '../../shared/format';
import { icon } from '../../shared/icons';
import type { ChatContext } from '../context';

/** What cards about files say of each, whether it was changed or would be. */
interface CardFile {
  readonly path: string;
  readonly from?: string | undefined;
  readonly added: number;
  readonly removed: number;
}

interface FileLook {
  readonly glyph: string;
  readonly state: string;
  /** What a press does, in words. */
  readonly label: string;
  readonly press: () => void;
  readonly classes?: string;
  /** Before the counts. */
  readonly note?: string;
}

type Words = ChatContext['words'];

/** More files than this are folded away until asked for. */
export const shownFiles = 8;

/** How many files, and 字 added and removed in those that count. */
export function filesSum(files: readonly CardFile[], counted: readonly CardFile[], words: Words): string {
  const added = counted.reduce((sum, file) => sum + file.added, 0);
  const removed = counted.reduce((sum, file) => sum + file.removed, 0);
  return `${words.n('changes.files', files.length)} · ${words.t('changes.words', words.number(added), words.number(removed))}`;
}

/** The rows of the files, the first few unless `all`; `showAll` is pressed for the rest. */
export function fileList<F extends CardFile>(files: readonly F[], all: boolean, words: Words, row: (file: F) => TemplateResult, showAll: () => void): TemplateResult {
  const shown = all ? files : files.slice(0, shownFiles);
  return html`<ul class="files">
      ${shown.map(row)}
    </ul>
    ${shown.length < files.length
      ? html`<button type="button" class="link-button files-more" @click=${showAll}>${words.t('changes.showAll', words.number(files.length))}</button>`
      : nothing}`;
}

/** A file's name, where it lies, and 字 added and removed: one button. */
export function fileButton(file: CardFile, { glyph, state, label, press, classes = '', note = '' }: FileLook, words: Words): TemplateResult {
  const { folder, name } = splitPath(file.path);
  return html`<button
    type="button"
    class="file ${classes}"
    title=${label}
    aria-label="${label} (${state}, ${words.t('changes.words', file.added, file.removed)})"
    @click=${press}
  >
    <span class="file-glyph" title=${state}>${icon(glyph)}</span>
    <span class="file-name"
      ><span class="file-base">${name}</span><span class="file-folder">${folder.replace(/\/$/, '')}</span>${file.from === undefined
        ? nothing
        : html`<span class="file-folder">${words.t('changes.renamedFrom', splitPath(file.from).name)}</span>`}</span
    >
    <span class="file-counts"
      >${note === '' ? nothing : html`<span>${note}</span> `}${file.added === 0 ? nothing : html`<span class="added">+${words.number(file.added)}</span>`}
      ${file.removed === 0 ? nothing : html`<span class="removed">−${words.number(file.removed)}</span>`}</span
    >
  </button>`;
}
