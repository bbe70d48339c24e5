/**
 * The links of one page in document order, as the kernel leaves them: rows of a table of numbers,
 * so that a page of a thousand links makes no object. All are places: href and rel in the kernel's
 * memory, the text in the page's words. They become strings in scan.ts, if anyone wants them.
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
  /** Bits: 1 in navigation, header, footer or sidebar, 2 in a list of links. */
  boilerplate: 7,
} as const;
export const COLUMNS = 8;
