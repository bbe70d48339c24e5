/**
 * Documents that are not HTML, by plugins (X2):
 *
 *   body, type ── choose.ts ──▶ plugin ── read.ts ──▶ links, text, title, metadata, trouble
 *
 *   plugin.ts     what a plugin is            built-in.ts   those that need no registering
 *   pdf/          PDF                         feed.ts       RSS, Atom, RDF, CDF (feed-reader, feed-names)
 *   json.ts       JSON, JSON-LD (json-names)  json-feed.ts  JSON Feed
 *   xml.ts        any other XML (xml-base)    sitemap.ts    sitemaps met as pages
 *   type-by-name.ts  what a name says when the type says nothing; unwrap.ts  gzipped documents
 *   markdown.ts, plain-text.ts, text-tools.ts, html-part.ts
 *   as-markdown.ts   any of them as Markdown, when that is wanted (X5)
 *
 * Thinking only. Under which limits a plugin runs: ../adapters/node/document-pool.ts.
 */
export { BUILT_IN } from './built-in.ts';
export { choosePlugin, patternsOf } from './choose.ts';
export {
  type DocumentLink,
  type DocumentPage,
  type DocumentPlugin,
  definePlugin,
  type FoundDocument,
  pluginProblem,
  SNIFF_BYTES,
  type SniffedPage,
} from './plugin.ts';
export { type ReadDocument, readDocument } from './read.ts';
export { sitemap } from './sitemap.ts';
export { typeByName } from './type-by-name.ts';
export { type Unwrapped, unwrapped } from './unwrap.ts';
export { rootOf } from './xml-base.ts';
