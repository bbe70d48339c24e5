/**
 * RSS, RDF, Atom and CDF as documents (X2): the pages of their entries, when each last changed
 * (T3), and what they say.
 *
 *   entry → link, title, date       its text → words, and the links written in it
 *
 * Relative addresses are resolved against `xml:base`, then Content-Location, then the feed's own
 * URL. Enclosures, hubs and the feed's own address are recorded and not followed. A date that is
 * none is passed over. ../page/sitemap-xml.ts reads the same files when they are named as
 * sitemaps: there only the addresses count.
 */

import { scanXml } from '../page/xml.ts';
import { ROOTS } from './feed-names.ts';
import { FeedReader } from './feed-reader.ts';
import { definePlugin } from './plugin.ts';
import { xmlTextOf } from './text-tools.ts';
import { documentBase, rootOf } from './xml-base.ts';

export const feed = definePlugin({
  name: 'feed',
  types: ['application/rss+xml', 'application/atom+xml', 'application/rdf+xml'],
  sniff(start, { mediaType }) {
    const root = rootOf(start);
    if (!ROOTS.has(root.slice(root.indexOf(':') + 1))) return false;
    // RDF is more than RSS: under another type it must say that it is a feed.
    const isRdf = root.endsWith('rdf');
    return (
      !isRdf || mediaType === 'application/rss+xml' || Buffer.from(start).includes('purl.org/rss')
    );
  },
  read(page) {
    const reader = new FeedReader(documentBase(page.url, page.headers), page);
    scanXml(`${xmlTextOf(page)}<`, reader);
    return reader.finish();
  },
});
