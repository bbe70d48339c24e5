/**
 * Where things lie in the kernel's memory: one list that both sides are compiled with.
 *
 *   0       tables, filled once from here (kernel-tables.ts) and only read there
 *   …       what a scan and a fingerprint work with: stacks, counters, known names
 *   MARKS   marks of one page's words
 *   HREFS   what links of earlier pages said
 *   ROWS    this page's links; behind them, as large as the page needs: its bytes, its words
 *
 * AssemblyScript reads this file too, so it holds nothing but numbers.
 */

/** 256 bytes each: what a byte is (bytes.ts), what a tag does (tags.ts). */
export const CLASS_AT = 0x400;
export const GAP_AT = 0x500;
export const HEAD_ONLY_AT = 0x600;
export const ZONE_AT = 0x700;
export const BREAKOUT_AT = 0x800;
export const SVG_ISLAND_AT = 0x900;
export const MATH_ISLAND_AT = 0xa00;

/** Which attribute a name of this length and first letter may be; 16 bytes a name after it. */
export const SHAPES_AT = 0xb00;
export const NAMES_AT = 0xd00;
export const ATTRIBUTES = 11;
/** Pairs: where the values of the tag read last begin and end. */
export const VALUES_AT = 0xe00;

/** Tags by name: 16 bytes of it, its number, nothing. */
export const TAGS_AT = 0x1000;
/** 32 - 9 bits for 512 slots. With these two numbers no two of our names share one. */
export const TAG_HASH_SHIFT = 23;
export const TAG_SPREAD_A = 0x9e71aaaf;
export const TAG_SPREAD_B = 0x915462bd;
export const TAG_BYTES = 24;

/** What a reference stands for: its first UTF-16 unit, how many bytes, and those. */
export const REFERENCE_AT = 0x4000;
/** What a scan or a fingerprint found, as numbers (kernel.ts). */
export const RESULT_AT = 0x4040;
export const ZONES_AT = 0x40c0;
export const FOREIGN_AT = 0x4100;
export const FOREIGN_MAX = 256;
/** The URL of the folder that hrefs are read in; how long the paths of it and those above are. */
export const FOLDER_AT = 0x4200;
export const FOLDER_BYTES_MAX = 512;
export const ABOVE_AT = 0x4440;
/** Attributes of a div, as a hash of 63 bits, and whether it is a shared part. */
export const DIVS_AT = 0x8000;
export const DIV_SLOTS = 4096;

/** Characters beyond ASCII, 256 at a time; which are there. */
export const LETTERS_AT = 0x10000;
export const LETTER_BLOCKS = 256;
export const LETTER_BLOCK_AT = 0x50000;

/** Of a fingerprint. */
export const TALLY_AT = 0x50400;
export const TALLY_BITS = 11;
export const PLANES_AT = 0x52400;
export const LANES_AT = 0x52600;
export const SMALLEST_AT = 0x52700;
export const FEATURES_AT = 0x52800;
export const NEIGHBOURS_AT = 0x52900;
export const EDGES_AT = 0x53000;
export const EDGES_MAX = 4096;

/** Kept of one page; what comes after counts as the last one marked. */
export const MARKS_AT = 0x70000;
export const MARKS_MAX = 0x10000;

/** Hrefs that are known: two numbers about each, and in a row of its own its bytes. */
export const HREF_HEADS_AT = 0xb0000;
export const HREF_SLOTS = 0x20000;
export const HREFS_AT = 0x1b0000;
export const HREF_BYTES_MAX = 80;
export const ROWS_AT = 0xbb0000;
