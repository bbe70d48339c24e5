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
  /** Bits: 1 in navigation, header, footer or sidebar (zones.ts), 2 in a list of links. */
  boilerplate: 7,
} as const;
export const COLUMNS = 8;
export const PLACE = { shared: 1, listed: 2 } as const;

/** So many links with next to nothing between them are a list: a menu in all but name. */
const LIST_LINKS_MIN = 4;
const BETWEEN_BYTES_MAX = 12;
/** Above a list that is a menu stands a name, a slogan, no text; and below it one. */
const TOP_BYTES_MAX = 200;
const TEXT_BYTES_MIN = 600;

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

  /**
   * Marks lists of links, those above the page's text as a part that its site shares: menus stand
   * there, whatever their tags are. `textFrom` is where the words after the title begin. Only when
   * all words were gathered: else nothing stands between any two links.
   */
  markLists(textFrom: number, textTo: number): void {
    const own = textTo - textFrom - this.#linkBytes(this.count);
    const hasText = own >= TEXT_BYTES_MIN;
    let first = 0;
    for (let link = 1; link <= this.count; link++) {
      if (link < this.count && this.#between(link) <= BETWEEN_BYTES_MAX) continue;
      if (link - first >= LIST_LINKS_MIN) {
        const before = this.textFrom(first) - textFrom - this.#linkBytes(first);
        this.#mark(first, link, hasText && before < TOP_BYTES_MAX ? PLACE.shared : PLACE.listed);
      }
      first = link;
    }
  }

  /** Words between a link and the one before. */
  #between(link: number): number {
    const textTo = this.rows[(link - 1) * COLUMNS + COLUMN.textTo] as number;
    return this.textFrom(link) - textTo;
  }

  /** Words of the first so many links. */
  #linkBytes(links: number): number {
    let bytes = 0;
    for (let row = 0; row < links * COLUMNS; row += COLUMNS) {
      bytes +=
        (this.rows[row + COLUMN.textTo] as number) - (this.rows[row + COLUMN.textFrom] as number);
    }
    return bytes;
  }

  #mark(from: number, to: number, place: number): void {
    for (let link = from; link < to; link++) {
      const at = link * COLUMNS + COLUMN.boilerplate;
      this.rows[at] = (this.rows[at] as number) | place;
    }
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
