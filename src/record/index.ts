/**
 * Records: what is remembered, and how it is written.
 *
 *   url-record.ts   one URL and its life          url-codec.ts   the same as bytes
 *   host-record.ts  one host and its bytes        waiting.ts     a queued URL and its rank
 *   trace.ts        headers and links of a visit  keys.ts        places on the circle
 *   packed.ts       a queued URL as a string, kept in memory
 *   rendering.ts    what a trace says of a page that was rendered
 */
export {
  blankHost,
  decodeHost,
  decodeRobots,
  encodeHost,
  encodeRobots,
  HOST_CLASSES,
  HOST_FLAGS,
  type HostClass,
  type HostRecord,
  type RobotsRecord,
} from './host-record.ts';
export {
  HOST_KEY_BYTES,
  type HostKey,
  hostKeyAt,
  hostKeyIn,
  hostKeyOf,
  URL_HASH_BYTES,
  URL_KEY_BYTES,
  type UrlKey,
  urlKeyOf,
} from './keys.ts';
export {
  packedKey,
  packWaiting,
  placeInPacked,
  rankInPacked,
  unpackWaiting,
} from './packed.ts';
export { type Rendering, withRendering } from './rendering.ts';
export { decodeTrace, encodeTrace, type LinkEdge, linksInTrace, type Trace } from './trace.ts';
export { decodeUrlRecord, encodeUrlRecord, writeUrlRecord } from './url-codec.ts';
export {
  blankRecord,
  FLAGS,
  type Flag,
  flagNames,
  KINDS,
  NO_BYTES,
  URL_STATES,
  type UrlKind,
  type UrlRecord,
  type UrlState,
} from './url-record.ts';
export {
  admittedAtOf,
  decodeWaiting,
  encodeWaiting,
  GAIN_PER_DAY,
  quantised,
  queuedRecord,
  RANK_MAX,
  rankOf,
  type Waiting,
  waitingAt,
} from './waiting.ts';
