/** What elements mean in a feed, by their local names: RSS 0.9 to 2.0, RDF, Atom 0.3 and 1.0, CDF. */

export const ENTRIES: ReadonlySet<string> = new Set(['item', 'entry']);
export const TITLES: ReadonlySet<string> = new Set(['title']);
export const DATES: ReadonlySet<string> = new Set([
  ...['updated', 'modified', 'pubdate', 'published', 'issued', 'date', 'created', 'lastmod'],
]);
/** Texts of an entry or of the feed; what is escaped in them is HTML. */
export const TEXTS: ReadonlySet<string> = new Set([
  ...['description', 'summary', 'content', 'encoded', 'subtitle', 'tagline', 'abstract'],
]);
/** Have links of their own that are not the feed's. */
export const ASIDES: readonly string[] = ['image', 'textinput', 'source'];
export const ROOTS: ReadonlySet<string> = new Set(['rss', 'feed', 'rdf', 'channel']);

/** Links that lead to pages: the entry itself, and further parts of the feed (RFC 5005). */
const FOLLOWED =
  /^(?:alternate|related|via|next|prev|previous|first|last|next-archive|prev-archive|current|replies|collection)$/;

export function isPageRel(rel: string): boolean {
  return rel === '' || FOLLOWED.test(rel);
}
