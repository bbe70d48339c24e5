/**
 * Events: what the crawl tells the world, and its nodes each other.
 *
 *   fetch-event.ts   one fetch, versioned          → topic `pages`
 *   erasure-event.ts that a page was erased        → topic `pages`
 *   mention.ts       a URL on its way to its owner → topic `urls`
 *   schema.ts        both as JSON Schema, for whoever reads them
 */
export { type ErasedPage, erasureEvent } from './erasure-event.ts';
export type { FetchEvent } from './fetch-event.ts';
export { decodeMentions, encodeMentions, type Mention } from './mention.ts';
export { EVENTS_SCHEMA, PAGES_SCHEMA, URLS_SCHEMA } from './schema.ts';
