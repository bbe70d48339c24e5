/**
 * A sitemap that was met as a page: somebody linked to it (X2). One that robots.txt or a sitemap
 * names is fetched as such and takes the short way (../content/sitemap-links.ts); both are read by
 * ../page/sitemap.ts, gzipped or not, as the bytes say.
 */

import { parseSitemap } from '../page/index.ts';
import type { SitemapUrl } from '../page/sitemap-entry.ts';
import { unpack } from '../page/sitemap-gzip.ts';
import { entryList, type ListedEntry } from './as-markdown.ts';
import { type DocumentLink, definePlugin } from './plugin.ts';
import { rootOf } from './xml-base.ts';

const START_BYTES_MAX = 64 * 1024;

export const sitemap = definePlugin({
  name: 'sitemap',
  types: ['application/gzip', 'application/x-gzip'],
  sniff(start) {
    const { body } =
      start[0] === 0x1f && start[1] === 0x8b ? unpack(start, START_BYTES_MAX) : { body: start };
    return /^(?:\w+:)?(?:urlset|sitemapindex)$/.test(rootOf(body));
  },
  read(page) {
    const map = parseSitemap(page.body, page.url);
    return {
      links: [
        ...map.index.map((entry) => linkTo(entry, 'sitemap')),
        ...map.urls.map((entry) => linkTo(entry, 'listed')),
      ],
      metadata: { entries: String(map.index.length + map.urls.length) },
      ...(page.wantsMarkdown && {
        markdown: entryList('', [...map.index, ...map.urls].map(entryOf), page),
      }),
      ...(map.flaw !== undefined && { trouble: map.flaw }),
    };
  },
});

function entryOf({ loc, lastmod }: SitemapUrl): ListedEntry {
  return { title: '', href: loc, date: lastmod ?? '', text: '' };
}

function linkTo({ loc, lastmod }: SitemapUrl, kind: string): DocumentLink {
  return { href: loc, kind, ...(lastmod !== undefined && { lastmod }) };
}
