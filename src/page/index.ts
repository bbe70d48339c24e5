/**
 * What a fetched body says: its encoding, links, title and words.
 *
 *   bytes ── charset.ts ──▶ name ── decode.ts ──▶ UTF-8 ── scanner.ts ──▶ hrefs, ranges
 *              │  charset-prescan, charset-labels,            │  kernel (WebAssembly from ../../kernel/),
 *              │  content-type                                │  attributes, tags, references, page-facts,
 *              │                                              │  shared-divs, letters; link-list, words,
 *              │                                              │  gathered-words
 *                                                             ▼
 *                       extract.ts ◀── objects ── scan.ts: canonical URLs (known-hrefs, encode), strings
 *
 *   sitemap.ts: the URLs that a site lists for crawlers (through xml.ts)
 *
 * `extractHtml` is for people, `scanHtml` for the crawl. Nothing here waits or touches.
 */
export { sniffCharset } from './charset.ts';
export { type ContentType, parseContentType } from './content-type.ts';
export { decode, toUtf8, type Utf8Body } from './decode.ts';
export { inCharset, linkResolverIn } from './encode.ts';
export { extractHtml, type HtmlPage, type PageLink, type PageResource } from './extract.ts';
export { theKernel } from './kernel.ts';
export type { LinkKind } from './link-list.ts';
export {
  type HtmlScan,
  LINKS_MAX,
  type Refresh,
  type RobotsMeta,
  type ScanOptions,
  scanHtml,
} from './scan.ts';
export { parseSitemap, SITEMAP_URLS_MAX } from './sitemap.ts';
export { VOICE, type Words } from './words.ts';
