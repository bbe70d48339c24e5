/**
 * Sitemaps: the URLs that a site itself wants found (X2, T3).
 *
 *   bytes ─ sitemap-gzip.ts ─▶ bytes ─ xml-decode.ts ─▶ text ─┬─ a URL a line
 *                                                             └─ xml.ts ─▶ sitemap-xml.ts
 *
 * Read: urlset and sitemapindex of any namespace or none, with the image, video, news and
 * xhtml extensions; plain text; RSS 0.9 to 2.0, RDF and Atom, whose entries are pages.
 * The bytes decide what it is, never the type or the name it was served under.
 *
 * Promises: never throws; time linear in the unpacked size; at most the named limits. A file
 * that is broken half-way gives what stood before the break; `flaw` says what else is amiss
 * (damaged gzip gives nothing).
 *
 * Not here: which of the URLs may be crawled (`../crawl/admit.ts`).
 */

import type { SitemapUrl } from './sitemap-entry.ts';
import { SITEMAP_BYTES_MAX, unpack } from './sitemap-gzip.ts';
import { inLocation } from './sitemap-location.ts';
import { SitemapXml } from './sitemap-xml.ts';
import { scanXml } from './xml.ts';
import { decodeXml } from './xml-decode.ts';

/** The protocol's limit on entries, for both kinds of file. */
export const SITEMAP_URLS_MAX = 50_000;

export type SitemapFlaw = 'damaged-gzip' | 'too-big' | 'too-many-urls' | 'not-a-sitemap';

export interface Sitemap {
  readonly urls: SitemapUrl[];
  /** Further sitemaps, when this is an index. */
  readonly sitemaps: string[];
  /** The same, with their `lastmod`. */
  readonly index: SitemapUrl[];
  readonly kind: 'urlset' | 'index' | 'text' | 'feed' | 'unknown';
  /** Why there is less here than there might be. */
  readonly flaw?: SitemapFlaw;
}

export interface SitemapOptions {
  /** Drop URLs that the sitemap's own place does not cover; off by default. */
  readonly strictLocation?: boolean;
  readonly urlsMax?: number;
  readonly bytesMax?: number;
}

export function parseSitemap(body: Uint8Array, url: string, options: SitemapOptions = {}): Sitemap {
  const unpacked = unpack(body, options.bytesMax ?? SITEMAP_BYTES_MAX);
  const text = decodeXml(unpacked.body).trimStart();
  const wanted = (loc: string) => options.strictLocation !== true || inLocation(url, loc);
  const reader = new SitemapXml(url, wanted, options.urlsMax ?? SITEMAP_URLS_MAX);
  if (!text.startsWith('<')) readLines(text, reader, unpacked.flaw !== undefined);
  const isText = reader.urls.length > 0;
  if (!isText) scanXml(text, reader);
  reader.finish();
  const kind = isText ? 'text' : reader.kind;
  const flaw = unpacked.flaw ?? (reader.full ? 'too-many-urls' : undefined);
  const unfit = flaw ?? (kind === 'unknown' ? 'not-a-sitemap' : undefined);
  return {
    urls: reader.urls,
    sitemaps: reader.index.map((entry) => entry.loc),
    index: reader.index,
    kind,
    ...(unfit === undefined ? {} : { flaw: unfit }),
  };
}

const LINE_END = /[\r\n]/g;

/** One URL a line. Only absolute ones count: any other text would resolve to something. */
function readLines(text: string, reader: SitemapXml, cut: boolean): void {
  let start = 0;
  while (start < text.length && !reader.done) {
    LINE_END.lastIndex = start;
    const end = LINE_END.exec(text)?.index ?? -1;
    if (end < 0 && cut) return;
    const line = text.slice(start, end < 0 ? text.length : end).trim();
    if (/^https?:\/\//i.test(line)) reader.add({ loc: line });
    start = end < 0 ? text.length : end + 1;
  }
}
