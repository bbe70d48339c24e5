/**
 * Where sitemaps are, and what they may speak of.
 *
 * The location rule of sitemaps.org: a sitemap lists URLs of its own scheme, host and port,
 * at or below its own folder. Half of the web breaks it, and a crawler admits each URL by its
 * own scope anyway, so it is offered and not imposed.
 */
const WELL_KNOWN = ['/sitemap.xml', '/sitemap.txt', '/sitemap_index.xml'];

export function inLocation(sitemapUrl: string, url: string): boolean {
  if (!URL.canParse(sitemapUrl) || !URL.canParse(url)) return false;
  const [sitemap, page] = [new URL(sitemapUrl), new URL(url)];
  const folder = sitemap.pathname.slice(0, sitemap.pathname.lastIndexOf('/') + 1);
  return sitemap.origin === page.origin && page.pathname.startsWith(folder);
}

/** What to ask for, in order: what robots.txt names, or else the usual places. */
export function sitemapCandidates(origin: string, named: readonly string[]): string[] {
  const candidates = named.length > 0 ? named : WELL_KNOWN;
  const urls = candidates.filter((href) => URL.canParse(href, origin));
  return [...new Set(urls.map((href) => new URL(href, origin).href))];
}
