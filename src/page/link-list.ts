/**
 * The links of one page in document order, as rows of one table of numbers: a page of a
 * thousand links makes no object. All are places: href and rel in the page's bytes, the text
 * in its TextBuffer. They become strings in scan.ts, if anyone wants them.
 */
export type LinkKind = 'a' | 'area' | 'link' | 'frame' | 'iframe' | 'refresh';
export const LINK_KINDS: readonly LinkKind[] = ['a', 'area', 'link', 'frame', 'iframe', 'refresh'];

/** The columns of a row. A link without a rel has one that starts at -1. */
export const COLUMN = {
  hrefFrom: 0,
  hrefTo: 1,
  relFrom: 2,
  relTo: 3,
  textFrom: 4,
  textTo: 5,
  kind: 6,
  /** 1 in navigation, header, footer or sidebar (zones.ts); else 0. */
  boilerplate: 7,
} as const;
export const COLUMNS = 8;

const ROWS = 1_024;
/** One scan at a time uses it (scanning never waits), so that a page need not allocate one. */
let spare: Int32Array | undefined;

export class LinkList {
  rows: Int32Array;
  count = 0;
  /** Links beyond the limit, counted and not kept. */
  dropped = 0;
  readonly #max: number;

  constructor(max: number) {
    this.rows = spare ?? new Int32Array(ROWS * COLUMNS);
    spare = undefined;
    this.#max = max;
  }

  /** The new link's index, or -1 when the page is full. Its rel and text come after. */
  add(kind: LinkKind, hrefFrom: number, hrefTo: number, textAt: number, zone: number): number {
    if (this.count >= this.#max) {
      this.dropped++;
      return -1;
    }
    const row = this.count * COLUMNS;
    if (row === this.rows.length) this.#grow();
    const { rows } = this;
    rows[row] = hrefFrom;
    rows[row + COLUMN.hrefTo] = hrefTo;
    rows[row + COLUMN.relFrom] = -1;
    rows[row + COLUMN.textFrom] = rows[row + COLUMN.textTo] = textAt;
    rows[row + COLUMN.kind] = kind === 'a' ? 0 : LINK_KINDS.indexOf(kind);
    rows[row + COLUMN.boilerplate] = zone;
    return this.count++;
  }

  setRel(link: number, from: number, to: number): void {
    this.rows[link * COLUMNS + COLUMN.relFrom] = from;
    this.rows[link * COLUMNS + COLUMN.relTo] = to;
  }

  textFrom(link: number): number {
    return this.rows[link * COLUMNS + COLUMN.textFrom] ?? 0;
  }

  endText(link: number, textTo: number): void {
    this.rows[link * COLUMNS + COLUMN.textTo] = textTo;
  }

  #grow(): void {
    const larger = new Int32Array(2 * this.rows.length);
    larger.set(this.rows);
    this.rows = larger;
  }

  /** Its rows have been read: the next page may have them. */
  release(): void {
    if (this.rows.length === ROWS * COLUMNS) spare = this.rows;
  }
}
