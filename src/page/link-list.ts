/**
 * The links of one page in document order, as parallel arrays: a page of a thousand links
 * costs five arrays and not a thousand objects. Texts are ranges of the page's TextBuffer.
 */
export type LinkKind = 'a' | 'area' | 'link' | 'frame' | 'iframe' | 'refresh';

export class LinkList {
  readonly hrefs: string[] = [];
  readonly kinds: LinkKind[] = [];
  /** As written but in lower case; empty when there is none. */
  readonly rels: string[] = [];
  readonly textFrom: number[] = [];
  readonly textTo: number[] = [];
  /** Links beyond the limit, counted and not kept. */
  dropped = 0;
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** The new link's index, or -1 when the page is full. */
  add(kind: LinkKind, href: string, rel: string, textAt: number): number {
    const index = this.hrefs.length;
    if (index >= this.#max) {
      this.dropped++;
      return -1;
    }
    this.hrefs.push(href);
    this.kinds.push(kind);
    this.rels.push(rel);
    this.textFrom.push(textAt);
    this.textTo.push(textAt);
    return index;
  }
}
