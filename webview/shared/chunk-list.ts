import { html, type PropertyDeclarations, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { LightElement, define } from './element';

/** How a list shows its items. One object for the life of the list. */
export interface RowRenderer<I, E> {
  readonly key: (item: I) => string;
  /** The row as people see it. */
  readonly row: (item: I, env: E) => TemplateResult;
  /** Its words alone, for rows far from the view: cheap, and still found by find-in-page. */
  readonly plain: (item: I) => string;
}

/** Rows per chunk; the measured best for long lists with `content-visibility`. */
export const chunkSize = 25;

interface Row {
  readonly id: string;
}

/**
 * One run of rows with `content-visibility: auto`. Far from the view it holds plain words only; once it has been near, it
 * holds the full rows for good, so that nothing flickers on the way back.
 */
class ChunkElement extends LightElement {
  static override properties: PropertyDeclarations = {
    items: { attribute: false },
    env: { attribute: false },
    full: { attribute: false },
  };
  declare items: readonly Row[];
  declare env: unknown;
  declare full: boolean;
  declare renderer: RowRenderer<Row, unknown>;

  constructor() {
    super();
    this.items = [];
    this.full = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.classList.add('chunk');
  }

  /** Plain nodes, two a row: thousands of templates would cost the first paint. */
  #plainRows(): DocumentFragment {
    const rows = document.createDocumentFragment();
    for (const item of this.items) {
      const row = document.createElement('div');
      row.className = 'row row-plain';
      row.dataset['id'] = item.id;
      row.textContent = this.renderer.plain(item);
      rows.append(row);
    }
    return rows;
  }

  protected override render(): TemplateResult {
    const { renderer } = this;
    if (!this.full) return html`${this.#plainRows()}`;
    return html`${repeat(this.items, renderer.key, (item) => renderer.row(item, this.env))}`;
  }
}

/**
 * A long list in chunks. `items` may be the same array changed in place: raise `revision` after each change. Chunks whose
 * items and `env` are what they were are not rendered again.
 */
export class ChunkListElement extends LightElement {
  static override properties: PropertyDeclarations = {
    items: { attribute: false },
    revision: { attribute: false },
    env: { attribute: false },
  };
  declare items: readonly Row[];
  declare revision: number;
  declare env: unknown;
  declare renderer: RowRenderer<Row, unknown>;
  /** The scrolling ancestor, from which nearness is measured. */
  declare root: Element | undefined;

  #slices: (readonly Row[])[] = [];
  #near: IntersectionObserver | undefined;

  constructor() {
    super();
    this.items = [];
    this.revision = 0;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#near?.disconnect();
    this.#near = undefined;
  }

  /** Makes the row with this id a full row and gives its element, or `undefined` when there is none. */
  async reveal(id: string): Promise<HTMLElement | undefined> {
    await this.updateComplete;
    const at = this.items.findIndex((item) => item.id === id);
    if (at < 0) return undefined;
    const chunk = this.#chunks()[Math.floor(at / chunkSize)];
    if (!chunk) return undefined;
    chunk.full = true;
    await chunk.updateComplete;
    return chunk.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`) ?? undefined;
  }

  /** The first row that reaches below `y` (px from the window's top), a gap before it counted as its own. */
  rowAt(y: number): HTMLElement | undefined {
    const reaches = (element: HTMLElement): boolean => element.getBoundingClientRect().bottom > y;
    const chunk = this.#chunks().find(reaches);
    return chunk && [...chunk.querySelectorAll<HTMLElement>('.row')].find(reaches);
  }

  #chunks(): ChunkElement[] {
    return [...this.querySelectorAll<ChunkElement>('liyuan-chunk')];
  }

  protected override willUpdate(): void {
    const count = Math.ceil(this.items.length / chunkSize);
    const slices: (readonly Row[])[] = [];
    for (let c = 0; c < count; c += 1) {
      const old = this.#slices[c];
      const start = c * chunkSize;
      const length = Math.min(chunkSize, this.items.length - start);
      const same = old?.length === length && old.every((item, i) => item === this.items[start + i]);
      slices.push(same ? old : this.items.slice(start, start + length));
    }
    this.#slices = slices;
  }

  protected override render(): TemplateResult {
    const last = this.#slices.length - 1;
    return html`${this.#slices.map(
      (items, c) => html`<liyuan-chunk .renderer=${this.renderer} .items=${items} .env=${this.env} ?data-last=${c === last}></liyuan-chunk>`,
    )}`;
  }

  protected override updated(): void {
    const chunks = this.#chunks();
    // The end of a conversation is what one opens it for: its rows are there at the first paint.
    for (const chunk of chunks.slice(-2)) chunk.full = true;
    this.#near ??= new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          if (!entry.isIntersecting || !(entry.target instanceof ChunkElement)) continue;
          entry.target.full = true;
          this.#near?.unobserve(entry.target);
        }
      },
      { root: this.root ?? null, rootMargin: '1200px 0px' },
    );
    for (const chunk of chunks) if (!chunk.full) this.#near.observe(chunk);
  }
}

define('liyuan-chunk', ChunkElement);
define('liyuan-chunk-list', ChunkListElement);
