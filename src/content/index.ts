/**
 * Content: what is kept of an answer.
 *
 *   digest.ts   bytes → links, title, hash     codec.ts   zstd, gzip
 *   digest-wire.ts  a digest on its way from a parser elsewhere
 *   simhash.ts  words → 64 bits, and pairs of them to confirm (made in ../../kernel/)
 *   near.ts     fingerprints that are nearly the same (near-filter: which halves there are)
 *   links.ts, sitemap-links.ts, document-links.ts  what a body links to
 *   directives.ts  what a page asks for itself, and what is done about it
 *   scripted.ts  does a page show little without its scripts?
 *   region.ts   where a body was stored
 *   markdown.ts  any body as Markdown
 *   visited.ts  what a visit makes of a record, and tells
 */
export { BLOB_CODECS, type BlobCodec, hasZstd, type Packed } from './codec.ts';
export { brokenDigest, type Digest, digest, type RawPage, unreadDigest } from './digest.ts';
export {
  type DigestHead,
  digestFrom,
  digestParts,
  isCanonical,
  READING_VERSION,
} from './digest-wire.ts';
export {
  asOf,
  type Directives,
  directedRecord,
  directivesOf,
  keepsBody,
  refusedReason,
  type Sayings,
} from './directives.ts';
export { mayBeDocument, type Readers } from './document-links.ts';
export { type FoundLinks, findLinks } from './links.ts';
export { bodyToMarkdown, type StoredPage, UNPACKED_BYTES_MAX } from './markdown.ts';
export {
  bitsApart,
  bitsIn,
  chooseOriginals,
  type Halves,
  halvesOf,
  isConfirmed,
  isNear,
  NEAR_BITS_MAX,
  type Original,
  PAIR_BITS_MAX,
  PROBES,
  probe,
  simhashFrom,
} from './near.ts';
export { NearFilter, type Side } from './near-filter.ts';
export { regionOf } from './region.ts';
export { needsScripts } from './scripted.ts';
export { hamming, simhash, type TextPrint, WORDS_MIN } from './simhash.ts';
export { fetchEvent, pageEvent, sameBytes, type Visited, visitedRecord } from './visited.ts';
