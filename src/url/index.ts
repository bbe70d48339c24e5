/**
 * A URL becomes a key (U1–U4), and a crawl gets its borders (F10).
 *
 *   href on a page ─▶ resolver.ts (a whole page)  ─┐
 *   one href       ─▶ canonical.ts ────────────────┼▶ canonical URL ─▶ parts.ts  host, path
 *                       clean.ts    the quick way  │                ─▶ hash.ts   keys; arcs.ts
 *                       path.ts query.ts           │                ─▶ shape.ts  family of a URL
 *                       percent.ts  escapes        │                ─▶ scope.ts  ours or not
 *                       noise.ts    what is dropped┘
 */
export {
  ARCS,
  covers,
  type FirstBytes,
  firstBytesOf,
  formerOf,
  halvesOf,
  isArc,
  isPart,
  overlap,
  quarterOf,
  shareOf,
  splitFrom,
  wholeOf,
  withPartsOf,
} from './arcs.ts';
export { type CanonicalOptions, canonicalize, hasForeignScheme, parseHref } from './canonical.ts';
export {
  ARCS_MAX,
  arcOf,
  formatUrlHash,
  HOST_KEY_BYTES,
  hostKey,
  parseUrlHash,
  URL_HASH_BYTES,
  urlHash,
  writeUrlHash,
  writtenUrlHash,
} from './hash.ts';
export { ownCopy } from './own-copy.ts';
export { hostnameOf, hostOf, originOf, pathOf } from './parts.ts';
export { type LinkResolver, linkResolver } from './resolver.ts';
export {
  checkPattern,
  makeScope,
  registrableDomain,
  type Scope,
  type ScopeKind,
  type ScopeOptions,
  type ScopeVerdict,
} from './scope.ts';
export { pathShapeOf, shapeOf } from './shape.ts';
