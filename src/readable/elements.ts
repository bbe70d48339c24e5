/**
 * What the tree and the writer must know of each element, as bits by tag name.
 *
 * A name that is not here is an ordinary element inside a line; with a block in it, it is
 * looked through. So pages made of custom elements read like any other.
 */
export const BLOCK = 1;
/** Has no content and no end tag. */
export const VOID = 2;
/** Its content is text up to its own end tag, whatever is in it. */
export const RAW = 4;
/** Nothing in it is for readers. */
export const SILENT = 8;
/** Ends an open paragraph. */
export const ENDS_P = 16;
/** Marks words inside a line; its end tag may stand at the wrong place. */
export const MARKS = 32;
/** What is open outside of it is not closed from inside. */
export const WALL = 64;

const BITS = new Map<string, number>();

function give(bits: number, names: string): void {
  for (const name of names.split(' ')) BITS.set(name, (BITS.get(name) ?? 0) | bits);
}

give(
  BLOCK | ENDS_P,
  'address article aside blockquote body center details dialog dd dir div dl dt fieldset ' +
    'figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html li listing main menu ' +
    'nav ol p plaintext pre search section summary ul xmp',
);
give(
  BLOCK,
  'caption colgroup col frameset legend optgroup option table tbody td tfoot th thead tr',
);
give(ENDS_P, 'table');
give(VOID, 'area base basefont bgsound br col embed frame hr img input keygen link meta param');
give(VOID, 'source track wbr');
give(RAW, 'script style xmp iframe noembed noframes textarea title plaintext');
give(SILENT, 'script style template noscript iframe frame noembed noframes object embed applet');
give(SILENT, 'audio video canvas map svg head title link meta base select option optgroup');
give(SILENT, 'button textarea input datalist progress meter param source track rp col colgroup');
give(MARKS, 'a b big code em font i nobr s small strike strong tt u');
give(WALL, 'table td th caption html template svg math');

export function bitsOf(tag: string): number {
  return BITS.get(tag) ?? 0;
}

/** Levels 1 to 6; 0 for what is no heading. */
export function headingLevel(tag: string): number {
  if (tag.length !== 2 || tag.charCodeAt(0) !== 0x68) return 0;
  const level = tag.charCodeAt(1) - 0x30;
  return level >= 1 && level <= 6 ? level : 0;
}

/** What a start tag closes before it opens, and what such a search does not go beyond. */
export interface ImpliedEnd {
  readonly closes: ReadonlySet<string>;
  readonly within: ReadonlySet<string>;
}

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));
const IN_LIST = set('ul ol menu dir table td th caption blockquote section article aside details');
const IN_TERMS = set('dl table td th caption blockquote section article aside details ul ol');
const IN_TABLE = set('table template html');
const CELLS = { closes: set('td th caption'), within: set('tr table template html') };
const PARTS = {
  closes: set('thead tbody tfoot tr td th caption colgroup'),
  within: IN_TABLE,
};

export const IMPLIED_ENDS: Readonly<Record<string, ImpliedEnd>> = {
  li: { closes: set('li'), within: IN_LIST },
  dt: { closes: set('dt dd'), within: IN_TERMS },
  dd: { closes: set('dt dd'), within: IN_TERMS },
  td: CELLS,
  th: CELLS,
  tr: { closes: set('tr td th caption colgroup'), within: set('table tbody thead tfoot template') },
  thead: PARTS,
  tbody: PARTS,
  tfoot: PARTS,
  caption: PARTS,
  option: { closes: set('option'), within: set('select optgroup table') },
};
